// The sandbox's Bitcoin: btcd on a regression test network without peers. Blocks come on demand (mine-on-demand.ts) and
// pay the sandbox's treasury, whose key everybody knows. A restart keeps the blocks, not the transactions that waited:
// their senders send them again.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { treasuries } from '../../../domain/catalog/sandbox.ts';
import { writeAtomically } from '../atomic-file.ts';
import { type Ask, askNode, canAnswer } from '../json-rpc.ts';
import { mineOnDemand } from '../mine-on-demand.ts';
import { startPart } from '../processes/part.ts';
import { findFreePort } from '../processes/ports.ts';
import { type Placement, supervise } from '../processes/supervise.ts';
import { readOrMakeSecret } from '../secret-file.ts';
import { BitcoinBlocks } from './bitcoin-blocks.ts';

const NAME = 'Bitcoin chain';
const PORT = 18_334;
const USER = 'countersign';
const BLOCK_EVERY_MS = 1_000;
const CONFIRMING_BLOCKS = 5;
/** What a block pays can be spent when it has a hundred confirmations. */
const MATURE_AFTER_BLOCKS = 100;
/** So many payments can wait for one block: each spends a coin of its own. */
const TREASURY_COINS = 50;
/** Asked for at once: all of them can take longer than an answer may, on a machine that has much else to do. */
const MINED_AT_ONCE = 25;
const LOST =
  'What it had not saved is gone: transactions that waited for a block, and up to a second of blocks, as in a reorganisation';
const TREASURY = treasuries.BTC_SANDBOX.address;

export async function startBitcoinChain(options: Placement, btcd: string): Promise<string> {
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const password = readOrMakeSecret(join(directory, 'password'), 'hex');
  const configuration = join(directory, 'btcd.conf');
  writeAtomically(configuration, `[Application Options]\nrpcuser=${USER}\nrpcpass=${password}\n`, 0o600);
  const port = options.port ?? (await findFreePort(PORT));
  const address = `http://${USER}:${password}@127.0.0.1:${port}`;
  const ask = askNode(address);
  const blocks = new BitcoinBlocks(join(directory, 'blocks.txt'), ask);
  let isWhole = false; // on a chain that lacks blocks, mining would begin another branch
  await supervise({
    name: NAME,
    lost: LOST,
    supervision: options.supervision,
    start: async () => {
      isWhole = false;
      const part = await startPart({
        command: btcd,
        args: [
          '--regtest',
          '--nolisten',
          '--nodnsseed',
          '--txindex',
          '--addrindex',
          '--nocfilters',
          '--configfile',
          configuration,
          '--notls',
          '--rpclisten',
          `127.0.0.1:${port}`,
          '--datadir',
          join(directory, 'data'),
          '--logdir',
          join(directory, 'logs'),
          '--miningaddr',
          TREASURY,
        ],
        environment: { PATH: process.env['PATH'], HOME: directory },
        logFile: options.logFile,
      });
      options.onStart(NAME, part);
      return part;
    },
    isReady: () => canAnswer(ask, 'getblockcount'),
    prepare: async () => {
      await blocks.restore();
      await mineFirstBlocks(ask);
      await blocks.keepNew();
      isWhole = true;
    },
  });
  void mineOnDemand({
    signal: options.supervision.signal,
    everyMs: BLOCK_EVERY_MS,
    confirmingBlocks: CONFIRMING_BLOCKS,
    countWaiting: async () => {
      if (!isWhole) throw new Error('The node is being started again.');
      return ((await ask('getmempoolinfo')) as { size: number }).size;
    },
    mineBlock: () => ask('generate', 1),
    save: () => blocks.keepNew(),
  });
  return address;
}

/** On a new chain, and on one whose blocks paid somebody else. */
async function mineFirstBlocks(ask: Ask): Promise<void> {
  const height = (await ask('getblockcount')) as number;
  const oldest = height - (MATURE_AFTER_BLOCKS + TREASURY_COINS) + 2; // a coin can be spent in the next block
  if (oldest >= 1 && (await paysTreasury(ask, oldest))) return;
  for (let left = MATURE_AFTER_BLOCKS + TREASURY_COINS; left > 0; left -= MINED_AT_ONCE)
    await ask('generate', Math.min(left, MINED_AT_ONCE));
}

async function paysTreasury(ask: Ask, height: number): Promise<boolean> {
  const block = (await ask('getblock', await ask('getblockhash', height), 1)) as { tx: string[] };
  const coinbase = (await ask('getrawtransaction', block.tx[0], 1)) as Coinbase;
  return coinbase.vout.some(({ scriptPubKey }) => scriptPubKey.addresses?.includes(TREASURY));
}

type Coinbase = { vout: { scriptPubKey: { addresses?: string[] } }[] };
