// The audit log as a file: CSV to read, JSONL to verify offline. Both are streamed from one snapshot.
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { AUDIT_GENESIS_HASH, signStatement } from '../../domain/audit/audit-chain.ts';
import type { Json } from '../../domain/canonical-json.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { csvLine } from '../../domain/csv.ts';
import { type AuditFilter, type SealedRow, toAuditEntry } from '../../drizzle/audit/audit-entries.ts';
import { toSignedHead } from '../../drizzle/audit/audit-heads.ts';
import { findSealHash, type Link, streamAuditLogs, streamChain } from '../../drizzle/audit/audit-reading.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { ServiceKey } from '../../drizzle/secrets/service-keys.ts';
import type { FileSlots } from '../files/file-slots.ts';
import { streamFile } from '../files/stream-file.ts';
import { ApiError } from '../http/errors.ts';
import { csvColumns } from './audit.schema.ts';
import { endLine, endStatement, entryLine, headLine } from './export-lines.ts';

export interface ExportDependencies {
  db: Database;
  slots: FileSlots;
}

export function exportCsv(
  { db, slots }: ExportDependencies,
  reply: FastifyReply,
  filter: AuditFilter & { from: Date | undefined; to: Date | undefined },
  sortOrder: 'asc' | 'desc',
): Promise<Readable> {
  return streamFile<SealedRow>(reply, {
    slots,
    open: (signal) => streamAuditLogs(db, filter, sortOrder, signal),
    head: csvLine(csvColumns),
    toText: (rows) => rows.map(toCsvLine).join(''),
  });
}

function toCsvLine(row: SealedRow): string {
  const shown: Record<string, Json | undefined> = { seq: row.seq, hash: row.hash, ...toAuditEntry(row) };
  return csvLine(csvColumns.map((column) => toCell(shown[column] ?? null)));
}

const toCell = (value: Json) =>
  typeof value === 'object' && value !== null ? canonicalJson(value) : String(value ?? '');

/** Everything that the offline verifier needs. A place without its entry is left out: the verifier finds the gap. */
export async function exportAuditChain(
  { db, slots }: ExportDependencies,
  reply: FastifyReply,
  { workspaceId, afterSeq }: { workspaceId: string; afterSeq: number },
  { publicKey, privateKey }: ServiceKey,
): Promise<Readable> {
  const before = afterSeq === 0 ? AUDIT_GENESIS_HASH : await findSealHash(db, workspaceId, afterSeq);
  if (before === undefined) throw new ApiError('invalid_request', 'after_seq is a place that the chain does not have.');
  let [seq, hash, heads] = [afterSeq, before, 0];
  const toText = (link: Link): string => {
    ({ seq, hash } = link);
    const lines = link.entry === null ? [] : [entryLine({ ...link, entry: toAuditEntry(link.entry) })];
    if (link.head !== null) {
      heads += 1;
      lines.push(headLine(toSignedHead(link.head)));
    }
    return lines.join('');
  };
  const end = () => {
    const stated = { workspaceId, fromSeq: afterSeq + 1, seq, hash, heads, signedAt: new Date().toISOString() };
    return endLine(stated, publicKey, signStatement(endStatement(stated), privateKey));
  };
  return streamFile<Link>(reply, {
    slots,
    open: (signal) => streamChain(db, { workspaceId, afterSeq }, signal),
    toText: (links) => links.map(toText).join(''),
    end,
  });
}
