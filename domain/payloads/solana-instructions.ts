// Tells the instructions of a Solana message apart, once domain/payloads/solana-message.ts has accepted it. What they
// mean is read elsewhere.
import { base58 } from '@scure/base';

export interface Instruction {
  program: string;
  /** Undefined for one that an address table names: which it is, only the chain knows. */
  accounts: readonly (string | undefined)[];
  data: Uint8Array;
}

const KEY_BYTES = 32;
const VERSION_0 = 0x80;

export function readInstructions(message: Uint8Array): Instruction[] {
  let offset = message[0] === VERSION_0 ? 4 : 3;
  const take = (sizeBytes: number) => {
    const taken = message.subarray(offset, offset + sizeBytes);
    if (taken.length < sizeBytes) throw new Error('a message that was accepted ends too early');
    offset += sizeBytes;
    return taken;
  };
  const length = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = take(1)[0] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const keys = Array.from({ length: length() }, () => base58.encode(take(KEY_BYTES)));
  take(KEY_BYTES); // The recent blockhash.
  return Array.from({ length: length() }, () => {
    const program = keys[take(1)[0] ?? 0] ?? '';
    const accounts = [...take(length())].map((index) => keys[index]);
    return { program, accounts, data: take(length()) };
  });
}
