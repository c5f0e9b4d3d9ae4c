// A payload of the port as it goes to the nodes. What they would refuse is refused here, before it costs a session;
// they check all of it again.

import { PAYLOAD_BYTES_MAX } from '../../../domain/payloads/limits.ts';
import { requiredSigners } from '../../../domain/payloads/solana-message.ts';
import { assertSolanaMessage } from '../../../domain/payloads/solana-offchain.ts';
import type { Curve } from '../../../domain/statuses.ts';
import { ClusterError, type Payload } from '../port.ts';
import type { WirePayload } from '../transport/wire.ts';
import { wireBitcoinInput } from './bitcoin-input.ts';
import { digestOf, isSolana } from './digest.ts';
import { orInvalidRequest } from './invalid-request.ts';
import { flattenTypedData } from './typed-data.ts';

/** Throws `invalid_request` for a kind that is not signed on this curve, and for content that does not fit its kind. */
export function wirePayload(payload: Payload, curve: Curve): WirePayload {
  const ownCurve = isSolana(payload) ? 'ed25519' : 'secp256k1';
  if (payload.kind !== 'raw_digest' && curve !== ownCurve)
    throw invalid(`this kind of payload is signed on ${ownCurve} only`);
  switch (payload.kind) {
    case 'raw_digest':
      return { kind: 'RawDigest', digest: digestOf(payload) };
    case 'evm_transaction':
      return { kind: 'EvmTransaction', unsigned: short(payload.unsigned) };
    case 'evm_message':
      return { kind: 'EvmMessage', text: short(payload.text) };
    case 'evm_typed_data':
      return { kind: 'EvmTypedData', typedData: orInvalidRequest(() => flattenTypedData(payload.typedData)) };
    case 'solana_transaction':
      orInvalidRequest(() => requiredSigners(payload.message));
      return { kind: 'SolanaTransaction', message: payload.message };
    case 'solana_message':
      orInvalidRequest(() => assertSolanaMessage(payload.text));
      return { kind: 'SolanaMessage', text: payload.text };
    case 'bitcoin_input':
      digestOf(payload);
      return { kind: 'BitcoinInput', input: wireBitcoinInput(payload) };
  }
}

function short(content: Uint8Array): Uint8Array {
  if (content.length > PAYLOAD_BYTES_MAX) throw invalid(`a payload has at most ${PAYLOAD_BYTES_MAX} bytes`);
  return content;
}

function invalid(message: string): ClusterError {
  return new ClusterError('invalid_request', message);
}
