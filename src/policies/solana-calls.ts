// Reads what a Solana message does, as far as its bytes show it: amounts move, power is given away, or it cannot be
// told. The message was accepted by domain/payloads/solana-message.ts before. Decides nothing. The nodes read the same
// (mpc/src/chains/solana.rs).
import { type Instruction, readInstructions } from '../../domain/payloads/solana-instructions.ts';
import type { TransactionFacts } from './evm-calls.ts';
import type { CallFacts, Movement } from './facts.ts';

/** What an instruction is: `neutral` moves nothing and gives nothing away. */
interface Reading {
  kind: CallFacts['kind'] | 'neutral';
  because: string;
  moves?: Movement;
}

const anything: Movement = { asset: undefined, amountBaseUnits: undefined, destination: undefined };

export function readSolanaMessage(message: Uint8Array): TransactionFacts {
  const readings = readInstructions(message).map(readInstruction);
  const worst =
    readings.find(({ kind }) => kind === 'dangerous') ??
    readings.find(({ kind }) => kind === 'unknown') ??
    readings.find(({ kind }) => kind === 'transfer');
  if (worst === undefined)
    return { movements: [], unknown: [], call: { kind: 'transfer', because: 'it moves nothing' } };
  const beyond = readings.filter(({ kind }) => isBeyond(kind));
  return {
    movements: readings.flatMap(({ kind, moves }) => moves ?? (isBeyond(kind) ? [anything] : [])),
    unknown: [...new Set(beyond.map(({ because }) => because))],
    call: { kind: worst.kind as CallFacts['kind'], because: worst.because },
  };
}

/** Each instruction in its place: the program that it calls, and one plain clause of what is read of it. */
export const readSolanaSteps = (message: Uint8Array): { program: string; because: string }[] =>
  readInstructions(message).map((instruction) => ({
    program: instruction.program,
    because: readInstruction(instruction).because,
  }));

const isBeyond = (kind: Reading['kind']) => kind === 'dangerous' || kind === 'unknown';

const SYSTEM = '11111111111111111111111111111111';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const STAKE = 'Stake11111111111111111111111111111111111111';
const LOADER_4 = 'LoaderV411111111111111111111111111111111111';
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
/** They leave words. */
const neutralPrograms = new Set([
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
    case COMPUTE_BUDGET:
      return setsPrice(data) ? neutral : unknown('it calls the compute budget program with what cannot be read');
    case UPGRADEABLE_LOADER:
    case LOADER_4:
      return dangerous('it changes a program or who may');
    case STAKE:
      return [1, 8, 10, 11].includes(data[0] ?? -1)
        ? dangerous('it changes who decides over a stake')
        : unknown('it calls the stake program');
    default:
      return unknown(`it calls an unknown program (${program})`);
  }
}

/** Heap, units, loaded data and price. */
const setsPrice = ({ length, 0: kind = 0 }: Uint8Array) =>
  ([1, 2, 4].includes(kind) && length === 5) || (kind === 3 && length === 9);

function readSystem({ accounts, data }: Instruction): Reading {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const number = data.length < 4 ? -1 : view.getUint32(0, true);
  switch (number) {
    case 1:
    case 10:
      return dangerous('it gives an account to a program (assign)');
    case 2:
      if (data.length !== 12) return unknown('it calls the system program with what cannot be read');
      if (accounts[1] === undefined) return unknown('it moves SOL to whom only an address table says');
      return transfer('it moves SOL', {
        asset: { contract: null },
        amountBaseUnits: view.getBigUint64(4, true),
        destination: accounts[1],
      });
    case 4:
      return data.length === 4 ? neutral : unknown('it calls the system program with what cannot be read');
    case 7:
      return dangerous('it changes who decides over a nonce account');
    default:
      return unknown(`it calls the system program (${number})`);
  }
}

function readToken({ accounts, data }: Instruction): Reading {
  switch (data[0]) {
    case 3:
      // The older form does not name the token.
      return data.length === 9 ? readTokenTransfer(data, undefined, accounts[1]) : unreadToken;
    case 12: {
      const mint = accounts[1];
      if (mint === undefined) return unknown('it moves a token that only an address table names');
      return data.length === 10 ? readTokenTransfer(data, mint, accounts[2]) : unreadToken;
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

function readTokenTransfer(data: Uint8Array, mint: string | undefined, account: string | undefined): Reading {
  if (account === undefined) return unknown('it moves a token to where only an address table says');
  const amountBaseUnits = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(1, true);
  return transfer('it moves a token', {
    asset: mint === undefined ? undefined : { contract: mint },
    amountBaseUnits,
    destination: undefined,
    tokenAccount: account,
  });
}

const transfer = (because: string, moves: Movement): Reading => ({ kind: 'transfer', because, moves });
