// Reads what a Solana message does, as far as its bytes show it: an amount moves, power is given away, or it cannot be told. The message was accepted by
// payloads/solana-message.ts before. Decides nothing.
import { base58 } from '@scure/base';
import type { TransactionFacts } from './evm-calls.ts';
import type { CallFacts } from './facts.ts';

interface Instruction {
  program: string;
  /** Undefined for one that an address table names: which it is, only the chain knows. */
  accounts: readonly (string | undefined)[];
  data: Uint8Array;
}

/** What an instruction is: `neutral` moves nothing and gives nothing away. */
interface Reading {
  kind: CallFacts['kind'] | 'neutral';
  because: string;
  moves?: Omit<TransactionFacts, 'call'>;
}

export function readSolanaMessage(message: Uint8Array): TransactionFacts {
  const readings = readInstructions(message).map(readInstruction);
  const worst =
    readings.find(({ kind }) => kind === 'dangerous') ??
    readings.find(({ kind }) => kind === 'unknown') ??
    readings.find(({ kind }) => kind === 'transfer');
  if (worst === undefined) return { call: { kind: 'transfer', because: 'it moves nothing' } };
  const moving = readings.filter(({ kind }) => kind !== 'neutral');
  // Of several nothing is said: one amount or destination would hide the others.
  const moves = moving.length === 1 ? worst.moves : undefined;
  return { ...moves, call: { kind: worst.kind as CallFacts['kind'], because: worst.because } };
}

const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const STAKE = 'Stake11111111111111111111111111111111111111';
/** They set prices or leave words. */
const neutralPrograms = new Set([
  'ComputeBudget111111111111111111111111111111',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
]);

const neutral: Reading = { kind: 'neutral', because: 'it moves nothing' };
const unknown = (because: string): Reading => ({ kind: 'unknown', because });
const dangerous = (because: string): Reading => ({ kind: 'dangerous', because });

function readInstruction(instruction: Instruction): Reading {
  const { program, data } = instruction;
  if (neutralPrograms.has(program)) return neutral;
  switch (program) {
    case SYSTEM:
      return readSystem(instruction);
    case TOKEN:
    case TOKEN_2022:
      return readToken(instruction);
    case ASSOCIATED_TOKEN:
      // Create, or create unless it is there.
      return data.length === 0 || (data.length === 1 && (data[0] ?? 2) <= 1)
        ? neutral
        : unknown('it calls an unknown instruction of the associated token program');
    case UPGRADEABLE_LOADER:
      return dangerous('it changes a program or who may');
    case STAKE:
      return [1, 8, 10, 11].includes(data[0] ?? -1)
        ? dangerous('it changes who decides over a stake')
        : unknown('it calls the stake program');
    default:
      return unknown(`it calls an unknown program (${program})`);
  }
}

function readSystem({ accounts, data }: Instruction): Reading {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const number = data.length < 4 ? -1 : view.getUint32(0, true);
  switch (number) {
    case 1:
    case 10:
      return dangerous('it gives an account to a program (assign)');
    case 2:
      if (data.length !== 12) return unknown('it calls the system program with what cannot be read');
      return movement('it moves SOL', { contract: null, amountBaseUnits: view.getBigUint64(4, true) }, accounts[1]);
    case 4:
      return neutral;
    case 7:
      return dangerous('it changes who decides over a nonce account');
    default:
      return unknown(`it calls the system program (${number})`);
  }
}

function readToken({ accounts, data }: Instruction): Reading {
  switch (data[0]) {
    case 3:
      return data.length === 9 ? { kind: 'transfer', because: 'it moves a token' } : unreadToken;
    case 12: {
      if (data.length !== 10) return unreadToken;
      const amountBaseUnits = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(1, true);
      const mint = accounts[1];
      // Whose the receiving token account is, the bytes do not show.
      return mint === undefined
        ? { kind: 'transfer', because: 'it moves a token' }
        : movement('it moves a token', { contract: mint, amountBaseUnits }, undefined);
    }
    case 4:
    case 13:
      return dangerous('it lets another move a token (approve)');
    case 6:
      return dangerous('it gives authority over a token away (setAuthority)');
    default:
      return unknown(`it calls a token program (${data[0] ?? 'nothing'})`);
  }
}

const unreadToken = unknown('it calls a token program with what cannot be read');

const movement = (
  because: string,
  moved: Pick<TransactionFacts, 'contract' | 'amountBaseUnits'>,
  destination: string | undefined,
): Reading => ({
  kind: 'transfer',
  because,
  moves: { ...moved, ...(destination === undefined ? {} : { destination }) },
});

const KEY_BYTES = 32;
const VERSION_0 = 0x80;

function readInstructions(message: Uint8Array): Instruction[] {
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
