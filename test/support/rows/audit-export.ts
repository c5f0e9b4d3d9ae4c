// Exports of the audit log without a service: a chain as the sealer makes it, the file as the API streams it, and
// everything that a forger can do with a file but without the private key.
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  AUDIT_GENESIS_HASH,
  type AuditEntry,
  sealHash,
  signHead,
  signStatement,
} from '../../../domain/audit/audit-chain.ts';
import { endLine, endStatement, entryLine, headLine } from '../../../src/audit/export-lines.ts';

export interface Signer {
  publicKey: string;
  privateKey: KeyObject;
}

export function makeSigner(): Signer {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { publicKey: Buffer.from(x ?? '', 'base64url').toString('base64'), privateKey };
}

export interface Sealed {
  seq: number;
  previousHash: string;
  hash: string;
  entry: AuditEntry;
}

/** Goes on from `before`, or begins. */
export function chainOf(entries: readonly AuditEntry[], before?: Sealed): Sealed[] {
  const links: Sealed[] = [];
  let last = before;
  for (const entry of entries) {
    const [seq, previousHash]: [number, string] = [(last?.seq ?? 0) + 1, last?.hash ?? AUDIT_GENESIS_HASH];
    last = { seq, previousHash, hash: sealHash(seq, previousHash, entry), entry };
    links.push(last);
  }
  return links;
}

const signedAt = '2026-01-02T03:04:05.678Z';

export function headOf({ seq, hash }: Sealed, workspaceId: string, { publicKey, privateKey }: Signer) {
  const head = { workspaceId, seq, hash, signedAt };
  return { ...head, publicKey, signature: signHead(head, privateKey) };
}

/** The lines of a whole file; a head after each place in `headsAt`. */
export function exportOf(
  links: readonly Sealed[],
  { workspaceId, headsAt, signer }: { workspaceId: string; headsAt: readonly number[]; signer: Signer },
): string[] {
  const lines = links.flatMap((link) => [
    entryLine(link),
    ...(headsAt.includes(link.seq) ? [headLine(headOf(link, workspaceId, signer))] : []),
  ]);
  const [first, last] = [links[0], links.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a chain has at least one entry');
  const heads = links.filter(({ seq }) => headsAt.includes(seq)).length;
  const end = { workspaceId, fromSeq: first.seq, seq: last.seq, hash: last.hash, heads, signedAt };
  const all = [...lines, endLine(end, signer.publicKey, signStatement(endStatement(end), signer.privateKey))];
  return all.map((line) => line.trimEnd());
}
