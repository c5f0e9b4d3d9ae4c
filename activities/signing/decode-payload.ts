// What is signed, from the form that rows have it in to the form that the cluster takes. Judges nothing.
import type { SigningPayload } from '../../domain/signing/signing-payload.ts';
import type { Payload } from '../mpc/port.ts';
import { readBitcoinInput } from '../mpc/verify/bitcoin-input.ts';

export function decodePayload(payload: SigningPayload): Payload {
  if (payload.kind === 'evm_typed_data') return payload;
  const { kind, hex } = payload;
  const bytes = Buffer.from(hex.slice(2), 'hex');
  switch (kind) {
    case 'raw_digest':
      return { kind, digest: bytes };
    case 'evm_transaction':
      return { kind, unsigned: bytes };
    case 'evm_message':
    case 'solana_message':
      return { kind, text: bytes };
    case 'solana_transaction':
      return { kind, message: bytes };
    case 'bitcoin_input':
      return { kind, ...readBitcoinInput(bytes) };
  }
}
