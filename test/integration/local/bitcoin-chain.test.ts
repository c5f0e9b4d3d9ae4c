// Goal: the sandbox's Bitcoin pays a treasury that can be spent from, confirms what is broadcast and keeps it. Method:
// the real btcd as `npm start` supervises it, built once into .local; a spend whose signature is made outside from the
// digest alone, as the cluster makes it.
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { p2pkh, p2wpkh, SigHash, Transaction } from '@scure/btc-signer';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { treasuries } from '../../../domain/catalog/sandbox.ts';
import { findBtcd } from '../../../src/local/bitcoin/bitcoin-binary.ts';
import { BitcoinBlocks } from '../../../src/local/bitcoin/bitcoin-blocks.ts';
import { type Ask, askNode, canAnswer } from '../../../src/local/json-rpc.ts';
import { startPart, waitUntilReady } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { identifyProcess } from '../../../src/local/processes/process-identity.ts';
import { startTestBitcoin, type TestChain } from '../../support/chains/chains.ts';

const network = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef };
const BUILD_MS = 300_000;

let directory: string;
let chain: TestChain;
let ask: Ask;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-bitcoin-'));
  await start();
}, BUILD_MS);
afterAll(async () => {
  await chain.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function start(): Promise<void> {
  chain = await startTestBitcoin(directory);
  ask = askNode(chain.address);
}

type Mined = { tx: string[] };
type Shown = { txid: string; confirmations?: number; vout: { value: number; n: number }[] };

/** Spends what the block of this height paid the treasury. */
async function spend(height: number, recipient: string, amount: bigint): Promise<string> {
  const privateKey = Buffer.from(treasuries.BTC_SANDBOX.privateKey, 'hex');
  const publicKey = secp256k1.getPublicKey(privateKey, true);
  const treasury = p2wpkh(publicKey, network);
  const block = (await ask('getblock', await ask('getblockhash', height), 1)) as Mined;
  const coinbase = (await ask('getrawtransaction', block.tx[0], 1)) as Shown;
  const paid = coinbase.vout.find(({ value }) => value > 0);
  if (paid === undefined) throw new Error('the block paid nobody');
  const held = BigInt(Math.round(paid.value * 1e8));
  const transaction = new Transaction();
  transaction.addInput({
    txid: coinbase.txid,
    index: paid.n,
    witnessUtxo: { script: treasury.script, amount: held },
    sequence: 0xfffffffd,
  });
  transaction.addOutputAddress(recipient, amount, network);
  transaction.addOutputAddress(treasury.address ?? '', held - amount - 1_000n, network);
  const digest = transaction.preimageWitnessV0(0, p2pkh(publicKey, network).script, SigHash.ALL, held);
  const signature = secp256k1.sign(digest, privateKey, { prehash: false, lowS: true, format: 'der' });
  transaction.updateInput(0, { partialSig: [[publicKey, Uint8Array.from([...signature, SigHash.ALL])]] }, true);
  transaction.finalize();
  return (await ask('sendrawtransaction', transaction.hex)) as string;
}

function newAddress(): string {
  const { address } = p2wpkh(secp256k1.getPublicKey(secp256k1.utils.randomSecretKey(), true), network);
  return address ?? '';
}

test('a coin of the treasury is spent by a signature from outside and confirmed six times', async () => {
  expect(await ask('getblockcount')).toBeGreaterThanOrEqual(150);
  const recipient = newAddress();
  const txid = await spend(1, recipient, 100_000_000n);
  const confirmations = async () => ((await ask('getrawtransaction', txid, 1)) as Shown).confirmations ?? 0;
  await expect.poll(confirmations, { timeout: 60_000, interval: 200 }).toBe(6);
  const found = (await ask('searchrawtransactions', recipient)) as Shown[];
  expect(found.map((each) => each.txid)).toEqual([txid]);
});

test('is not mined further while nothing waits', async () => {
  const height = await ask('getblockcount');
  await new Promise((done) => setTimeout(done, 2_500));
  expect(await ask('getblockcount')).toBe(height);
});

test('answers nobody without the password, which only its owner can read', async () => {
  const { origin } = new URL(chain.address);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getblockcount', params: [] });
  expect((await fetch(origin, { method: 'POST', body })).status).toBe(401);
  for (const file of ['password', 'btcd.conf']) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  const { password } = new URL(chain.address);
  expect(readFileSync(join(directory, 'chain.log'), 'utf8')).not.toContain(password);
});

test('stopped, it leaves no process, and the next start has the same blocks', async () => {
  const [height, best] = [await ask('getblockcount'), await ask('getbestblockhash')];
  const { pid } = chain.part();
  await chain.stop();
  expect(identifyProcess(pid)).toBeUndefined();
  await start();
  expect(await ask('getblockhash', height)).toBe(best);
});

test('killed, it comes back at the same address with the same blocks', async () => {
  // btcd mines for one at a time, and the sandbox's miner may be at it, or add a block of its own.
  const mined = await vi.waitFor(() => ask('generate', 3), { timeout: 60_000, interval: 100 });
  const best = (mined as string[]).at(-1);
  const { height } = (await ask('getblockheader', best, true)) as { height: number };
  const kept = () => readFileSync(join(directory, 'blocks.txt'), 'utf8');
  await expect.poll(kept, { timeout: 60_000, interval: 100 }).toContain(best);
  const killed = chain.part();
  killed.kill('SIGKILL');
  await killed.exited;
  await expect.poll(() => ask('getblockhash', height).catch(() => 'away'), { timeout: 60_000 }).toBe(best);
  expect(chain.part().pid).not.toBe(killed.pid);
});

test('on a chain whose blocks paid somebody else, the treasury has coins all the same, and nothing is lost', async () => {
  const other = mkdtempSync(join(tmpdir(), 'countersign-bitcoin-'));
  const best = await mineFor(newAddress(), other);
  const taken = await startTestBitcoin(other);
  try {
    const askTaken = askNode(taken.address);
    expect(await askTaken('getblockhash', 160)).toBe(best);
    const paid = (await askTaken('searchrawtransactions', treasuries.BTC_SANDBOX.address, 1, 0, 200)) as Shown[];
    expect(paid.filter(({ confirmations = 0 }) => confirmations >= 100).length).toBeGreaterThanOrEqual(50);
  } finally {
    await taken.stop();
    rmSync(other, { recursive: true, force: true });
  }
});

/** As a chain of another time would be found: 160 blocks in its file. Returns the newest. */
async function mineFor(address: string, place: string): Promise<unknown> {
  const port = await findFreePort();
  const reporting = { report: () => {}, signal: new AbortController().signal };
  const part = await startPart({
    command: await findBtcd(resolve(import.meta.dirname, '../../../.local'), reporting),
    args: [
      '--regtest',
      '--nolisten',
      '--nodnsseed',
      '--txindex',
      '--notls',
      '--rpclisten',
      `127.0.0.1:${port}`,
      '--rpcuser',
      'test',
      '--rpcpass',
      'test',
      '--miningaddr',
      address,
      '--datadir',
      join(place, 'other'),
      '--logdir',
      join(place, 'other-logs'),
      '--configfile',
      join(place, 'none'),
    ],
    environment: { PATH: process.env['PATH'], HOME: place },
    logFile: join(place, 'other.log'),
  });
  const askOther = askNode(`http://test:test@127.0.0.1:${port}`);
  await waitUntilReady(part, 10_000, () => canAnswer(askOther, 'getblockcount'));
  const blocks = new BitcoinBlocks(join(place, 'blocks.txt'), askOther);
  await blocks.restore();
  await askOther('generate', 160);
  await blocks.keepNew();
  const best = await askOther('getbestblockhash');
  await part.stop();
  return best;
}
