// Goal: whatever the node of a chain says, forgets or does not say, a withdrawal sends one transaction, and its money
// is given back only when nothing of it can land. Method: the product's workflow and activities on real PostgreSQL,
// Temporal and anvil; a proxy before anvil loses, refuses and makes up answers.
import { createServer } from 'node:http';
import { type Address, type Hex, keccak256, parseEther, parseGwei } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  type AnsweringProxy,
  refuses,
  says,
  startAnsweringProxy,
} from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
/** Deep enough for a reorg of three blocks before it. */
const CONFIRMATIONS = 5;
const SEND = 'eth_sendRawTransaction';
const FUNDED = parseEther('10');
const waiting = { timeout: 60_000, interval: 50 };

let anvil: Anvil;
let node: AnsweringProxy;
let stack: WithdrawalStack;
let walletId: string;
let address: Address;
let to: Address;
let silent: Silent;

beforeAll(async () => {
  silent = await beginInSilence();
  anvil = await startAnvil();
  node = await startAnsweringProxy(anvil.url);
  const secondRpcUrls = { [networkCode]: anvil.url };
  const options = { fastRetries: true, confirmations: CONFIRMATIONS, secondRpcUrls } as const;
  stack = await startWithdrawals({ [networkCode]: `http://${node.host}` }, options);
});
afterAll(async () => {
  await stack.stop();
  node.stop();
  await anvil.stop();
  await silent.stop();
});
beforeEach(async () => {
  walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as Address;
  to = anyEvmAddress();
  await anvil.client.setBalance({ address, value: FUNDED });
  await stack.credit(walletId, networkCode, FUNDED);
  node.asked.length = 0;
});
afterEach(async () => {
  node.answers.clear();
  await anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('1') });
});

const ask = (amount = parseEther('1'), recipient = to) =>
  stack.withdraw({ walletId, networkCode, amount, to: recipient });
const sent = () => node.asked.filter(({ method }) => method === SEND).map(({ params }) => params[0] as Hex);
const untilSent = (times = 1) => expect.poll(() => sent().length, waiting).toBeGreaterThanOrEqual(times);
const untilSubStatus = (id: string, subStatus: string) =>
  expect.poll(async () => (await stack.read(id)).subStatus, waiting).toBe(subStatus);
const mine = (blocks: number) => anvil.client.mine({ blocks });

/** The next `times` answers are these; then the truth. */
function next(times: number, answer: Answer): Answer {
  let left = times;
  return async (response, truth) => {
    left -= 1;
    if (left >= 0) return answer(response, truth);
    return void response.end(JSON.stringify(await truth()));
  };
}
const lost: Answer = async (response, truth) => {
  await truth();
  response.destroy();
};
const cut: Answer = (response) => void response.destroy();
const status =
  (code: number): Answer =>
  (response) =>
    void response.writeHead(code).end();

/** Completed, by one transaction: the recipient has the amount, and the ledger what the chain has. */
async function assertOnce(id: string, amount = parseEther('1')): Promise<void> {
  const look = async () => {
    await mine(1);
    return (await stack.read(id)).status;
  };
  await expect.poll(look, { timeout: 60_000, interval: 100 }).toBe('completed');
  expect(new Set(sent()).size).toBe(1);
  expect(await stack.transactionsOf(id)).toHaveLength(1);
  expect(await anvil.client.getBalance({ address: to })).toBe(amount);
  expect(await anvil.client.getTransactionCount({ address })).toBe(1);
  await expectSettled(stack, walletId, networkCode, { ETH: await anvil.client.getBalance({ address }) });
}

