// Reads what a payload lets its network take as a fee, as far as its bytes show it: the most that whoever sends the
// signed transaction can have its payer lose. Decides nothing.
import { type Hex, parseTransaction } from 'viem';
import { isBlindMessage } from '../../domain/payloads/message-digest.ts';
import { readSolanaFee } from '../../domain/payloads/solana-fee.ts';
import type { SigningContent } from '../../domain/signing/signing-content.ts';
import type { FeeBound } from '../../domain/withdrawals/fee-caps.ts';

/** `feeBaseUnits` is 0 for what is no transaction, and undefined where it is not known. */
export function readFee(payload: SigningContent['payload']): FeeBound {
  switch (payload.kind) {
    case 'evm_transaction':
      return readEvmFee(payload.hex as Hex);
    case 'solana_transaction':
      return readSolanaFee(Buffer.from(payload.hex.slice(2), 'hex'));
    case 'evm_typed_data':
      return noFee;
    case 'evm_message':
    case 'solana_message':
      return isBlindMessage(payload) ? {} : noFee;
    case 'raw_digest':
    case 'bitcoin_input':
      return {};
  }
}

const noFee = { feeBaseUnits: 0n };
/** EIP-4844. */
const GAS_PER_BLOB = 131_072n;

/** Without what a rollup charges for the chain below it: no transaction names that. */
function readEvmFee(unsigned: Hex): FeeBound {
  try {
    const transaction = parseTransaction(unsigned);
    const { gas = 0n, gasPrice, maxFeePerGas, maxFeePerBlobGas, blobVersionedHashes } = transaction;
    const price = maxFeePerGas ?? gasPrice ?? 0n;
    const blobGas = GAS_PER_BLOB * BigInt(blobVersionedHashes?.length ?? 0);
    return { price, feeBaseUnits: gas * price + blobGas * (maxFeePerBlobGas ?? 0n) };
  } catch {
    return {};
  }
}
