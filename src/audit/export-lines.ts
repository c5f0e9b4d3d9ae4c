// The lines of a JSONL export of the audit log: one entry a line with its seal, the heads that were signed on the way,
// and a signed end, so that a file which was cut short is not taken for the whole. Every line is canonical JSON (RFC
// 8785): there is one way to write it.
import type { AuditEntry, SignedHead } from '../../domain/audit/audit-chain.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Link } from './chain-check.ts';

export interface ExportEnd {
  workspaceId: string;
  /** The first place of the file: 1 unless it goes on from an earlier one. */
  fromSeq: number;
  seq: number;
  hash: string;
  /** How many heads the file holds. */
  heads: number;
  signedAt: string;
}

/** What the signature of the end is over. */
export const endStatement = ({ workspaceId, fromSeq, seq, hash, heads, signedAt }: ExportEnd) => ({
  workspace_id: workspaceId,
  from_seq: fromSeq,
  seq,
  hash,
  heads,
  signed_at: signedAt,
});

export const entryLine = ({ seq, previousHash, hash, entry }: Link & { entry: AuditEntry }): string =>
  line({ type: 'entry', seq, previous_hash: previousHash, hash, entry });

export const headLine = ({ workspaceId, seq, hash, signedAt, publicKey, signature }: SignedHead): string =>
  line({
    type: 'head',
    workspace_id: workspaceId,
    seq,
    hash,
    signed_at: signedAt,
    public_key: publicKey,
    signature,
  });

export const endLine = (end: ExportEnd, publicKey: string, signature: string): string =>
  line({ type: 'end', ...endStatement(end), public_key: publicKey, signature });

const line = (value: AuditEntry): string => `${canonicalJson(value)}\n`;
