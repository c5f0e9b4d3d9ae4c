// A request for a signature as a policy looks at it: what it shows of itself, and what that would do. Decides nothing.
import type { NetworkRow } from '../../drizzle/networks.ts';
import { isDigest } from '../../payloads/message-digest.ts';
import type { SigningPayload } from '../../workflows/sign.ts';
import { readEvmTransaction } from './evm-calls.ts';
import type { PolicyIntent } from './facts.ts';
import { readSolanaMessage } from './solana-calls.ts';
import { readTypedDocument } from './typed-data-calls.ts';

export interface SigningAsked {
  workspaceId: string;
  walletId: string;
  /** The API key that asks. */
  initiator: string;
  production: boolean;
}

export function signingIntent(asked: SigningAsked, network: NetworkRow, payload: SigningPayload): PolicyIntent {
  return {
    ...asked,
    networkId: network.id,
    networkCode: network.internalCode,
    operation: 'signing',
    payloadKind: payload.kind === 'evm_message' && isDigest(payload.hex) ? 'raw_digest' : payload.kind,
    ...shown(payload),
  };
}

function shown(payload: SigningPayload): Partial<PolicyIntent> {
  switch (payload.kind) {
    case 'evm_transaction':
      return readEvmTransaction(payload.hex as `0x${string}`);
    case 'solana_transaction':
      return readSolanaMessage(Buffer.from(payload.hex.slice(2), 'hex'));
    case 'evm_typed_data':
      return readTypedDocument(payload.typedData);
    case 'evm_message':
    case 'raw_digest':
    case 'bitcoin_input':
      return {};
  }
}
