// Checks that bytes are a Solana transaction message, legacy or version 0, by the rules that the nodes apply (Solana's own `sanitize`), and says who must sign
// it. Reads no instruction.
import { ClusterError } from './cluster.ts';
import { maxSolanaMessageBytes } from './wire.ts';

const versionMark = 0x80;
const keyBytes = 32;
/** Accounts are addressed by one byte. */
const maxAccounts = 256;

/** The account keys whose signatures the message requires, the payer's first. Throws `invalid_request` unless the bytes are one whole message. */
export function requiredSigners(message: Uint8Array): Uint8Array[] {
  if (message.length > maxSolanaMessageBytes) throw misfit(`has more than ${maxSolanaMessageBytes} bytes`);
  const reader = new Reader(message);
  const [first = 0] = message;
  if (first > versionMark) throw misfit('has an unknown version');
  const isVersioned = first === versionMark;
  if (isVersioned) reader.byte();
  const [signers, readonlySigners, readonlyOthers] = [reader.byte(), reader.byte(), reader.byte()];
  const keys = Array.from({ length: reader.length() }, () => reader.take(keyBytes));
  // The payer is a signer that can be written to.
  if (signers + readonlyOthers > keys.length || readonlySigners >= signers)
    throw misfit('has a header that does not fit its account keys');
  reader.take(32); // The recent blockhash.
  const maxNamed = readInstructions(reader, keys.length);
  const accounts = keys.length + (isVersioned ? readLookups(reader) : 0);
  if (accounts > maxAccounts) throw misfit('has too many accounts');
  if (maxNamed >= accounts) throw misfit('has an instruction that names no account');
  reader.end();
  return keys.slice(0, signers);
}

/** Returns the highest account index that an instruction names, -1 for none. */
function readInstructions(reader: Reader, keyCount: number): number {
  let maxNamed = -1;
  for (let left = reader.length(); left > 0; left -= 1) {
    // A program is among the message's own keys and is not the payer.
    const program = reader.byte();
    if (program === 0 || program >= keyCount) throw misfit('has an instruction that names no program');
    maxNamed = Math.max(maxNamed, ...reader.take(reader.length()));
    reader.take(reader.length()); // The program's own data.
  }
  return maxNamed;
}

/** Returns how many accounts the address tables add. */
function readLookups(reader: Reader): number {
  let accounts = 0;
  for (let left = reader.length(); left > 0; left -= 1) {
    reader.take(keyBytes); // The table's key.
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

  take(sizeBytes: number): Uint8Array {
    const end = this.#offset + sizeBytes;
    if (end > this.#bytes.length) throw misfit('ends too early');
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  /** compact-u16: seven bits a byte, the lowest first, in as few bytes as possible. */
  length(): number {
    let value = 0;
    for (let position = 0; position < 3; position += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * position);
      if (byte < 0x80) {
        if ((byte === 0 && position > 0) || value > 0xffff) break;
        return value;
      }
    }
    throw misfit('has a length that is not a compact-u16');
  }

  end(): void {
    if (this.#offset !== this.#bytes.length) throw misfit('has bytes left over');
  }
}

function misfit(what: string): ClusterError {
  return new ClusterError('invalid_request', `the Solana message ${what}`);
}
