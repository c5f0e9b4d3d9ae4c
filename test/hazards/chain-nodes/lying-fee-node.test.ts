// Goal: a chain node that lies about the market spends nobody's money: no absurd tip is signed, whether it is the only
// node or one of two, and repeated speed-ups end at the cap. Method: the product's workflow and activities on real
// PostgreSQL, Temporal and anvil, behind proxies that answer the questions for fees with lies.
import { parseEther, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import { type AnsweringProxy, alters, says, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
/** For the 21,000 units of a plain transfer it is 21 ETH. */
const ABSURD_WEI_PER_GAS = 10n ** 15n;
const GWEI = 10n ** 9n;

let anvil: Anvil;
let first: AnsweringProxy;
let second: AnsweringProxy;
beforeAll(async () => {
  anvil = await startAnvil();
  first = await startAnsweringProxy(anvil.url);
  second = await startAnsweringProxy(anvil.url);
});
afterEach(() => {
  first.answers.clear();
  second.answers.clear();
});
afterAll(async () => {
  first.stop();
  second.stop();
  await anvil.stop();
});

/** Everything that is asked about prices is answered with an absurd one. */
function lie({ answers }: AnsweringProxy): void {
  const absurd = toHex(ABSURD_WEI_PER_GAS);
  answers.set('eth_maxPriorityFeePerGas', says(absurd));
  answers.set('eth_gasPrice', says(absurd));
  answers.set(
    'eth_feeHistory',
    alters((history: { baseFeePerGas: string[]; gasUsedRatio: number[] }) => ({
      ...history,
      gasUsedRatio: history.gasUsedRatio.map(() => 0.5),
      reward: history.gasUsedRatio.map(() => [absurd]),
    })),
  );
}

/** Says that this chain has no base fee: what is offered as a gas price is paid in full. */
function lieAboutTheKind(proxy: AnsweringProxy): void {
  lie(proxy);
  proxy.answers.set(
    'eth_getBlockByNumber',
    alters((block: object) => ({ ...block, baseFeePerGas: undefined })),
  );
}

async function fundedWallet(stack: WithdrawalStack): Promise<{ walletId: string; address: `0x${string}` }> {
  const walletId = await stack.makeWallet();
  const address = (await stack.addressOf(walletId, networkCode)) as `0x${string}`;
  await anvil.client.setBalance({ address, value: parseEther('100') });
  await stack.credit(walletId, networkCode, parseEther('100'));
  return { walletId, address };
}

const untilHistorySays = (stack: WithdrawalStack, id: string, pattern: RegExp) =>
  expect
    .poll(async () => (await listWithdrawalEvents(stack.db, id)).map(({ details }) => details).join('\n'), {
      timeout: 60_000,
    })
    .toMatch(pattern);

const untilBroadcast = (stack: WithdrawalStack, id: string, transactions = 1) =>
  expect
    .poll(async () => (await stack.transactionsOf(id)).filter(({ status }) => status === 'broadcast').length, {
      timeout: 60_000,
    })
    .toBe(transactions);

describe('one node', () => {
  let stack: WithdrawalStack;
  beforeAll(async () => {
    stack = await startWithdrawals({ [networkCode]: `http://${first.host}` });
  });
  afterAll(() => stack.stop());

  test.each([
    ['an absurd tip', lie],
    ['an absurd gas price', lieAboutTheKind],
  ])(
    '%s is not signed: the withdrawal waits and says why, and goes on when the node tells the truth',
    async (_, tell) => {
      const { walletId, address } = await fundedWallet(stack);
      tell(first);
      const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() });
      await untilHistorySays(
        stack,
        id,
        /It waits: a price of \d+(\.\d+)? gwei \(\d+ wei\) is above the cap of 1000 on ETHEREUM_SANDBOX/,
      );
      expect(await stack.transactionsOf(id)).toEqual([]);
      expect((await stack.db.select().from(signingRequests)).filter(({ withdrawalId }) => withdrawalId === id)).toEqual(
        [],
      );
      first.answers.clear();
      await untilBroadcast(stack, id);
      await anvil.client.mine({ blocks: 2 });
      await stack.until(id, 'completed');
      expect(await anvil.client.getBalance({ address })).toBeGreaterThan(parseEther('99.9'));
    },
  );

  test('a replacement at an absurd price is not made, and what is out stays', async () => {
    const { walletId } = await fundedWallet(stack);
    const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() });
    await untilBroadcast(stack, id);
    lie(first);
    for (const kind of ['speed_up', 'drop'] as const) {
      await stack.replace(id, kind);
      await expect.poll(async () => (await stack.read(id)).requestedReplacement, { timeout: 60_000 }).toBeNull();
    }
    await untilHistorySays(stack, id, /The replacement was not made: a price of .* is above the cap of 1000/);
    expect(await stack.transactionsOf(id)).toHaveLength(1);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
  });
});

