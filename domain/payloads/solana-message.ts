// Reads bytes as a Solana transaction message, legacy or version 0, by the rules that the nodes apply (Solana's own
// `sanitize`). Whether the right key is among its signers is for the nodes to check: they know the derived key.
import { SOLANA_MESSAGE_BYTES_MAX } from './limits.ts';
import { PayloadError } from './payload-error.ts';

const KEY_BYTES = 32;
const ACCOUNTS_MAX = 256;
const VERSION_0 = 0x80;

/**
 * The account keys whose signatures the message requires, the payer's first. Throws `PayloadError` unless the bytes are
 * one whole message.
 */
export function requiredSigners(message: Uint8Array): Uint8Array[] {
  if (message.length > SOLANA_MESSAGE_BYTES_MAX)
    throw new PayloadError(
      `unsigned_tx has ${message.length} bytes, and at most ${SOLANA_MESSAGE_BYTES_MAX} can be signed.`,
    );
  const reader = new Reader(message);
  const first = reader.byte();
  const hasLookups = first === VERSION_0;
  if (first > VERSION_0) throw misfit('has an unknown version');
  const signers = hasLookups ? reader.byte() : first;
  const [readonlySigners, readonlyOthers] = [reader.byte(), reader.byte()];
  const keys = Array.from({ length: reader.length() }, () => reader.take(KEY_BYTES));
  // The payer is a signer that can be written to.
  if (signers + readonlyOthers > keys.length || readonlySigners >= signers)
    throw misfit('has a header that does not fit its account keys');
  reader.take(KEY_BYTES); // The recent blockhash.
  const named = readInstructions(reader, keys.length);
  const accounts = keys.length + (hasLookups ? readLookups(reader) : 0);
  if (accounts > ACCOUNTS_MAX) throw misfit('has too many accounts');
  if (named > accounts) throw misfit('has an instruction that names no account');
  if (!reader.isAtEnd) throw misfit('has bytes left over');
  return keys.slice(0, signers);
}

/** How many accounts there must be for every index to name one. */
function readInstructions(reader: Reader, keys: number): number {
  let accounts = 0;
  for (let left = reader.length(); left > 0; left -= 1) {
    const program = reader.byte();
    // A program is among the message's own keys and is not the payer.
    if (program === 0 || program >= keys) throw misfit('has an instruction that names no program');
    for (const index of reader.take(reader.length())) accounts = Math.max(accounts, index + 1);
    reader.take(reader.length()); // The program's own data.
  }
  return accounts;
}

/** How many accounts the address tables add. */
function readLookups(reader: Reader): number {
  let accounts = 0;
  for (let left = reader.length(); left > 0; left -= 1) {
    reader.take(KEY_BYTES); // The table's key.
    const added = reader.take(reader.length()).length + reader.take(reader.length()).length;
    if (added === 0) throw misfit('has an address table lookup that adds no account');
    accounts += added;
  }
  return accounts;
}

class Reader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  take(sizeBytes: number): Uint8Array {
    const taken = this.#bytes.subarray(this.#offset, this.#offset + sizeBytes);
    if (taken.length < sizeBytes) throw misfit('ends too early');
    this.#offset += sizeBytes;
    return taken;
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  /** compact-u16: seven bits a byte, the lowest first, in as few bytes as possible. */
  length(): number {
    let value = 0;
    for (const shift of [0, 7, 14]) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80 && (byte > 0 || shift === 0) && value <= 0xffff) return value;
      if (byte < 0x80) break;
    }
    throw misfit('has a length that is no compact-u16');
  }
}

const misfit = (what: string) => new PayloadError(`unsigned_tx is no Solana message: it ${what}.`);