describe('T1: a broadcast whose answer is lost', () => {
  test('the node has it: the same bytes go again, and one lands', async () => {
    node.answers.set(SEND, next(2, lost));
    const id = await ask();
    await untilSubStatus(id, 'confirming');
    expect(sent().length).toBe(3);
    await assertOnce(id);
  });

  test('the node never had it: the same bytes go again', async () => {
    node.answers.set(SEND, next(2, cut));
    const id = await ask();
    await untilSubStatus(id, 'confirming');
    await assertOnce(id);
  });

  test('it is in a block before it is sent again: that its nonce is too low is no failure', async () => {
    node.answers.set(SEND, next(1, lost));
    const id = await ask();
    await untilSent();
    await mine(1);
    await untilSubStatus(id, 'confirming');
    expect(sent().length).toBeGreaterThan(1);
    await assertOnce(id);
  });

  test('the bytes are a row before they are sent, and nothing else is ever sent', async () => {
    let stored: (string | null | undefined)[] = [];
    let id = '';
    node.answers.set(SEND, async (response, truth) => {
      stored.push((await stack.transactionsOf(id))[0]?.signed);
      response.end(JSON.stringify(await truth()));
    });
    const sign = stack.cluster.hold('sign');
    id = await ask();
    sign();
    await untilSubStatus(id, 'confirming');
    expect(stored).toEqual(sent());
    const [row] = await stack.transactionsOf(id);
    expect(row?.txHash).toBe(keccak256(row?.signed as Hex));
    stored = [];
    await assertOnce(id);
  });
});

describe('a node that refuses', () => {
  test.each(['transaction underpriced', 'replacement transaction underpriced'])(
    '%s: it says that it is stuck, asks again, and goes out when it is taken',
    async (words) => {
      node.answers.set(SEND, refuses(words));
      const id = await ask();
      await untilSubStatus(id, 'stuck');
      await untilSent(4);
      expect((await stack.read(id)).status).toBe('processing');
      node.answers.clear();
      await expect.poll(async () => (await stack.transactionsOf(id))[0]?.status, waiting).toBe('broadcast');
      await assertOnce(id);
    },
  );

  test('a nonce that it calls too low, and that the chain does not know as used, is no end', async () => {
    node.answers.set(SEND, next(3, refuses('nonce too low')));
    const id = await ask();
    await untilSent(4);
    expect((await stack.read(id)).status).toBe('processing');
    await assertOnce(id);
  });

  test('T3: gas that is drained after the nonce was taken: it waits, says so, and the same bytes go after a top-up', async () => {
    const sign = stack.cluster.hold('sign');
    const id = await ask();
    await expect.poll(async () => (await stack.transactionsOf(id)).length, waiting).toBe(1);
    await anvil.client.setBalance({ address, value: 1n });
    sign();
    await untilSubStatus(id, 'insufficient_funds');
    expect((await stack.read(id)).shortage).toMatchObject({ symbol: 'ETH', waitsUntil: null });
    // The next one takes no nonce while nothing can be paid.
    const behind = await ask(parseEther('2'), anyEvmAddress());
    await untilSubStatus(behind, 'insufficient_funds');
    expect(await stack.transactionsOf(behind)).toEqual([]);
    await anvil.client.setBalance({ address, value: FUNDED });
    await untilSubStatus(id, 'confirming');
    await untilSubStatus(behind, 'confirming');
    const nonces = await Promise.all([id, behind].map(async (one) => (await stack.transactionsOf(one))[0]?.nonce));
    expect(nonces).toEqual([0, 1]);
    await mine(CONFIRMATIONS);
    for (const one of [id, behind]) await stack.until(one, 'completed');
    await expectSettled(stack, walletId, networkCode, { ETH: await anvil.client.getBalance({ address }) });
  });

  test('429 to everything, at every step: it waits, and goes on', async () => {
    const everything = [
      'eth_getBalance',
      'eth_feeHistory',
      SEND,
      'eth_getTransactionReceipt',
      'eth_getTransactionByHash',
    ];
    for (const method of everything) node.answers.set(method, next(1, status(429)));
    const id = await ask();
    await untilSubStatus(id, 'confirming');
    await assertOnce(id);
  });

  test('503, half answers and answers that are no JSON: it waits, and goes on', async () => {
    node.answers.set('eth_getBalance', next(1, status(503)));
    node.answers.set(
      'eth_getTransactionCount',
      next(1, (response) => void response.end('{"jsonrpc":"2.0"')),
    );
    node.answers.set(
      SEND,
      next(1, (response) => void response.end('<html>')),
    );
    node.answers.set('eth_getTransactionReceipt', next(1, says({ blockNumber: 'soon' })));
    const id = await ask();
    await untilSubStatus(id, 'confirming');
    await assertOnce(id);
  });
});

