// Entries of the audit log: how they are written, in the transaction of the change or for what was refused, and how
// they are listed. Changes none.
import { createHash } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { AuditEntry } from '../../domain/audit/audit-chain.ts';
import { redactedJson } from '../../domain/audit/audit-redaction.ts';
import { canonicalJson, type Json } from '../../domain/canonical-json.ts';
import { apiKeys } from '../api-keys/api-keys.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { anyOf, type OneOf, type Page, selectPage } from '../database/page.ts';
import { preparedStatement } from '../database/prepared-query.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { auditLogs, auditSeals } from './audit-tables.ts';

/** What is longer is kept as its digest only. */
export const KEPT_MAX_BYTES = 16 * 1024;

export type AuditLogRow = typeof auditLogs.$inferSelect;

/** What an entry says. What is absent is null. */
export type AuditFacts = Partial<Omit<AuditLogRow, 'id' | 'position' | 'workspaceId' | 'actorId' | 'createdAt'>> &
  Pick<AuditLogRow, 'actor' | 'action' | 'outcome'>;

export type NewAuditEntry = AuditFacts & Pick<AuditLogRow, 'workspaceId' | 'actorId'>;

/** Canonical JSON of a value, without what is secret in it; of a long one, how long it is and its SHA-256. */
export function toKeptText(value: unknown): string {
  const text = redactedJson(JSON.parse(JSON.stringify(value)) as Json);
  const bytes = Buffer.byteLength(text);
  return bytes <= KEPT_MAX_BYTES
    ? text
    : canonicalJson({ bytes, sha256: createHash('sha256').update(text).digest('hex') });
}

const COLUMNS = sql.raw(
  'id, workspace_id, actor, actor_id, ip, request_id, action, resource_id, wallet_id, outcome, status_code, code, body_hash, body, before, after, sealed',
);
const FACTS = sql.raw(
  `id uuid, "workspaceId" uuid, actor text, "actorId" uuid, ip text, "requestId" text, action text, "resourceId" text, "walletId" uuid, outcome text,
  "statusCode" smallint, code text, "bodyHash" text, body text, before text, after text, sealed text, "apiKey" text`,
);
const VALUES = sql.raw(
  'ip, "requestId", action, "resourceId", "walletId", outcome, "statusCode", code, "bodyHash", body, before, after, sealed',
);

/** One parameter whatever the number of entries, so that the text of the statement stays the same. */
const recordsOf = (entries: readonly object[]): SQL =>
  sql`json_to_recordset(${JSON.stringify(entries.map((entry) => ({ id: uuidv7(), ...entry })))}::text::json) as fact(${FACTS})`;

const insertEntry = preparedStatement<object>(
  () => sql`insert into ${auditLogs} (${COLUMNS}) select id, "workspaceId", actor, "actorId", ${VALUES}
    from json_to_recordset(${sql.placeholder('entries')}::text::json) as fact(${FACTS})`,
);

export async function insertAuditEntry(tx: Transaction, entry: NewAuditEntry): Promise<void> {
  await insertEntry(tx).execute({ entries: JSON.stringify([{ id: uuidv7(), ...entry }]) });
}

/** What an operator's command changed. */
export async function insertOperatorEntry(
  tx: Transaction,
  entry: Omit<AuditFacts, 'actor' | 'outcome'> & { workspaceId: string },
): Promise<void> {
  await insertAuditEntry(tx, { ...entry, actor: 'operator', actorId: null, outcome: 'accepted' });
}

/** What an operator's command changed that is of no workspace: an entry for each of them. */
export async function insertOperatorEntryForAll(
  tx: Transaction,
  entry: Pick<NewAuditEntry, 'action' | 'after'>,
): Promise<void> {
  const facts = { ...entry, actor: 'operator', outcome: 'accepted' };
  await tx.execute(sql`insert into ${auditLogs} (${COLUMNS})
    select new_uuid_v7(), ${workspaces.id}, actor, null, ${VALUES} from ${recordsOf([facts])} cross join ${workspaces}`);
}

/** Of whoever it was said to be: nothing is written for an identifier that no key has. */
export async function insertRefusals(
  db: Database,
  refusals: readonly (AuditFacts & { apiKey: string })[],
): Promise<void> {
  await db.execute(sql`insert into ${auditLogs} (${COLUMNS})
    select fact.id, ${apiKeys.workspaceId}, actor, ${apiKeys.id}, ${VALUES} from ${recordsOf(refusals)}
    join ${apiKeys} on ${apiKeys.apiKey} = fact."apiKey"`);
}

/** As it is shown, exported and hashed. */
export function toAuditEntry(row: AuditLogRow): AuditEntry {
  return {
    id: row.id,
    workspace_id: row.workspaceId,
    actor: row.actor,
    actor_id: row.actorId,
    ip: row.ip,
    request_id: row.requestId,
    action: row.action,
    resource_id: row.resourceId,
    wallet_id: row.walletId,
    outcome: row.outcome,
    status_code: row.statusCode,
    code: row.code,
    body_hash: row.bodyHash,
    body: readKept(row.body),
    before: readKept(row.before),
    after: readKept(row.after),
    // Absent where there is none, so that entries of before hash as they did.
    ...(row.sealed === null ? {} : { sealed: readKept(row.sealed) }),
    created_at: row.createdAt.toISOString(),
  };
}

/**
 * What is no canonical JSON was not written by the service: it is shown as the text that it is, which no hash of ours
 * covers.
 */
function readKept(text: string | null): Json {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Json;
    if (typeof value === 'object' && value !== null && canonicalJson(value) === text) return value;
  } catch {}
  return text;
}

export interface AuditFilter {
  workspaceId: string;
  actorIds?: readonly string[] | undefined;
  actions?: readonly string[] | undefined;
  outcomes?: readonly AuditLogRow['outcome'][] | undefined;
  resourceIds?: readonly string[] | undefined;
  walletIds?: readonly string[] | undefined;
}

export type SealedRow = AuditLogRow & { seq: number | null; hash: string | null };

/**
 * One row more than the page asks for, when there is one. An entry without a `seq` waits for its place in the chain.
 */
export async function listAuditLogs(db: Database, filter: AuditFilter, page: Page): Promise<SealedRow[]> {
  const [first, ...others] = filtersOf(filter);
  const where = [
    eq(auditLogs.workspaceId, filter.workspaceId),
    ...others.map(([column, values]) => anyOf(column, values)),
  ];
  const rows = await selectPage(db, auditLogs, { where, parts: first === undefined ? [] : [first], page });
  const { auditId, seq, hash } = auditSeals;
  const ids = rows.map(({ id }) => id);
  const seals =
    ids.length === 0 ? [] : await db.select({ auditId, seq, hash }).from(auditSeals).where(anyOf(auditId, ids));
  const byId = new Map(seals.map((seal) => [seal.auditId, seal]));
  return rows.map((row) => ({ ...row, seq: byId.get(row.id)?.seq ?? null, hash: byId.get(row.id)?.hash ?? null }));
}

/** The most telling first: by it the list is looked up. */
export function filtersOf({ actorIds, actions, outcomes, resourceIds, walletIds }: AuditFilter): OneOf[] {
  const all = [
    [auditLogs.resourceId, resourceIds],
    [auditLogs.walletId, walletIds],
    [auditLogs.actorId, actorIds],
    [auditLogs.action, actions],
    [auditLogs.outcome, outcomes],
  ] as const;
  return all.flatMap(([column, values]) => (values === undefined ? [] : [[column, values] as const]));
}
