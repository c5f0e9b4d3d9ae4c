// Goal: SOL and tokens that arrive at a wallet become deposits once they are final, whoever sent them and however many
// slots were empty before. Method: the sandbox's Solana as its own process, transactions of a client that knows nothing
// of the product, the product's readings one at a time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, address, generateKeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { solanaChain } from '../../../activities/chains/solana/solana-chain.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { fundedSolanaClient, makeMint, SOL, type SolanaClient } from '../../support/chains/solana.ts';

const NETWORK = 'SOL_SANDBOX';

let directory: string;
let node: TestChain;
let client: SolanaClient;
let rows: DepositDatabase;
let watch: ReturnType<typeof watchDeposits>;
let sol: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-solana-'));
  [node, rows] = await Promise.all([startTestSolana(directory), openDepositDatabase()]);
  client = await fundedSolanaClient(node.address);
  watch = watchDeposits(rows.db, { networkCode: NETWORK, chain: solanaChain({ rpcUrl: node.address }) });
  sol = await rows.nativeAsset(NETWORK);
});
afterEach(async () => expect(await rows.imbalances()).toEqual([]));
afterAll(async () => {
  await node.stop();
  await rows.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function newWallet(): Promise<{ id: string; to: Address }> {
  const to = address((await generateKeyPairSigner()).address);
  return { id: await rows.makeWallet('sol', to), to };
}
const pay = (to: Address, amount: bigint) =>
  client.execute(getTransferSolInstruction({ source: client.payer, destination: to, amount }));

test('SOL and a token of the catalogue; not one that only looks like it', async () => {
  const { id, to } = await newWallet();
  const [listed, other] = [await makeMint(client, 6), await makeMint(client, 6)];
  const token = await rows.makeAsset(NETWORK, listed.mint);
  const { signature } = await pay(to, 2n * SOL);
  await listed.mintTo(to, 7n);
  await other.mintTo(to, 8n);
  await watch.read();
  expect(
    (await rows.depositsOf(id)).map(({ assetId, amountBaseUnits, status }) => [assetId, amountBaseUnits, status]),
  ).toEqual([
    [sol, 2n * SOL, 'confirmed'],
    [token, 7n, 'confirmed'],
  ]);
  expect(await rows.balances(id, sol)).toEqual({ available: 2n * SOL, pending_in: 0n });
  expect((await rows.activityOf(id))[0]).toMatchObject({ txHash: signature, fromAddress: client.payer.address });
  const { fees } = await watch.state();
  expect(BigInt(fees?.medium.maxFee ?? 0)).toBeGreaterThan(0n);
});

test('slots without a block are passed over, and none with one', async () => {
  const { id, to } = await newWallet();
  for (let round = 1; round <= 4; round += 1) {
    await pay(to, BigInt(round) * SOL);
    await sleep(1_500);
    if (round % 2 === 0) await watch.read();
  }
  await watch.read();
  expect((await rows.depositsOf(id)).map(({ amountBaseUnits }) => amountBaseUnits / SOL)).toEqual([1n, 2n, 3n, 4n]);
});

test('while nothing comes nothing is unread, however many slots go by', async () => {
  await pay((await newWallet()).to, SOL);
  await watch.read();
  const { nextBlock } = await watch.state();
  const chain = solanaChain({ rpcUrl: node.address });
  await expect.poll(async () => (await chain.head()).number, { timeout: 60_000 }).toBeGreaterThan(nextBlock + 2);
  await watch.read();
  const idle = await watch.state();
  expect([idle.nextBlock, idle.headBlock - idle.nextBlock + 1]).toEqual([nextBlock, 0]);
});

test('a second look finds what was missed', async () => {
  const to = address((await generateKeyPairSigner()).address);
  const { signature } = await pay(to, SOL);
  await pay((await newWallet()).to, SOL);
  await watch.read();
  const id = await rows.makeWallet('sol', to);
  expect(await watch.rescan(signature)).toEqual({ outcome: 'recorded', found: 1, recorded: 1 });
  await watch.read();
  expect(await rows.balances(id, sol)).toEqual({ available: SOL, pending_in: 0n });
});
