// Goal: what the record has lost, as after a restore, is not paid a second time: nothing is made for a wallet before
// its chain was read as far as it stood. Method: the product's workflows and activities on real chains (anvil, btcd,
// the sandbox's Solana). The same cluster signs and sends a payment beside the product, as if the rows of it were lost;
// then it is asked for again, before and after the blocks are read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unexplainedOutflows } from '../../../drizzle/outflows/outflows.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { startBitcoin, type TestBitcoin } from '../../support/chains/bitcoin-wallets.ts';
import { startTestSolana, type TestChain } from '../../support/chains/chains.ts';
import { newFundedWallet } from '../../support/chains/funded-wallet.ts';
import { outflowFamilies } from '../../support/chains/outflow-families.ts';
import { fundedSolanaClient } from '../../support/chains/solana.ts';
import { startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const CASE_MS = 240_000;
/** Long enough for several tries of the activity. */
const HELD_MS = 3_000;
const UNREAD = /It waits: .* has to be read up to block \d+ first/;

let anvil: Anvil;
let bitcoin: TestBitcoin;
let directory: string;
let node: TestChain;
let stack: WithdrawalStack;
let families: ReturnType<typeof outflowFamilies>;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-unread-'));
  [anvil, bitcoin, node] = await Promise.all([startAnvil(), startBitcoin(), startTestSolana(directory)]);
  const solana = await fundedSolanaClient(node.address);
  const rpcUrls = { ETHEREUM_SANDBOX: anvil.url, BTC_SANDBOX: bitcoin.node.rpcUrl, SOL_SANDBOX: node.address };
  stack = await startWithdrawals(rpcUrls, { confirmations: 1 });
  families = outflowFamilies({ anvil, bitcoin, solana, solanaUrl: node.address, db: stack.db });
}, 300_000);
afterAll(async () => {
  await stack.stop();
  await Promise.all([anvil.stop(), bitcoin.node.stop(), node.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

const statusOf = async (walletId: string) => {
  const [row] = await stack.db.select().from(wallets).where(eq(wallets.id, walletId));
  return row?.status;
};
const outflowsOf = async (walletId: string) => {
  const rows = await stack.db.select().from(unexplainedOutflows).where(eq(unexplainedOutflows.walletId, walletId));
  return rows.map(({ txHash }) => txHash);
};

async function expectHeld(id: string, reason: string | RegExp): Promise<void> {
  const told = async () => (await listWithdrawalEvents(stack.db, id)).map(({ details }) => details ?? '').join('\n');
  await expect.poll(told, { timeout: 30_000 }).toMatch(reason);
  await sleep(HELD_MS);
  expect(await stack.transactionsOf(id)).toEqual([]);
}

describe.each(['Ethereum', 'Bitcoin', 'Solana'] as const)('on %s', { timeout: CASE_MS }, (name) => {
  test('a payment whose row is lost is found before it is made again, and then none is made', async () => {
    const family = await families[name]();
    const wallet = await newFundedWallet(stack, family);
    const txHash = await wallet.send('thief');

    const asked = { walletId: wallet.walletId, networkCode: family.networkCode, amount: family.amount };
    const id = await stack.withdraw({ ...asked, to: await family.recipient() });
    await expectHeld(id, UNREAD);
    await wallet.read();
    const { errorCode } = await stack.until(id, 'failed', 60_000);
    expect(errorCode).toBe('frozen');
    expect([await outflowsOf(wallet.walletId), await statusOf(wallet.walletId)]).toEqual([[txHash], 'frozen']);
    expect(await stack.transactionsOf(id)).toEqual([]);

    // Another wallet waits for nothing any more, although there are blocks that nobody has read.
    const other = await newFundedWallet(stack, family);
    await family.mine();
    await other.withdraw();
  });
});

test.each(['Ethereum', 'Bitcoin'] as const)(
  'on %s a payment that is on its way is waited for',
  {
    timeout: CASE_MS,
  },
  async (name) => {
    const family = await families[name]();
    const wallet = await newFundedWallet(stack, family);
    await wallet.withdraw();
    await anvil.client.setAutomine(false);
    try {
      const txHash = await wallet.submit('thief');
      const asked = { walletId: wallet.walletId, networkCode: family.networkCode, amount: family.amount };
      const id = await stack.withdraw({ ...asked, to: await family.recipient() });
      await expectHeld(id, 'on their way that are not known here');
      await family.mine();
      await expectHeld(id, /It waits: .* has to be read on first/);
      await wallet.read();
      await stack.until(id, 'failed', 60_000);
      expect(await outflowsOf(wallet.walletId)).toEqual([txHash]);
    } finally {
      await anvil.client.setAutomine(true);
    }
  },
);
