// Solana's envelope of messages that are not for the chain (off-chain message signing, version 0): reads one whole, and
// writes one. No transaction begins as it does. As the nodes read it (mpc/src/chains/solana_offchain.rs).
import { base58 } from '@scure/base';
import { PayloadError } from './payload-error.ts';
import { assertSolanaText, isText } from './solana-text.ts';

export interface OffchainMessage {
  /** 32 bytes, base58: which application asks. */
  applicationDomain: string;
  /** 0: printable ASCII; 1: UTF-8; 2: UTF-8 that is too long for hardware wallets. */
  format: number;
  /** Base58. */
  signers: readonly string[];
  /** The message itself. */
  body: Uint8Array;
}

const DOMAIN = Buffer.from('\xffsolana offchain', 'latin1');
const KEY_BYTES = 32;
const VERSION_AT = 16;
const APPLICATION_AT = 17;
const FORMAT_AT = 49;
const COUNT_AT = 50;
const SIGNERS_AT = 51;
const LENGTH_BYTES = 2;
/** By format: of the whole envelope. */
const BYTES_MAX = [1232, 1232, 65_535] as const;

/** Whether the bytes are meant to be one: they begin as no text and no transaction does. */
export const isOffchain = (bytes: Uint8Array) => DOMAIN.equals(bytes.subarray(0, DOMAIN.length));

/** Throws `PayloadError` unless the bytes are one whole envelope whose message is what its header says. */
export function readOffchain(bytes: Uint8Array): OffchainMessage {
  if (!isOffchain(bytes)) throw misfit('does not begin as one');
  if (bytes[VERSION_AT] !== 0) throw misfit('is of another version than 0');
  const format = bytes[FORMAT_AT];
  const most = BYTES_MAX[format ?? -1];
  if (format === undefined || most === undefined) throw misfit('has an unknown format');
  if (bytes.length > most) throw misfit(`has more than the ${most} bytes of its format`);
  const count = bytes[COUNT_AT] ?? 0;
  const bodyAt = SIGNERS_AT + count * KEY_BYTES + LENGTH_BYTES;
  const body = bytes.subarray(bodyAt);
  if (count === 0 || body.length === 0) throw misfit('has no signer or no message');
  if (Buffer.from(bytes).readUInt16LE(bodyAt - LENGTH_BYTES) !== body.length)
    throw misfit('says another length than its message has');
  if (!isText(body) || (format === 0 && body.some((byte) => byte < 0x20 || byte > 0x7e)))
    throw misfit('has a message that is not text of its format');
  const keyAt = (start: number) => base58.encode(bytes.subarray(start, start + KEY_BYTES));
  return {
    applicationDomain: keyAt(APPLICATION_AT),
    format,
    signers: Array.from({ length: count }, (_, index) => keyAt(SIGNERS_AT + index * KEY_BYTES)),
    body,
  };
}

/** What is signed as a message on Solana: an envelope, or text as it is. Throws `PayloadError`. */
export function assertSolanaMessage(bytes: Uint8Array): void {
  if (isOffchain(bytes)) readOffchain(bytes);
  else assertSolanaText(bytes);
}

/** The envelope of a message of one signer, in the first format that takes it. Throws `PayloadError` if none does. */
export function writeOffchain({
  signer,
  applicationDomain,
  body,
}: {
  signer: string;
  applicationDomain: string;
  body: Uint8Array;
}): Uint8Array {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16LE(body.length & 0xffff);
  const header = (format: number) => [
    DOMAIN,
    [0],
    base58.decode(applicationDomain),
    [format, 1],
    base58.decode(signer),
    length,
  ];
  const isPlain = body.every((byte) => byte >= 0x20 && byte <= 0x7e);
  const size = SIGNERS_AT + KEY_BYTES + LENGTH_BYTES + body.length;
  const format = size > BYTES_MAX[0] ? 2 : isPlain ? 0 : 1;
  const envelope = Buffer.concat([...header(format).map((part) => Uint8Array.from(part)), body]);
  readOffchain(envelope);
  return envelope;
}

const misfit = (what: string) => new PayloadError(`The off-chain message ${what}.`);
