// The chain of the audit log in figures: what is hashed, what is signed, how a signature is checked. Pure, so that the
// service and the offline verifier mean the same.
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson, digestOf, type Json } from '../canonical-json.ts';

/** What stands before the first entry of a workspace. */
export const AUDIT_GENESIS_HASH = '0'.repeat(64);

/** An entry as it is shown, exported and hashed. */
export type AuditEntry = { readonly [name: string]: Json };

export interface ChainHead {
  workspaceId: string;
  /** Of the last entry. */
  seq: number;
  hash: string;
  /** RFC 3339 with milliseconds. */
  signedAt: string;
}

export interface SignedHead extends ChainHead {
  /** Raw 32 bytes, base64. */
  publicKey: string;
  /** Ed25519, base64. */
  signature: string;
}

/** 64 hex digits. */
export const sealHash = (seq: number, previousHash: string, entry: AuditEntry): string =>
  digestOf({ seq, previous_hash: previousHash, entry });

/** Ed25519 over the canonical JSON, base64. */
export const signStatement = (statement: Json, privateKey: KeyObject): string =>
  sign(null, Buffer.from(canonicalJson(statement)), privateKey).toString('base64');

/** `publicKey` is the one that is trusted. */
export function isSignedStatement(publicKey: string, statement: Json, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  // Base64 has several spellings of the same bytes.
  if (bytes.toString('base64') !== signature) return false;
  return verify(null, Buffer.from(canonicalJson(statement)), toKey(publicKey), bytes);
}

export const signHead = (head: ChainHead, privateKey: KeyObject): string =>
  signStatement(toStatement(head), privateKey);

export const isSignedHead = (publicKey: string, head: SignedHead): boolean =>
  head.publicKey === publicKey && isSignedStatement(publicKey, toStatement(head), head.signature);

const toStatement = ({ workspaceId, seq, hash, signedAt }: ChainHead) => ({
  workspace_id: workspaceId,
  seq,
  hash,
  signed_at: signedAt,
});

function toKey(publicKey: string): KeyObject {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
