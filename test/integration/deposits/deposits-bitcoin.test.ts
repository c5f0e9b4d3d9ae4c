// Goal: coins that arrive at a wallet become deposits, once each; change of a transaction of our own never does, and a
// reorganisation takes back what it took. Method: a real btcd of its own, mined and reorganised by the test, the
// product's readings one at a time.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bitcoinAddress } from '../../../activities/chains/bitcoin/key-address.ts';
import { newWallet, startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';

const NETWORK = 'BTC_SANDBOX';
const BUILD_MS = 300_000;

let bitcoin: TestBitcoin;
let rows: DepositDatabase;
let watch: ReturnType<typeof watchDeposits>;
let btc: string;

beforeAll(async () => {
  [bitcoin, rows] = await Promise.all([startBitcoin(), openDepositDatabase()]);
  watch = watchDeposits(rows.db, { networkCode: NETWORK, chain: bitcoin.chain });
  btc = await rows.nativeAsset(NETWORK);
}, BUILD_MS);
afterEach(async () => expect(await rows.imbalances()).toEqual([]));
afterAll(async () => {
  await bitcoin.node.stop();
  await rows.stop();
});

const register = (address: string) => rows.makeWallet('btc', address);
const inShort = async (id: string) =>
  (await rows.depositsOf(id)).map(({ amountBaseUnits, status }) => [amountBaseUnits, status]);

test('a payment is confirmed in its block, and what goes on from there leaves no deposit of its change', async () => {
  const wallet = newWallet();
  const id = await register(wallet.address);
  await bitcoin.pay(bitcoin.miner, wallet.address, 1_000_000n);
  await bitcoin.mine();
  await watch.read();
  expect(await inShort(id)).toEqual([[1_000_000n, 'confirmed']]);
  const [to, other] = [newWallet(), newWallet()];
  const toId = await register(to.address);
  await bitcoin.pay(wallet, to.address, 300_000n);
  await bitcoin.mine();
  await bitcoin.pay(wallet, other.address, 100_000n);
  await bitcoin.mine();
  await watch.read();
  expect(await inShort(id)).toEqual([[1_000_000n, 'confirmed']]);
  expect(await inShort(toId)).toEqual([[300_000n, 'confirmed']]);
  expect(await rows.balances(toId, btc)).toEqual({ available: 300_000n, pending_in: 0n });
});

test('one that is mined again in another block is the same deposit', async () => {
  const wallet = newWallet();
  const id = await register(wallet.address);
  await bitcoin.pay(bitcoin.miner, wallet.address, 777_777n);
  await bitcoin.mine();
  await watch.read();
  const [before] = await rows.depositsOf(id);
  await bitcoin.node.ask('invalidateblock', before?.blockHash);
  await watch.read();
  expect(await inShort(id)).toEqual([[777_777n, 'confirmed']]); // a shorter chain alone may be a node that lags
  await bitcoin.mine(2); // what was in the block waits again
  await watch.read();
  expect(await rows.depositsOf(id)).toMatchObject([{ id: before?.id, status: 'confirmed', occurrence: 1 }]);
  expect(await rows.balances(id, btc)).toEqual({ available: 777_777n, pending_in: 0n });
});

test('of two transactions that spend one coin, the one that the chain keeps is credited', async () => {
  const [first, second] = [newWallet(), newWallet()];
  const [firstId, secondId] = [await register(first.address), await register(second.address)];
  const paid = await bitcoin.pay(bitcoin.miner, first.address, 444_444n);
  await bitcoin.mine();
  await watch.read();
  expect(await inShort(firstId)).toEqual([[444_444n, 'confirmed']]);
  await bitcoin.node.ask('invalidateblock', (await rows.depositsOf(firstId))[0]?.blockHash);
  const transfer = {
    from: bitcoin.miner.address,
    to: second.address,
    asset: { contract: null, decimals: 8 },
    amount: 333_333n,
  };
  const dearer = bitcoin.chain.raiseFee(paid.fee, 200);
  const conflicting = await bitcoin.sign(bitcoin.miner, transfer, paid.coins, dearer);
  expect(await bitcoin.chain.broadcast(conflicting.raw)).toEqual({ outcome: 'accepted' });
  await bitcoin.mine(2);
  await watch.read();
  expect(await inShort(firstId)).toEqual([[444_444n, 'reorged']]);
  expect(await inShort(secondId)).toEqual([[333_333n, 'confirmed']]);
  expect(await rows.balances(firstId, btc)).toEqual({ available: 0n, pending_in: 0n });
});

test('on another Bitcoin network the wallet is found by its address there', async () => {
  const wallet = newWallet();
  // As a deployment on the main network stores it: another prefix over the same key.
  const id = await register(mainnetForm(wallet));
  await bitcoin.pay(bitcoin.miner, wallet.address, 555_555n);
  await bitcoin.mine();
  const production = watchDeposits(rows.db, { networkCode: NETWORK, chain: bitcoin.chain, bitcoinNetwork: 'mainnet' });
  await production.read();
  expect(await rows.depositsOf(id)).toMatchObject([{ amountBaseUnits: 555_555n, toAddress: wallet.address }]);
});

function mainnetForm({ publicKey }: { publicKey: string }): string {
  return bitcoinAddress(Buffer.from(publicKey.slice(2), 'hex'), 'mainnet');
}
