// The feed of events as a test reads it: placed on command, whole, and each event held against the description of its
// type. Also events that say what the test wants.
import { type SQL, sql } from 'drizzle-orm';
import { Value } from 'typebox/value';
import { expect } from 'vitest';
import type { EventData } from '../../../domain/events/event-data.ts';
import type { EventType } from '../../../domain/events/event-types.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import { listEvents } from '../../../drizzle/events/event-feed.ts';
import { type EventRow, recordEvent } from '../../../drizzle/events/events.ts';
import { type SequencedEvents, sequenceEvents, type ToEventData } from '../../../drizzle/webhooks/sequence-events.ts';
import { eventDescriptions, toEventData } from '../../../src/events/event-data.ts';

/** An event about no resource: it says this JSON. Stands where `recordEvent` does. */
export const recordAnyEvent = (workspaceId: string | SQL, type: EventType, says: SQL = sql`'{}'::jsonb`): SQL<string> =>
  recordEvent(type, { workspaceId: sql`${workspaceId}::uuid`, says });

/** As the product's, and for events about no resource. */
export const toAnyEventData: ToEventData = (type, recorded) =>
  'says' in recorded ? (recorded['says'] as EventData) : toEventData(type, recorded);

/** One round of the sequencer. */
export const sequenceOnce = (db: Database): Promise<SequencedEvents> =>
  db.transaction((tx) => sequenceEvents(tx, toAnyEventData));

/** Gives every event that is committed its place. */
export async function sequenceAll(db: Database): Promise<void> {
  while ((await sequenceOnce(db)).isFull);
}

/** All events so far, in order; each is as it is described. */
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
export async function eventsOf(db: Database, workspaceId: string, id: string): Promise<EventRow[]> {
  return (await readFeed(db, workspaceId)).filter(({ data }) => data['id'] === id);
}

export const typesOf = (rows: readonly EventRow[]): string[] => rows.map(({ type }) => type);

export function assertDescribed({ type, data }: Pick<EventRow, 'type' | 'data'>): void {
  const { schema } = eventDescriptions[type];
  const wrong = [...Value.Errors(schema, data)].map((error) => `${error.instancePath} ${error.message}`);
  const undescribed = Object.keys(data).filter((name) => !Object.hasOwn(schema.properties, name));
  expect({ type, wrong, undescribed, data }).toEqual({ type, wrong: [], undescribed: [], data });
}
