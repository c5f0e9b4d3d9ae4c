// The sandbox's Ethereum: anvil, with its state in a file that outlives it. Its dev accounts are public knowledge, so
// whatever it holds is worth nothing. It begins with the sandbox's dollar. Blocks come on demand (mine-on-demand.ts),
// or when somebody else asks the node for them.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { writeAtomically } from '../atomic-file.ts';
import { type Ask, askNode, canAnswer } from '../json-rpc.ts';
import { mineOnDemand } from '../mine-on-demand.ts';
import { MissingProgram } from '../processes/missing-program.ts';
import { startPart } from '../processes/part.ts';
import { findFreePort } from '../processes/ports.ts';
import { findOnPath } from '../processes/programs.ts';
import { type Placement, supervise } from '../processes/supervise.ts';
import { ensureDollar } from './dollar.ts';

const NAME = 'Ethereum chain';
const PORT = 8545;
const CHAIN_ID = 31_337;
const BLOCK_EVERY_MS = 1_000;
const CONFIRMING_BLOCKS = 32;
/** Blocks back to which balances can still be asked and a reorganisation can reach. */
const KEPT_STATES = 64;
const ACCOUNT_ETHER = 1_000_000;
/** It is saved once a second, when a block brought transactions. */
const LOST =
  'What it had not saved is gone: transactions that waited for a block, and up to a second of blocks, as in a reorganisation';

export async function startEvmChain(options: Placement): Promise<string> {
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stateFile = join(directory, 'state.json');
  const anvil = findAnvil();
  const port = options.port ?? (await findFreePort(PORT));
  const address = `http://127.0.0.1:${port}`;
  const ask = askNode(address);
  const blocks = new MinedBlocks(ask);
  await supervise({
    name: NAME,
    lost: LOST,
    supervision: options.supervision,
    start: async () => {
      const part = await startPart({
        command: anvil,
        args: [
          '--host',
          '127.0.0.1',
          '--port',
          String(port),
          '--no-cors',
          '--quiet',
          '--chain-id',
          String(CHAIN_ID),
          '--no-mining',
          '--slots-in-an-epoch',
          '1',
          '--state',
          stateFile,
          '--prune-history',
          String(KEPT_STATES),
          '--balance',
          String(ACCOUNT_ETHER),
        ],
        environment: { PATH: process.env['PATH'], HOME: directory },
        logFile: options.logFile,
      });
      options.onStart(NAME, part);
      return part;
    },
    isReady: () => canAnswer(ask, 'eth_chainId'),
    prepare: async () => {
      blocks.reset();
      if (await ensureDollar(ask)) await saveState(ask, stateFile);
    },
  });
  void mineOnDemand({
    signal: options.supervision.signal,
    everyMs: BLOCK_EVERY_MS,
    confirmingBlocks: CONFIRMING_BLOCKS,
    countWaiting: async () => Number(((await ask('txpool_status')) as { pending: string }).pending),
    mineBlock: () => ask('evm_mine'),
    save: () => blocks.whenTheyBringTransactions(() => saveState(ask, stateFile)),
  });
  return address;
}

/** Not only ours: whoever speaks to the node may mine. */
class MinedBlocks {
  readonly #ask: Ask;
  #seen: number | undefined;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Acts when a block since the last look has a transaction; if that fails, the next look is at the same blocks. */
  async whenTheyBringTransactions(act: () => Promise<void>): Promise<void> {
    const height = Number(await this.#ask('eth_blockNumber'));
    const first = Math.max((this.#seen ?? -1) + 1, height - KEPT_STATES);
    if (await this.#haveTransactions(first, height)) await act();
    this.#seen = height;
  }

  /** A node that was started again may be behind what was seen, and come to the same heights with other blocks. */
  reset(): void {
    this.#seen = undefined;
  }

  async #haveTransactions(first: number, last: number): Promise<boolean> {
    for (let number = first; number <= last; number += 1)
      if (Number(await this.#ask('eth_getBlockTransactionCountByNumber', `0x${number.toString(16)}`)) > 0) return true;
    return false;
  }
}

/** anvil writes its state only when it ends, which a killed one does not. */
async function saveState(ask: Ask, file: string): Promise<void> {
  const dump = (await ask('anvil_dumpState')) as string;
  const state = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'));
  writeAtomically(file, state.toString('utf8'), 0o600);
}

function findAnvil(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/package.json');
    if (process.platform === 'linux' && process.arch === 'x64') return join(dirname(manifest), 'bin', 'anvil');
  } catch {
    // No such package here: the PATH decides.
  }
  const found = findOnPath('anvil');
  if (found !== undefined) return found;
  throw new MissingProgram(
    'the program `anvil` is missing: install Foundry (https://getfoundry.sh), or name a node in RPC_URLS',
  );
}
