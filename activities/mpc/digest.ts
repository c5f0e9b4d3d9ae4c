// The 32 bytes that a payload stands for, computed as the node computes them, so that an answer can be checked against what was asked.
import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { type Curve, curves } from '../../drizzle/status.ts';
import { ClusterError, type Payload } from './cluster.ts';

/** EIP-191, version 0x45: the length is that of the bytes, in decimal. */
function eip191Digest(text: Uint8Array): Uint8Array {
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]));
}

/** Throws `invalid_request` when a raw digest is not 32 bytes. */
export function digestOf(payload: Payload): Uint8Array {
  switch (payload.kind) {
    case 'raw_digest':
      if (payload.digest.length !== 32) throw new ClusterError('invalid_request', 'a digest has 32 bytes');
      return payload.digest;
    case 'evm_transaction':
      return keccak_256(payload.unsigned);
    case 'evm_message':
      return eip191Digest(payload.text);
  }
}

/** What a key test signs. Bound to its wallet and marked by its label, it can authorise nothing. */
export function keyTestDigest(walletId: Uint8Array, curve: Curve, operationId: Uint8Array): Uint8Array {
  const hash = createHash('sha256').update('countersign/v1/key-test').update(walletId);
  return hash
    .update(Buffer.of(curves.indexOf(curve)))
    .update(operationId)
    .digest();
}
