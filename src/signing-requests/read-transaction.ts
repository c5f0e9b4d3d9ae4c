// Reads an unsigned transaction that is to be signed as what it is: on an EVM network in its serialized form, on Solana as its message.
import { createHash } from 'node:crypto';
import { keccak256, parseTransaction, serializeTransaction, type TransactionSerializable } from 'viem';
import type { NetworkRow } from '../../drizzle/networks.ts';
import { requiredSigners } from '../../payloads/solana-message.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { ApiError } from '../http/errors.ts';
import { chooseNetwork, type NetworkChoice } from './choose-network.ts';
import { readPath } from './derivation-path.ts';
import {
  assertFits,
  type Hex,
  orInvalidRequest,
  readHex,
  type SigningContent,
  type SigningIntent,
  sizeOf,
} from './signing-content.ts';

interface TransactionBody extends NetworkChoice {
  unsigned_tx: string;
  derivation_path?: string;
}

export async function readTransaction(networks: NetworkCatalog, body: TransactionBody): Promise<SigningIntent> {
  const network = await chooseNetwork(networks, body);
  const unsignedTx = readHex('unsigned_tx', body.unsigned_tx);
  return { network, content: readContent(network, unsignedTx), path: readPath(body) };
}

function readContent(network: NetworkRow, unsignedTx: Hex): SigningContent {
  if (network.isEvm) return readEvmTransaction(network, unsignedTx);
  if (network.addressType === 'sol') return readSolanaMessage(unsignedTx);
  throw new ApiError(
    'invalid_request',
    `Transactions are signed on EVM and Solana networks, and ${network.internalCode} is neither: use signRaw.`,
  );
}

function readEvmTransaction(network: NetworkRow, unsignedTx: Hex): SigningContent {
  assertFits('unsigned_tx', sizeOf(unsignedTx));
  const transaction = parseUnsigned(unsignedTx);
  if (transaction.chainId !== network.chainId)
    throw new ApiError(
      'invalid_request',
      `unsigned_tx is for ${transaction.chainId === undefined ? 'no chain in particular' : `chain ${transaction.chainId}`}, and ${network.internalCode} is chain ${network.chainId}.`,
    );
  return { payload: { kind: 'evm_transaction', hex: unsignedTx }, signingHash: keccak256(unsignedTx), unsignedTx };
}

function parseUnsigned(unsignedTx: Hex): TransactionSerializable {
  const transaction = parse(unsignedTx);
  if (transaction === undefined)
    throw new ApiError('invalid_request', 'unsigned_tx is not a serialized EVM transaction of a known type.');
  if ('r' in transaction) throw new ApiError('invalid_request', 'unsigned_tx is signed already: send it unsigned.');
  return transaction;
}

/** Undefined also for bytes that are not how this transaction is written: what is signed must be what a network would read. */
function parse(unsignedTx: Hex): TransactionSerializable | undefined {
  try {
    const transaction = parseTransaction(unsignedTx);
    return 'r' in transaction || serializeTransaction(transaction) === unsignedTx ? transaction : undefined;
  } catch {
    return undefined;
  }
}

/** Solana signs the message itself; the digest shown is its SHA-256. */
function readSolanaMessage(unsignedTx: Hex): SigningContent {
  const message = Buffer.from(unsignedTx.slice(2), 'hex');
  orInvalidRequest(() => requiredSigners(message));
  const signingHash: Hex = `0x${createHash('sha256').update(message).digest('hex')}`;
  return { payload: { kind: 'solana_transaction', hex: unsignedTx }, signingHash, unsignedTx };
}
