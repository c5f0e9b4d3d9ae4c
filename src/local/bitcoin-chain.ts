// The sandbox's Bitcoin: btcd on a regression test network without peers. Blocks come on demand (mine-on-demand.ts) and pay the faucet,
// whose key lies beside the chain. A restart keeps the blocks, not the transactions that waited: their senders send them again.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { p2wpkh } from '@scure/btc-signer';
import { writeAtomically } from './atomic-file.ts';
import { BitcoinBlocks } from './bitcoin-blocks.ts';
import { type Ask, answers, askNode } from './json-rpc.ts';
import { mineOnDemand } from './mine-on-demand.ts';
import { startPart } from './part.ts';
import { findFreePort } from './ports.ts';
import { readOrMakeSecret } from './secret-file.ts';
import { type Placement, supervise } from './supervise.ts';

const NAME = 'Bitcoin chain';
const PORT = 18_334;
const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
const USER = 'countersign';
const BLOCK_EVERY_MS = 1_000;
const CONFIRMING_BLOCKS = 5;
/** What a block pays can be spent after a hundred more. */
const FIRST_BLOCKS = 101;

export async function startBitcoinChain(options: Placement, btcd: string): Promise<string> {
  const directory = resolve(options.directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const password = readOrMakeSecret(join(directory, 'password'), 'hex');
  const configuration = join(directory, 'btcd.conf');
  writeAtomically(configuration, `[Application Options]\nrpcuser=${USER}\nrpcpass=${password}\n`, 0o600);
  const miningAddress = addressOf(readOrMakeSecret(join(directory, 'faucet.key'), 'hex'));
  const port = options.port ?? (await findFreePort(PORT));
  const address = `http://${USER}:${password}@127.0.0.1:${port}`;
  const ask = askNode(address);
  const blocks = new BitcoinBlocks(join(directory, 'blocks.txt'), ask);
  let isWhole = false; // on a chain that lacks blocks, mining would begin another branch
  await supervise({
    name: NAME,
    reporting: options.reporting,
    start: async () => {
      isWhole = false;
      const part = await startPart({
        command: btcd,
        args: [
          ...['--regtest', '--nolisten', '--nodnsseed', '--txindex', '--addrindex', '--nocfilters'],
          ...['--configfile', configuration, '--notls', '--rpclisten', `127.0.0.1:${port}`],
          ...['--datadir', join(directory, 'data'), '--logdir', join(directory, 'logs')],
          ...['--miningaddr', miningAddress],
        ],
        environment: { PATH: process.env['PATH'], HOME: directory },
        logFile: options.logFile,
      });
      options.onStart(NAME, part);
      return part;
    },
    isReady: () => answers(ask, 'getblockcount'),
    prepare: async () => {
      await blocks.restore();
      await mineFirstBlocks(ask);
      await blocks.keepNew();
      isWhole = true;
    },
  });
  void mineOnDemand({
    signal: options.reporting.signal,
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

async function mineFirstBlocks(ask: Ask): Promise<void> {
  const missing = FIRST_BLOCKS - ((await ask('getblockcount')) as number);
  if (missing > 0) await ask('generate', missing);
}

function addressOf(privateKeyHex: string): string {
  const { address } = p2wpkh(secp256k1.getPublicKey(Buffer.from(privateKeyHex, 'hex'), true), REGTEST);
  if (address === undefined) throw new Error('A P2WPKH output has an address.');
  return address;
}
