// Goal: whoever holds one of the two nodes of Bitcoin has no withdrawal given back that was paid, and none called paid
// that was not. Method: the product's workflow and activities on real PostgreSQL and Temporal, against a real btcd that
// mines only when it is told to; two proxies stand before it, and one of them lies.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import {
  type Answer,
  type AnsweringProxy,
  refuses,
  says,
  startAnsweringProxy,
} from '../../support/chains/answering-proxy.ts';
import { btc, newWallet, startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'BTC_SANDBOX';
const BUILD_MS = 300_000;
const COIN = 1_000_000n;
const AMOUNT = 400_000n;
const CONFIRMATIONS = 2;
const SHOW = 'getrawtransaction';
const waiting = { timeout: 60_000, interval: 50 };
type Role = 'first' | 'second';

let bitcoin: TestBitcoin;
let nodes: Record<Role, AnsweringProxy>;
let stack: WithdrawalStack;
let walletId: string;
let from: string;
let to: string;

beforeAll(async () => {
  bitcoin = await startBitcoin();
  const url = new URL(bitcoin.node.rpcUrl);
  nodes = { first: await startAnsweringProxy(url.origin), second: await startAnsweringProxy(url.origin) };
  const urlOf = (role: Role) => ({ [networkCode]: Object.assign(new URL(url), { host: nodes[role].host }).href });
  const options = { fastRetries: true, confirmations: CONFIRMATIONS, secondRpcUrls: urlOf('second') } as const;
  stack = await startWithdrawals(urlOf('first'), options);
}, BUILD_MS);
afterAll(async () => {
  await stack.stop();
  for (const node of Object.values(nodes)) node.stop();
  await bitcoin.node.stop();
});
beforeEach(async () => {
  walletId = await stack.makeWallet();
  from = await stack.addressOf(walletId, networkCode);
  to = newWallet().address;
  await bitcoin.pay(bitcoin.miner, from, COIN);
  await bitcoin.mine();
  await stack.credit(walletId, networkCode, COIN);
});
afterEach(() => {
  for (const node of Object.values(nodes)) node.answers.clear();
});

async function ask(): Promise<{ id: string; txHash: string }> {
  const id = await stack.withdraw({ walletId, networkCode, amount: AMOUNT, to });
  await expect.poll(async () => (await stack.read(id)).subStatus, waiting).toBe('confirming');
  return { id, txHash: (await stack.read(id)).txHash ?? '' };
}

/** What it shows of this transaction; of others the truth. */
const showing =
  (role: Role, txHash: string, answer: Answer): Answer =>
  async (response, truth) => {
    const [asked] = (nodes[role].asked.findLast(({ method }) => method === SHOW)?.params ?? []) as unknown[];
    if (asked === txHash) await answer(response, truth);
    else response.end(JSON.stringify(await truth()));
  };
const denies = refuses('No information available about transaction', -5);

async function assertWaits(id: string, why: RegExp): Promise<void> {
  const last = async () => (await listWithdrawalEvents(stack.db, id)).at(-1)?.details;
  await expect.poll(last, waiting).toMatch(why);
  const asked = nodes.first.asked.length;
  await expect.poll(() => nodes.first.asked.length, waiting).toBeGreaterThan(asked + 10);
  expect(await stack.read(id)).toMatchObject({ status: 'processing', subStatus: 'stuck' });
  expect(await stack.balance(walletId, networkCode, 'held')).toBeGreaterThan(AMOUNT);
}

async function assertPaidOnce(id: string): Promise<void> {
  for (const node of Object.values(nodes)) node.answers.clear();
  const look = async () => {
    await bitcoin.mine();
    return (await stack.read(id)).status;
  };
  await expect.poll(look, { timeout: 60_000, interval: 200 }).toBe('completed');
  expect(await bitcoin.chain.balance(to, btc)).toBe(AMOUNT);
  await expectSettled(stack, walletId, networkCode, { BTC: await bitcoin.chain.balance(from, btc) });
}

test('the first node denies what has landed, and calls its coin spent by another: nothing is given back', async () => {
  const { id, txHash } = await ask();
  nodes.first.answers.set(SHOW, showing('first', txHash, denies));
  nodes.first.answers.set('sendrawtransaction', refuses('orphan transaction', -25));
  await bitcoin.mine(CONFIRMATIONS + 1);
  await assertWaits(
    id,
    /first node says that another transaction has spent a coin.*second node says that it has landed/,
  );
  await assertPaidOnce(id);
});

test('the second node denies what has landed: it is not completed before it agrees', async () => {
  const { id, txHash } = await ask();
  nodes.second.answers.set(SHOW, showing('second', txHash, denies));
  await bitcoin.mine(CONFIRMATIONS + 1);
  await assertWaits(id, /second node does not have it in block/);
  await assertPaidOnce(id);
});

test('a payment that the first node made up is not called paid', async () => {
  nodes.first.answers.set('sendrawtransaction', says('0'.repeat(64)));
  const { id, txHash } = await ask();
  await bitcoin.mine(CONFIRMATIONS);
  const blockhash = await bitcoin.node.ask<string>('getblockhash', 2);
  nodes.first.answers.set(SHOW, showing('first', txHash, says({ txid: txHash, vin: [], vout: [], blockhash })));
  await assertWaits(id, /second node does not have it in block 2/);
  expect(await bitcoin.chain.balance(to, btc)).toBe(0n);
  await assertPaidOnce(id);
});
