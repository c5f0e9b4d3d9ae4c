// What tests of the audit log ask of it: its rows, sealed and signed without a worker, and an export as a file.
import { asc, eq } from 'drizzle-orm';
import type { AuditLogRow } from '../../../drizzle/audit/audit-entries.ts';
import { signDueHeads } from '../../../drizzle/audit/audit-heads.ts';
import { sealAuditEntries } from '../../../drizzle/audit/audit-seals.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { signerOf } from '../../../src/worker/seal-audit.ts';
import { type Answer, type TestApi } from '../api/api.ts';
import { keyEncryptionKey } from './seals.ts';

export const keyEncryptionKeys = [Buffer.from(keyEncryptionKey, 'hex')];

export const auditPath = (workspaceId: string, rest = '') => `/api/v1/workspaces/${workspaceId}/audit-logs${rest}`;

/** What the worker does every second. */
export async function sealAudit({ db }: TestApi): Promise<void> {
  await sealAuditEntries(db);
  await signDueHeads(db, await signerOf(db, keyEncryptionKeys));
}

/** What was written about the request of this answer. */
export const entriesOf = ({ db }: TestApi, { headers }: Answer): Promise<AuditLogRow[]> =>
  db
    .select()
    .from(auditLogs)
    .where(eq(auditLogs.requestId, String(headers['x-request-id'])))
    .orderBy(asc(auditLogs.position));

/** What was written about the request of this answer, which is one entry. */
export async function entryOf(api: TestApi, answer: Answer): Promise<AuditLogRow> {
  const [entry, ...others] = await entriesOf(api, answer);
  if (entry === undefined || others.length > 0)
    throw new Error(`${others.length + (entry ? 1 : 0)} entries instead of one`);
  return entry;
}

export const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as Record<string, unknown>));