describe('a node that forgets or is wrong', () => {
  test('a transaction that is dropped goes out again, the same bytes, signed once', async () => {
    const id = await ask();
    await untilSubStatus(id, 'confirming');
    const { txHash } = await stack.read(id);
    for (let times = 0; times < 3; times += 1) {
      const before = sent().length;
      await anvil.client.dropTransaction({ hash: txHash as Hex });
      await untilSent(before + 1);
    }
    await assertOnce(id);
  });

  test('another chain from the start: nothing is taken, built or signed until it is the right one', async () => {
    const liar = await startAnsweringProxy(anvil.url);
    liar.answers.set('eth_chainId', says('0x1'));
    const other = await startWithdrawals({ [networkCode]: `http://${liar.host}` }, { fastRetries: true });
    try {
      const wallet = await other.makeWallet();
      const from = (await other.addressOf(wallet, networkCode)) as Address;
      await anvil.client.setBalance({ address: from, value: FUNDED });
      await other.credit(wallet, networkCode, FUNDED);
      const id = await other.withdraw({ walletId: wallet, networkCode, amount: 1n, to });
      await expect.poll(() => liar.asked.length, waiting).toBeGreaterThan(3);
      expect(new Set(liar.asked.map(({ method }) => method))).toEqual(new Set(['eth_chainId']));
      expect(await other.transactionsOf(id)).toEqual([]);
      expect(other.cluster.signCalls).toEqual([]);
      liar.answers.clear();
      await expect.poll(async () => (await other.read(id)).subStatus, waiting).toBe('confirming');
      await mine(2);
      await other.until(id, 'completed');
    } finally {
      await other.stop();
      liar.stop();
    }
  });

  test('another chain when it is sent: it is no end, and it lands on the right one', async () => {
    node.answers.set(SEND, refuses('invalid chain id for signer: have 31337 want 1'));
    const id = await ask();
    await untilSubStatus(id, 'stuck');
    await untilSent(3);
    expect(await stack.balance(walletId, networkCode, 'available')).toBeLessThan(FUNDED - parseEther('1'));
    node.answers.clear();
    await assertOnce(id);
  });

  test('a receipt of a block that is not on the chain is not believed', async () => {
    const id = await ask();
    await untilSubStatus(id, 'confirming');
    node.answers.set('eth_getTransactionReceipt', async (response, truth) => {
      const { result } = (await truth()) as { result: { blockHash: string } | null };
      says(result && { ...result, blockHash: `0x${'00'.repeat(32)}` })(response);
    });
    const before = node.asked.length;
    await mine(CONFIRMATIONS);
    await expect.poll(() => node.asked.length, waiting).toBeGreaterThan(before + 12);
    expect((await stack.read(id)).status).toBe('processing');
    node.answers.clear();
    await stack.until(id, 'completed');
    await assertOnce(id);
  });
});

test('a node that denies what has landed, and calls its nonce used: the second node is asked before any money is given back', async () => {
  const id = await ask();
  await untilSubStatus(id, 'confirming');
  for (const method of ['eth_getTransactionReceipt', 'eth_getTransactionByHash']) node.answers.set(method, says(null));
  node.answers.set(SEND, refuses('nonce too low'));
  await mine(CONFIRMATIONS + 1);
  const before = sent().length;
  await untilSent(before + 3);
  expect((await stack.read(id)).status).toBe('processing');
  expect(await stack.balance(walletId, networkCode, 'held')).toBeGreaterThan(parseEther('1'));
  node.answers.clear();
  await assertOnce(id);
});

