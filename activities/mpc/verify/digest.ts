// What a payload stands for, the bytes that are signed, computed apart from the nodes, so that an answer can be checked
// against what was asked. Typed data is hashed from the document itself: neither the nodes' code nor the flat form that
// they were sent is trusted.
import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { readDocument } from '../../../domain/payloads/typed-data.ts';
import { preimageOf } from '../../../domain/payloads/typed-data-hash.ts';
import { type Curve, curves } from '../../../domain/statuses.ts';
import { ClusterError, type Payload } from '../port.ts';
import { bitcoinInputDigest } from './bitcoin-input.ts';
import { orInvalidRequest } from './invalid-request.ts';

/** EIP-191, version 0x45: the length is that of the bytes, in decimal. */
function eip191Digest(text: Uint8Array): Uint8Array {
  return keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]));
}

export type SolanaPayload = Extract<Payload, { kind: 'solana_transaction' | 'solana_message' }>;

export const isSolana = (payload: Payload): payload is SolanaPayload =>
  payload.kind === 'solana_transaction' || payload.kind === 'solana_message';

/** What a Solana key signs: the content itself. */
export const contentOf = (payload: SolanaPayload): Uint8Array =>
  payload.kind === 'solana_transaction' ? payload.message : payload.text;

/** A digest of 32 bytes, except for what Solana keys sign, which is signed itself. Throws as `digestOf` does. */
export function signedBytesOf(payload: Payload): Uint8Array {
  return isSolana(payload) ? contentOf(payload) : digestOf(payload);
}

/** Throws `invalid_request` when a raw digest is not 32 bytes or the content cannot be read. */
export function digestOf(payload: Exclude<Payload, SolanaPayload>): Uint8Array {
  switch (payload.kind) {
    case 'raw_digest':
      if (payload.digest.length !== 32) throw new ClusterError('invalid_request', 'a digest has 32 bytes');
      return payload.digest;
    case 'evm_transaction':
      return keccak_256(payload.unsigned);
    case 'evm_message':
      return eip191Digest(payload.text);
    case 'evm_typed_data':
      return orInvalidRequest(() => keccak_256(preimageOf(readDocument(payload.typedData))));
    case 'bitcoin_input':
      try {
        return bitcoinInputDigest(payload);
      } catch (error) {
        throw new ClusterError('invalid_request', 'the input of the Bitcoin transaction cannot be read', {
          cause: error,
        });
      }
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
