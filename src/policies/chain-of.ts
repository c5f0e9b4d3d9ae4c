// The chain that a payload says it is for, whatever network was named with it. Decides nothing.
import { readEvmBytes } from '../../domain/payloads/evm-transaction.ts';
import type { SigningContent } from '../../domain/signing/signing-content.ts';

/** Without `chainId`: any of the family. Without a family: any of the curve. */
export interface SaidChain {
  family?: 'evm' | 'sol' | 'btc';
  chainId?: number;
}

export function chainOf(payload: SigningContent['payload']): SaidChain {
  switch (payload.kind) {
    case 'evm_transaction':
      return onEvm(readEvmBytes(payload.hex as `0x${string}`)?.chainId);
    case 'evm_typed_data': {
      const { chainId } = payload.typedData.domain as { chainId?: string };
      return onEvm(chainId === undefined ? undefined : Number(chainId));
    }
    case 'evm_message':
      return onEvm(undefined);
    case 'solana_transaction':
    case 'solana_message':
      return { family: 'sol' };
    case 'bitcoin_input':
      return { family: 'btc' };
    case 'raw_digest':
      return {};
  }
}

const onEvm = (chainId: number | undefined): SaidChain =>
  chainId === undefined ? { family: 'evm' } : { family: 'evm', chainId };
