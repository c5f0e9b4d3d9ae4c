// Writes EVM transactions: unsigned from what is to be moved, signed from a signature. Asks no node; the same input
// gives the same bytes.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  type AccessList,
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
import { canonicalEvmAddress } from '../../../domain/payloads/canonical-address.ts';
import { ImpossibleTransfer } from '../port/chain-error.ts';
import {
  type Call,
  type FeeQuote,
  isCall,
  type Reservation,
  type SignedTransaction,
  type Transfer,
  type UnsignedTransaction,
} from '../port/transactions.ts';

export interface EvmCall {
  to: Address;
  value: bigint;
  data?: Hex;
  accessList?: AccessList;
}

const UINT256_MAX = 2n ** 256n - 1n;

/**
 * What the transaction calls: what the call says; else the recipient with the amount, or the token's contract, which
 * moves it.
 */
export function callOf(what: Transfer | Call): EvmCall {
  if (isCall(what)) return readCall(what);
  const { to, asset, amount } = what;
  const recipient = possible(canonicalEvmAddress(to), 'the recipient is no address');
  assertAmount(amount);
  if (asset.contract === null) return { to: recipient, value: amount };
  const contract = possible(canonicalEvmAddress(asset.contract), 'the contract of the asset is no address');
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, amount] });
  return { to: contract, value: 0n, data };
}

function readCall({ to, value, data, accessList }: Call): EvmCall {
  assertAmount(value);
  const bytes = possible(asHex(data), 'the data of a call is whole bytes in 0x hex');
  return {
    to: possible(canonicalEvmAddress(to), 'what is called is no address'),
    value,
    ...(bytes === '0x' ? {} : { data: bytes }),
    ...(accessList === undefined ? {} : { accessList: accessList.map(readAccess) }),
  };
}

/** EIP-2930. */
function readAccess({ address, storageKeys }: NonNullable<Call['accessList']>[number]): AccessList[number] {
  const keys = storageKeys.map((key) => possible(asHex(key, 32), 'a storage key has 32 bytes'));
  return { address: possible(asHex(address, 20), 'an access list names addresses'), storageKeys: keys };
}

function asHex(text: string, bytes?: number): Hex | undefined {
  const isHex = /^0x([0-9a-fA-F]{2})*$/.test(text) && (bytes === undefined || text.length === 2 + 2 * bytes);
  return isHex ? (text as Hex) : undefined;
}

function assertAmount(amount: bigint): void {
  if (amount < 0n || amount > UINT256_MAX) throw new ImpossibleTransfer('an amount has 0 to 256 bits');
}

function possible<Value>(value: Value | undefined, reason: string): Value {
  if (value === undefined) throw new ImpossibleTransfer(reason);
  return value;
}

export function buildEvmTransaction(
  chainId: number,
  what: Transfer | Call,
  fee: FeeQuote,
  { nonce }: Reservation,
): UnsignedTransaction {
  if (nonce === undefined || !Number.isSafeInteger(nonce) || nonce < 0)
    throw new Error('an EVM transaction needs its nonce');
  const call = callOf(what);
  const { gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = fee.parameters;
  const prices =
    gasPrice === undefined
      ? {
          type: 'eip1559' as const,
          maxFeePerGas: BigInt(required(maxFeePerGas, 'a fee')),
          maxPriorityFeePerGas: BigInt(required(maxPriorityFeePerGas, 'a priority fee')),
        }
      : { type: call.accessList === undefined ? 'legacy' : 'eip2930', gasPrice: BigInt(gasPrice) };
  const gas = BigInt(required(gasLimit, 'a gas limit'));
  const unsigned = serializeTransaction({ ...call, ...prices, chainId, nonce, gas } as TransactionSerializable);
  return { unsigned, payloads: [{ kind: 'evm_transaction', hex: unsigned }] };
}

/**
 * Throws unless there is one signature, of this key, over these very bytes, low-s and with v = 27 or 28, and the bytes
 * are for this chain.
 */
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