describe('two nodes', () => {
  let stack: WithdrawalStack;
  beforeAll(async () => {
    const secondRpcUrls = { [networkCode]: `http://${second.host}` };
    stack = await startWithdrawals({ [networkCode]: `http://${first.host}` }, { secondRpcUrls });
  });
  afterAll(() => stack.stop());

  test.each([
    ['the first', () => lie(first)],
    ['the second', () => lie(second)],
    ['the first, about the kind of its prices,', () => lieAboutTheKind(first)],
  ])('%s lies: what the honest one says is signed', async (_, tellLies) => {
    const { walletId } = await fundedWallet(stack);
    tellLies();
    const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() });
    await untilBroadcast(stack, id);
    const [transaction] = await stack.transactionsOf(id);
    expect(transaction?.maxFeeBaseUnits).toBeLessThan(21_000n * 10n * GWEI);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
  });

  test('the first lies while the second cannot be asked: the cap bounds it', async () => {
    const { walletId } = await fundedWallet(stack);
    lie(first);
    for (const method of ['eth_feeHistory', 'eth_getBlockByNumber', 'eth_chainId'])
      second.answers.set(method, (response) => void response.writeHead(503).end());
    const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() });
    await untilHistorySays(stack, id, /is above the cap of 1000/);
    expect(await stack.transactionsOf(id)).toEqual([]);
    first.answers.clear();
    await untilBroadcast(stack, id);
    second.answers.clear();
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
  });
});

describe('speed-ups', () => {
  let stack: WithdrawalStack;
  let walletId: string;
  const feeCaps = { [networkCode]: { fee: '0.001', price: '5' } };
  beforeAll(async () => {
    stack = await startWithdrawals({ [networkCode]: `http://${first.host}` }, { feeCaps });
  });
  beforeEach(async () => {
    ({ walletId } = await fundedWallet(stack));
  });
  afterAll(() => stack.stop());

  async function speedUpForEver(id: string): Promise<bigint[]> {
    for (let times = 0; times < 40; times++) {
      const before = (await stack.transactionsOf(id)).length;
      await stack.replace(id, 'speed_up');
      await expect.poll(async () => (await stack.read(id)).requestedReplacement, { timeout: 60_000 }).toBeNull();
      const after = await stack.transactionsOf(id);
      if (after.length === before) return after.map(({ maxFeeBaseUnits }) => maxFeeBaseUnits);
      await untilBroadcast(stack, id, after.length);
    }
    throw new Error('nothing bounds speed-ups');
  }

  test('however often they are asked for, they end at the cap of the price', async () => {
    const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() });
    await untilBroadcast(stack, id);
    const fees = await speedUpForEver(id);
    expect(fees.length).toBeGreaterThan(1);
    expect(fees.every((fee) => fee <= 21_000n * 5n * GWEI)).toBe(true);
    await untilHistorySays(stack, id, /The replacement was not made: a price of .* is above the cap of 5/);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
  }, 120_000);

  test("they end at the caller's max_fee, where that is less", async () => {
    const fields = { maxFeeBaseUnits: 21_000n * 4n * GWEI };
    const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress(), fields });
    await untilBroadcast(stack, id);
    const fees = await speedUpForEver(id);
    expect(fees.every((fee) => fee <= fields.maxFeeBaseUnits)).toBe(true);
    await untilHistorySays(stack, id, /is above the max_fee/);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
  }, 120_000);

  test('without one they end at what the policy judged, and so does a drop', async () => {
    const fields = { feeBoundBaseUnits: 21_000n * 4n * GWEI };
    const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress(), fields });
    await untilBroadcast(stack, id);
    const fees = await speedUpForEver(id);
    expect(fees.length).toBeGreaterThan(1);
    expect(fees.every((fee) => fee <= fields.feeBoundBaseUnits)).toBe(true);
    await untilHistorySays(
      stack,
      id,
      /The replacement was not made: the fee of up to \d+ base units is above the \d+ that/,
    );
    await stack.replace(id, 'drop');
    await expect.poll(async () => (await stack.read(id)).requestedReplacement, { timeout: 60_000 }).toBeNull();
    expect(await stack.transactionsOf(id)).toHaveLength(fees.length);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
  }, 120_000);
});

describe('a withdrawal that its caller gave no max_fee', () => {
  let stack: WithdrawalStack;
  beforeAll(async () => {
    stack = await startWithdrawals(
      { [networkCode]: `http://${first.host}` },
      { feeCaps: { [networkCode]: { fee: '50', price: '2000000' } } },
    );
  });
  afterAll(() => stack.stop());

  test('pays no more than the policy judged: below the cap it waits, and goes on when the price has fallen', async () => {
    const { walletId, address } = await fundedWallet(stack);
    lie(first);
    const fields = { feeBoundBaseUnits: 21_000n * 100n * GWEI };
    const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress(), fields });
    await untilHistorySays(
      stack,
      id,
      /It waits: the fee of up to \d+ base units is above the \d+ that the policy judged/,
    );
    expect(await stack.transactionsOf(id)).toEqual([]);
    first.answers.clear();
    await untilBroadcast(stack, id);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
    expect(await anvil.client.getBalance({ address })).toBeGreaterThan(parseEther('99.9'));
  });

  test('one that was accepted before there were bounds goes up to the cap, as it was told', async () => {
    const { walletId } = await fundedWallet(stack);
    lie(first);
    const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() });
    await untilBroadcast(stack, id);
    first.answers.clear();
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
  });
});