describe('T4: the chain turns back', () => {
  test('three blocks: it is on its way again, its bytes go out again, it lands once more and completes once', async () => {
    const id = await ask();
    await untilSubStatus(id, 'confirming');
    await mine(3);
    await expect.poll(async () => (await stack.read(id)).confirmations, waiting).toBe(3);
    await anvil.reorganise(3);
    await expect.poll(() => stack.historyOf(id), waiting).toContain('processing reorged');
    const { confirmations, blockNumber } = await stack.read(id);
    expect({ confirmations, blockNumber }).toEqual({ confirmations: null, blockNumber: null });
    expect(await stack.balance(walletId, networkCode, 'held')).toBeGreaterThan(parseEther('1'));
    await assertOnce(id);
    expect((await stack.historyOf(id)).filter((line) => line.startsWith('completed'))).toHaveLength(1);
  });

  test('any of its transactions may be the one that lands: the first of three, once', async () => {
    const id = await ask();
    await untilSubStatus(id, 'confirming');
    const [first] = sent();
    for (const broadcast of [2, 3]) {
      await stack.replace(id, 'speed_up');
      await expect
        .poll(async () => (await stack.transactionsOf(id)).filter((row) => row.status === 'broadcast').length, waiting)
        .toBe(broadcast);
    }
    const { txHash } = await stack.read(id);
    node.answers.set(SEND, refuses('nonce too low')); // before: what is dropped would be sent again at once
    await anvil.client.dropTransaction({ hash: txHash as Hex });
    await anvil.client.sendRawTransaction({ serializedTransaction: first as Hex });
    await mine(CONFIRMATIONS);
    const row = await stack.until(id, 'completed');
    expect(row.txHash).toBe(keccak256(first as Hex));
    expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
    await expectSettled(stack, walletId, networkCode, { ETH: await anvil.client.getBalance({ address }) });
  });

  test('a nonce that is stuck holds up those behind it; sped up, all land in their order', async () => {
    const ids = [await ask(1n)];
    await untilSubStatus(ids[0] ?? '', 'confirming');
    // From here on nobody takes what the first one offers.
    await anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('40') });
    await mine(1);
    ids.push(await ask(2n), await ask(3n));
    for (const id of ids) await untilSubStatus(id, 'confirming');
    await anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('40') });
    await mine(2);
    expect(await anvil.client.getTransactionCount({ address })).toBe(0);
    await stack.replace(ids[0] ?? '', 'speed_up');
    await expect.poll(async () => (await stack.transactionsOf(ids[0] ?? ''))[1]?.status, waiting).toBe('broadcast');
    await anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('40') });
    await mine(CONFIRMATIONS);
    for (const id of ids) await stack.until(id, 'completed');
    expect(await anvil.client.getBalance({ address: to })).toBe(6n);
    expect(await anvil.client.getTransactionCount({ address })).toBe(3);
    await expectSettled(stack, walletId, networkCode, { ETH: await anvil.client.getBalance({ address }) });
  });
});

