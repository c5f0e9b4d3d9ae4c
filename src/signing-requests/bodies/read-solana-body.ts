// Reads what Solana's SDK callers want signed: a whole transaction, of which the message is signed, or text.
import { createHash } from 'node:crypto';
import { assertSolanaMessage, isOffchain } from '../../../domain/payloads/solana-offchain.ts';
import { isText } from '../../../domain/payloads/solana-text.ts';
import { messageOfTransaction } from '../../../domain/payloads/solana-transaction.ts';
import type { SigningContent } from '../../../domain/signing/signing-content.ts';
import type { NetworkRow } from '../../../drizzle/networks/networks.ts';
import { assertSolanaChainId, chooseSolanaNetwork } from '../../catalog/choose-solana-network.ts';
import type { NetworkCatalog } from '../../catalog/networks.ts';
import { requireFamilyAddress } from '../../catalog/require-address.ts';
import { ApiError } from '../../http/errors.ts';
import { type Hex, orInvalidRequest } from '../../http/payload-fields.ts';
import type { SigningIntent } from '../signing-intent.ts';
import { validNetworks } from '../valid-networks.ts';
import type { SolanaMessageBody, SolanaSignBody } from './solana-bodies.schema.ts';

export async function readSolanaSign(networks: NetworkCatalog, body: SolanaSignBody): Promise<SigningIntent> {
  assertSolanaChainId('chainId', body.chainId);
  const message = readSolanaTransaction('data', body.data);
  const intent = await intentOf(networks, body, { kind: 'solana_transaction', hex: hexOf(message) }, message);
  return body.from == null ? intent : { ...intent, sender: readSolanaSender(body.from) };
}

export async function readSolanaMessage(networks: NetworkCatalog, body: SolanaMessageBody): Promise<SigningIntent> {
  assertSolanaChainId('chain_id', body.chain_id);
  const message = readText(body);
  orInvalidRequest(() => assertSolanaMessage(message));
  return intentOf(networks, body, { kind: 'solana_message', hex: hexOf(message) }, message);
}

/** The message of a transaction in base64. */
export function readSolanaTransaction(name: string, text: string): Uint8Array {
  const bytes = fromBase64(text);
  if (bytes === undefined) throw new ApiError('invalid_request', `${name} must be a serialized transaction in base64.`);
  return orInvalidRequest(() => messageOfTransaction(bytes));
}

export const readSolanaSender = (text: string): string => requireFamilyAddress('sol', 'body.from', text);

/**
 * Callers send text as it is and bytes in base64, and say nowhere which. What is base64 of text, or of an off-chain
 * envelope, is taken for that; what is padded as only base64 is, and of other bytes, is refused rather than signed as
 * letters.
 */
function readText({ message, encoding }: SolanaMessageBody): Uint8Array {
  const decoded = encoding === 'utf8' ? undefined : fromBase64(message);
  if (decoded !== undefined && (encoding === 'base64' || isText(decoded) || isOffchain(decoded))) return decoded;
  if (encoding === 'base64')
    throw new ApiError('invalid_request', 'message is no base64, as encoding says that it is.');
  if (decoded !== undefined && message.endsWith('='))
    throw new ApiError(
      'invalid_request',
      'message is base64 of bytes that are not text: only text is signed, since other bytes could be a transaction.',
    );
  return Buffer.from(message, 'utf8');
}

/** Undefined unless it is the one way in which bytes are written in base64. */
function fromBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : undefined;
}

/** Solana signs the bytes themselves; the digest shown is their SHA-256. */
export async function intentOf(
  networks: NetworkCatalog,
  { network_internal_code: code }: { network_internal_code?: string },
  payload: SigningContent['payload'],
  bytes: Uint8Array,
): Promise<SigningIntent> {
  const network: NetworkRow = await chooseSolanaNetwork(networks, code, 'any');
  const signingHash: Hex = `0x${createHash('sha256').update(bytes).digest('hex')}`;
  const content = { payload, signingHash, unsignedTx: hexOf(bytes) };
  return { network, validOn: await validNetworks(networks, network, payload), content, path: undefined };
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
