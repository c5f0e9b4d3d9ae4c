// From the row of a signing operation to what is shown of what it has signed: the content itself and its decoded form,
// made here alone, and only of what the seal of the row vouches for while it can still be approved or signed.
import { createHash } from 'node:crypto';
import { type Hex, keccak256 } from 'viem';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { isOffchain, readOffchain } from '../../domain/payloads/solana-offchain.ts';
import { isText } from '../../domain/payloads/solana-text.ts';
import type { SigningPayload } from '../../domain/signing/signing-payload.ts';
import { isFinal, signingArrows } from '../../domain/statuses.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { payloadOf } from '../../drizzle/signing-requests/signing-payloads.ts';
import { type SigningRequestRow, sealedSigningRequests } from '../../drizzle/signing-requests/signing-requests.ts';
import { decodePayload, type ValidOn } from '../decoding/decode.ts';
import type { DecodedContent } from '../decoding/decoded.schema.ts';
import type { SignedPayload } from './payload.schema.ts';
import { validAmong } from './valid-networks.ts';

export interface PayloadSources {
  /** Every network of the catalogue, as this deployment has it. */
  networks: readonly NetworkRow[];
  seals: Seals;
}

/** Undefined for a row that was changed since it was accepted. */
export function payloadOfRow(
  { networks, seals }: PayloadSources,
  row: SigningRequestRow,
  bytesMax?: number,
): SignedPayload | undefined {
  if (!isFinal(signingArrows, row.status) && !sealedSigningRequests.counts(seals, row)) return undefined;
  const named = networks.find(({ internalCode }) => internalCode === row.networkInternalCode);
  const valid = named === undefined ? [] : validAmong(networks, named, payloadOf(row));
  const [, ...others] = valid.map(({ internalCode }) => internalCode);
  return showPayload(row, [row.networkInternalCode, ...others], bytesMax);
}

export type PayloadColumns = Pick<
  SigningRequestRow,
  'payloadKind' | 'signingHash' | 'unsignedTx' | 'typedData' | 'networkInternalCode'
>;

/** `validOn`: as `validNetworks` has it. */
export function showPayload(row: PayloadColumns, validOn: ValidOn, bytesMax = Number.POSITIVE_INFINITY): SignedPayload {
  const payload = payloadOf(row);
  const content = contentOf(row, payload);
  const decoded = withWarning(decodePayload(payload, validOn), content);
  const shown = { kind: payload.kind, ...content, ...match(row), decoded };
  if (sizeOf(row) <= bytesMax) return shown;
  const { arguments: _arguments, ...rest } = decoded;
  return { kind: payload.kind, ...match(row), shortened: true, decoded: rest };
}

/** Characters that are not seen, or that turn the text around them. */
const HIDDEN = /[\u00ad\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

const withWarning = (decoded: DecodedContent, { text = '' }: Content): DecodedContent =>
  HIDDEN.test(text)
    ? { ...decoded, summary: 'its text has characters that are not seen or that turn others around: read its bytes' }
    : decoded;

/** Of a document, as JSON; of all else, the bytes that are hashed. */
const sizeOf = ({ typedData, unsignedTx }: PayloadColumns) =>
  typedData === null ? (unsignedTx.length - 2) / 2 : JSON.stringify(typedData).length;

type Content = Pick<
  SignedPayload,
  'message' | 'text' | 'application_domain' | 'signers' | 'typed_data' | 'transaction' | 'unsigned_tx'
>;

function contentOf({ unsignedTx, signingHash }: PayloadColumns, payload: SigningPayload): Content {
  switch (payload.kind) {
    case 'evm_typed_data':
      return { typed_data: payload.typedData as NonNullable<SignedPayload['typed_data']> };
    case 'evm_message':
      return { message: payload.hex, ...textOf(bytesOf(payload.hex)) };
    case 'solana_message':
      return { message: payload.hex, ...saidOnSolana(bytesOf(payload.hex)) };
    case 'evm_transaction':
    case 'solana_transaction':
    case 'bitcoin_input':
      return { transaction: payload.hex };
    case 'raw_digest':
      return unsignedTx === signingHash ? {} : { unsigned_tx: unsignedTx };
  }
}

function saidOnSolana(bytes: Buffer): Content {
  if (!isOffchain(bytes)) return textOf(bytes);
  const { applicationDomain, signers, body } = readOffchain(bytes);
  return { ...textOf(Buffer.from(body)), application_domain: applicationDomain, signers: [...signers] };
}

const textOf = (bytes: Buffer): Content => (isText(bytes) ? { text: bytes.toString('utf8') } : {});

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** How the networks of a family hash a transaction. */
const hashes = {
  evm: (bytes: Uint8Array) => Buffer.from(keccak256(bytes, 'bytes')),
  tron: sha256,
  sol: sha256,
  btc: (bytes: Uint8Array) => sha256(sha256(bytes)),
};

function match({ payloadKind, networkInternalCode, signingHash, unsignedTx }: PayloadColumns) {
  const isShown = payloadKind === 'evm_transaction' || (payloadKind === 'raw_digest' && unsignedTx !== signingHash);
  const family = networkSeed.find(({ internalCode }) => internalCode === networkInternalCode)?.addressType;
  if (!isShown || family === undefined) return {};
  return { matches_digest: hashes[family](bytesOf(unsignedTx)).equals(bytesOf(signingHash)) };
}

const bytesOf = (hex: string) => Buffer.from((hex as Hex).slice(2), 'hex');
