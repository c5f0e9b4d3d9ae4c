// Reads an unsigned transaction that is to be signed as what it is: on an EVM network in its serialized form, on Solana
// as its message or whole.
import { createHash } from 'node:crypto';
import { keccak256, parseTransaction } from 'viem';
import { readEvmBytes } from '../../../domain/payloads/evm-transaction.ts';
import { messageToSign } from '../../../domain/payloads/solana-transaction.ts';
import { type SigningContent } from '../../../domain/signing/signing-content.ts';
import type { NetworkRow } from '../../../drizzle/networks/networks.ts';
import { chooseNetwork, type NetworkChoice } from '../../catalog/choose-network.ts';
import type { NetworkCatalog } from '../../catalog/networks.ts';
import { ApiError } from '../../http/errors.ts';
import { assertFits, type Hex, orInvalidRequest, readHex, sizeOf } from '../../http/payload-fields.ts';
import { readPath } from '../derivation-path.ts';
import { type SigningIntent } from '../signing-intent.ts';
import { assertOwnChain, validNetworks } from '../valid-networks.ts';

interface TransactionBody extends NetworkChoice {
  unsigned_tx: string;
  derivation_path?: string;
}

export async function readTransaction(networks: NetworkCatalog, body: TransactionBody): Promise<SigningIntent> {
  const network = await chooseNetwork(networks, body);
  const unsignedTx = readHex('unsigned_tx', body.unsigned_tx);
  const content = readContent(network, unsignedTx);
  return { network, validOn: await validNetworks(networks, network, content.payload), content, path: readPath(body) };
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
  assertReadable(unsignedTx);
  assertOwnChain(network, unsignedTx);
  return { payload: { kind: 'evm_transaction', hex: unsignedTx }, signingHash: keccak256(unsignedTx), unsignedTx };
}

function assertReadable(unsignedTx: Hex): void {
  if (readEvmBytes(unsignedTx) !== undefined) return;
  if (isSigned(unsignedTx)) throw new ApiError('invalid_request', 'unsigned_tx is signed already: send it unsigned.');
  throw new ApiError('invalid_request', 'unsigned_tx is not a serialized EVM transaction of a known type.');
}

function isSigned(transaction: Hex): boolean {
  try {
    return 'r' in parseTransaction(transaction);
  } catch {
    return false;
  }
}

/** Solana signs the message itself, also of a whole transaction; the digest shown is its SHA-256. */
function readSolanaMessage(unsignedTx: Hex): SigningContent {
  const message = orInvalidRequest(() => messageToSign(Buffer.from(unsignedTx.slice(2), 'hex')));
  const signingHash: Hex = `0x${createHash('sha256').update(message).digest('hex')}`;
  const hex: Hex = `0x${Buffer.from(message).toString('hex')}`;
  return { payload: { kind: 'solana_transaction', hex }, signingHash, unsignedTx: hex };
}
