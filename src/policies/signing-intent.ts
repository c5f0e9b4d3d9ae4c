// A request for a signature as a policy looks at it: where it may be valid, what it shows of itself, and what that
// would do. Decides nothing.

import { isBlindMessage } from '../../domain/payloads/message-digest.ts';
import type { SigningContent } from '../../domain/signing/signing-content.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { notDecoded, readEvmTransaction } from './evm-calls.ts';
import type { PolicyIntent } from './facts.ts';
import { readFee } from './read-fee.ts';
import { readSolanaMessage } from './solana-calls.ts';
import { readTypedDocument } from './typed-data-calls.ts';

export interface SigningAsked {
  workspaceId: string;
  walletId: string;
  /** The API key that asks. */
  initiator: string;
  production: boolean;
}

/** `networks`: where it may be valid, that which was named first. */
export function signingIntent(
  asked: SigningAsked,
  networks: readonly [NetworkRow, ...NetworkRow[]],
  payload: SigningContent['payload'],
): PolicyIntent {
  const toJudged = ({ id, internalCode }: NetworkRow) => ({ id, code: internalCode });
  const [named, ...others] = networks;
  return {
    ...asked,
    networks: [toJudged(named), ...others.map(toJudged)],
    operation: 'signing',
    ...readPayload(payload),
  };
}

export type PayloadFacts = Pick<PolicyIntent, 'movements' | 'unknown' | 'call' | 'typedData' | 'fee' | 'payloadKind'>;

/** What a payload shows of itself. Those who approve it are shown the same (src/decoding). */
export function readPayload(payload: SigningContent['payload']): PayloadFacts {
  const isRaw = payload.kind === 'raw_digest' || isBlindMessage(payload);
  return {
    payloadKind: isRaw ? 'raw_digest' : payload.kind,
    fee: readFee(payload).feeBaseUnits,
    ...(isRaw ? notDecoded('a raw digest does not show what it is of') : shown(payload)),
  };
}

type Shown = Pick<PolicyIntent, 'movements' | 'unknown' | 'call' | 'typedData'>;

function shown(payload: SigningContent['payload']): Shown {
  switch (payload.kind) {
    case 'evm_transaction':
      return readEvmTransaction(payload.hex as `0x${string}`);
    case 'solana_transaction':
      return readSolanaMessage(Buffer.from(payload.hex.slice(2), 'hex'));
    case 'evm_typed_data':
      return readTypedDocument(payload.typedData);
    case 'evm_message':
    case 'solana_message':
      return { movements: [], unknown: [] };
    case 'raw_digest':
    case 'bitcoin_input':
      return notDecoded('what it is of is not read here');
  }
}