describe('somebody else takes the nonce, with the same key', () => {
  /** Its bytes are nowhere, and its nonce is used by a transaction that the service does not know. */
  async function takeNonce(id: string): Promise<void> {
    const { txHash } = await stack.read(id);
    node.answers.set(SEND, cut);
    await anvil.client.dropTransaction({ hash: txHash as Hex });
    await anvil.client.impersonateAccount({ address });
    const gasPrice = parseGwei('50');
    const account = address;
    await anvil.client.sendTransaction({ account, to: anyEvmAddress(), value: 5n, nonce: 0, gas: 21_000n, gasPrice });
    await anvil.client.stopImpersonatingAccount({ address });
    await mine(1);
    node.answers.clear();
  }

  test('its money is given back when that is deep, and not before', async () => {
    const id = await ask();
    await untilSubStatus(id, 'confirming');
    await takeNonce(id);
    for (let depth = 1; depth < CONFIRMATIONS; depth += 1) {
      const before = sent().length;
      await untilSent(before + 2);
      expect((await stack.read(id)).status).toBe('processing');
      expect(await stack.balance(walletId, networkCode, 'held')).toBeGreaterThan(parseEther('1'));
      await mine(1);
    }
    const row = await stack.until(id, 'failed');
    expect(row).toMatchObject({ errorCode: 'replaced_elsewhere', txHash: expect.any(String) });
    expect(await stack.balance(walletId, networkCode, 'available')).toBe(FUNDED);
    expect(await stack.balance(walletId, networkCode, 'held')).toBe(0n);
    expect(await anvil.client.getBalance({ address: to })).toBe(0n);
    expect((await stack.transactionsOf(id)).map(({ status }) => status)).toEqual(['abandoned']);
    await stack.assertBalanced();
    // The nonce is gone: the next withdrawal has the one after it.
    const following = await ask(7n);
    await untilSubStatus(following, 'confirming');
    expect((await stack.transactionsOf(following))[0]?.nonce).toBe(1);
    await mine(CONFIRMATIONS);
    await stack.until(following, 'completed');
  }, 120_000);

  test('the chain takes that transaction back before it is deep: ours goes out again and lands', async () => {
    const id = await ask();
    await untilSubStatus(id, 'confirming');
    await takeNonce(id);
    const before = sent().length;
    await untilSent(before + 2);
    await anvil.reorganise(1);
    await anvil.client.setBalance({ address, value: FUNDED });
    await assertOnce(id);
  });
});

test('no node at all: it waits without a nonce, and goes on when there is one', async () => {
  const port = Number(new URL(`http://${node.host}`).port);
  node.stop();
  const id = await ask();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await stack.transactionsOf(id)).toEqual([]);
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await request.toArray()).join('');
      const answer = await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      response.end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await untilSubStatus(id, 'confirming');
  await mine(CONFIRMATIONS);
  await stack.until(id, 'completed');
  server.closeAllConnections();
  server.close();
});

interface Silent {
  stack: WithdrawalStack;
  /** Of what was sent to its node, in order. */
  sent(): Hex[];
  id: string;
  chain: Anvil;
  to: Address;
  stop(): Promise<void>;
}

/**
 * A withdrawal whose first broadcast is never answered, on a chain of its own: begun before all others and looked at
 * after them, since a node has twenty seconds.
 */
async function beginInSilence(): Promise<Silent> {
  const chain = await startAnvil();
  const mute = await startAnsweringProxy(chain.url);
  mute.answers.set(
    SEND,
    next(1, async (_, truth) => void (await truth())),
  );
  const own = await startWithdrawals({ [networkCode]: `http://${mute.host}` }, { fastRetries: true });
  const wallet = await own.makeWallet();
  const from = (await own.addressOf(wallet, networkCode)) as Address;
  await chain.client.setBalance({ address: from, value: FUNDED });
  await own.credit(wallet, networkCode, FUNDED);
  const recipient = anyEvmAddress();
  const id = await own.withdraw({ walletId: wallet, networkCode, amount: 1n, to: recipient });
  const stop = async () => {
    await own.stop();
    mute.stop();
    await chain.stop();
  };
  const sentToIt = () => mute.asked.filter(({ method }) => method === SEND).map(({ params }) => params[0] as Hex);
  return { stack: own, sent: sentToIt, id, chain, to: recipient, stop };
}

test('silence: after its time the same bytes go again', async () => {
  const { id, chain } = silent;
  await expect.poll(() => silent.sent().length, { timeout: 60_000 }).toBe(2);
  expect(new Set(silent.sent()).size).toBe(1);
  await expect.poll(async () => (await silent.stack.read(id)).subStatus, waiting).toBe('confirming');
  await chain.client.mine({ blocks: CONFIRMATIONS });
  await silent.stack.until(id, 'completed');
  expect(await chain.client.getBalance({ address: silent.to })).toBe(1n);
  expect(await silent.stack.transactionsOf(id)).toHaveLength(1);
}, 120_000);
