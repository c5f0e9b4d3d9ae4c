// The feed of events as a test reads it: placed on command, whole, and each event held against the description of its type.
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import type { Database } from '../../../drizzle/database/connection.ts';
import { listEvents } from '../../../drizzle/events/event-feed.ts';
import type { EventRow } from '../../../drizzle/events/events.ts';
import { sequenceEvents } from '../../../drizzle/webhooks/sequence-events.ts';
import { eventDescriptions } from '../../../src/events/event-data.schema.ts';

/** Gives every event that is committed its place. */
export async function sequenceAll(db: Database): Promise<void> {
  while ((await db.transaction(sequenceEvents)).isFull);
}

/** All that was told so far, in order; each is as it is described. */
export async function readFeed(db: Database, workspaceId: string): Promise<EventRow[]> {
  await sequenceAll(db);
  const rows: EventRow[] = [];
  for (let more = true; more; ) {
    const filter = { workspaceId, afterSeq: rows.length, walletIds: undefined, types: undefined };
    const page = await listEvents(db, filter, 200);
    more = page.length > 200;
    rows.push(...page.slice(0, 200));
  }
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  for (const row of rows) assertDescribed(row);
  return rows;
}

/** What callers hear of one resource, by its id. */
export async function toldOf(db: Database, workspaceId: string, id: string): Promise<EventRow[]> {
  return (await readFeed(db, workspaceId)).filter(({ data }) => data['id'] === id);
}

export const typesOf = (rows: readonly EventRow[]): string[] => rows.map(({ type }) => type);

export function assertDescribed({ type, data }: Pick<EventRow, 'type' | 'data'>): void {
  const schema = eventDescriptions[type].data;
  const wrong = [...Value.Errors(schema, data)].map((error) => `${error.instancePath} ${error.message}`);
  const undescribed = Object.keys(data).filter((name) => !Object.hasOwn(schema.properties, name));
  expect({ type, wrong, undescribed, data }).toEqual({ type, wrong: [], undescribed: [], data });
}
