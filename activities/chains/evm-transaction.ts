// Writes EVM transactions: unsigned from what is to be moved, signed from a signature. Asks no node; the same input gives the same bytes.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBytes,
  keccak256,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import type { FeeQuote, Reservation, SignedTransaction, Transfer, UnsignedTransaction } from './chain.ts';
import { canonicalEvmAddress } from './evm-address.ts';

/** What the transaction calls: the recipient with the amount, or the token's contract, which moves it. */
export function callOf({ to, asset, amount }: Pick<Transfer, 'to' | 'asset' | 'amount'>): {
  to: Address;
  value: bigint;
  data?: Hex;
} {
  const recipient = required(canonicalEvmAddress(to), 'a recipient');
  if (amount < 0n) throw new Error('an amount is not negative');
  if (asset.contract === null) return { to: recipient, value: amount };
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, amount] });
  return { to: required(canonicalEvmAddress(asset.contract), 'a contract'), value: 0n, data };
}

export function buildEvmTransaction(
  chainId: number,
  transfer: Transfer,
  fee: FeeQuote,
  { nonce }: Reservation,
): UnsignedTransaction {
  if (nonce === undefined || !Number.isSafeInteger(nonce) || nonce < 0)
    throw new Error('an EVM transaction needs its nonce');
  const { gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = fee.parameters;
  const prices =
    gasPrice === undefined
      ? {
          type: 'eip1559' as const,
          maxFeePerGas: BigInt(required(maxFeePerGas, 'a fee')),
          maxPriorityFeePerGas: BigInt(required(maxPriorityFeePerGas, 'a priority fee')),
        }
      : { type: 'legacy' as const, gasPrice: BigInt(gasPrice) };
  const gas = BigInt(required(gasLimit, 'a gas limit'));
  const unsigned = serializeTransaction({ ...callOf(transfer), ...prices, chainId, nonce, gas });
  return { unsigned, payloads: [{ kind: 'evm_transaction', hex: unsigned }] };
}

/** Throws unless there is one signature, of this key, over these very bytes, low-s and with v = 27 or 28, and the bytes are for this chain. */
export function assembleEvmTransaction(
  chainId: number,
  unsigned: string,
  signatures: readonly string[],
  publicKey: string,
): SignedTransaction {
  const transaction = parseUnsigned(unsigned as Hex, chainId);
  const [signature, ...others] = signatures;
  if (signature === undefined || others.length > 0 || !/^0x[0-9a-f]{128}1[bc]$/i.test(signature))
    throw new Error('an EVM transaction needs one signature of 65 bytes with v = 27 or 28');
  assertSignedBy(publicKey, hexToBytes(keccak256(unsigned as Hex)), hexToBytes(signature as Hex));
  const r: Hex = `0x${signature.slice(2, 66)}`;
  const s: Hex = `0x${signature.slice(66, 130)}`;
  const raw = serializeTransaction(transaction, { r, s, v: BigInt(`0x${signature.slice(130)}`) });
  return { raw, txHash: keccak256(raw) };
}

function parseUnsigned(unsigned: Hex, chainId: number): TransactionSerializable {
  const transaction: TransactionSerializable = parseTransaction(unsigned);
  if ('r' in transaction || serializeTransaction(transaction) !== unsigned)
    throw new Error('this is no unsigned EVM transaction in its only form');
  if (transaction.chainId !== chainId) throw new Error('the transaction is for another chain');
  return transaction;
}

function assertSignedBy(publicKey: string, digest: Uint8Array, signature: Uint8Array): void {
  const recoveryId = (signature[64] ?? 0) - 27;
  const parsed = secp256k1.Signature.fromBytes(Uint8Array.of(recoveryId, ...signature.subarray(0, 64)), 'recovered');
  if (parsed.hasHighS()) throw new Error('the signature has a high s');
  const expected = secp256k1.Point.fromHex(publicKey.replace(/^0x/, ''));
  if (!parsed.recoverPublicKey(digest).equals(expected)) throw new Error('the signature is of another key');
}

function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`an EVM transaction needs ${what}`);
  return value;
}
