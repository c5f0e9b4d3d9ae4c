// Goal: whoever holds one of the two nodes of an EVM chain has no money paid twice, given back or called paid: how a
// withdrawal ended is for both to say, and while one contradicts, cannot tell or cannot be asked, it waits and says so.
// Method: the product's workflow and activities on real PostgreSQL, Temporal and anvil; two proxies stand before one
// anvil, and one of them lies.
import { type Address, type Hex, keccak256, parseEther, parseGwei } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import {
  type Answer,
  type AnsweringProxy,
  alters,
  refuses,
  says,
  startAnsweringProxy,
} from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const CONFIRMATIONS = 3;
const FUNDED = parseEther('10');
const AMOUNT = parseEther('1');
const SEND = 'eth_sendRawTransaction';
const RECEIPT = 'eth_getTransactionReceipt';
const waiting = { timeout: 60_000, interval: 50 };

type Receipt = { status: Hex; transactionHash: Hex } | null;
type Role = 'first' | 'second';

let anvil: Anvil;
let nodes: Record<Role, AnsweringProxy>;
let stack: WithdrawalStack;
let walletId: string;
let address: Address;
let to: Address;

beforeAll(async () => {
  anvil = await startAnvil();
  nodes = { first: await startAnsweringProxy(anvil.url), second: await startAnsweringProxy(anvil.url) };
  const secondRpcUrls = { [networkCode]: `http://${nodes.second.host}` };
  const options = { fastRetries: true, confirmations: CONFIRMATIONS, secondRpcUrls } as const;
  stack = await startWithdrawals({ [networkCode]: `http://${nodes.first.host}` }, options);
});
afterAll(async () => {
  await stack.stop();
  for (const node of Object.values(nodes)) node.stop();
  await anvil.stop();
});
beforeEach(() => makeWallet());
async function makeWallet(): Promise<void> {
  walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as Address;
  to = anyEvmAddress();
  await anvil.client.setBalance({ address, value: FUNDED });
  await stack.credit(walletId, networkCode, FUNDED);
}
afterEach(() => {
  for (const node of Object.values(nodes)) node.answers.clear();
});

const mine = (blocks: number) => anvil.client.mine({ blocks });
const untilSubStatus = (id: string, subStatus: string) =>
  expect.poll(async () => (await stack.read(id)).subStatus, waiting).toBe(subStatus);

/** Its transaction is out and waits for a block. */
async function ask(): Promise<string> {
  const id = await stack.withdraw({ walletId, networkCode, amount: AMOUNT, to });
  await untilSubStatus(id, 'confirming');
  return id;
}

/** Looked at many times, it has neither ended nor given anything back, and its history says why. */
async function assertWaits(id: string, why: RegExp): Promise<void> {
  const last = async () => (await listWithdrawalEvents(stack.db, id)).at(-1)?.details;
  await expect.poll(last, waiting).toMatch(why);
  const looks = () => nodes.first.asked.filter(({ method }) => method === RECEIPT).length;
  const before = looks();
  await mine(CONFIRMATIONS);
  await expect.poll(looks, waiting).toBeGreaterThan(before + 6);
  expect(await stack.read(id)).toMatchObject({ status: 'processing', subStatus: 'stuck' });
  expect(await stack.balance(walletId, networkCode, 'held')).toBeGreaterThan(AMOUNT);
  expect(await last()).toMatch(why);
}

/** Once both tell the truth: completed, by one transaction, and the ledger is what the chain is. */
async function assertPaidOnce(id: string): Promise<void> {
  for (const node of Object.values(nodes)) node.answers.clear();
  const look = async () => {
    await mine(1);
    return (await stack.read(id)).status;
  };
  await expect.poll(look, { timeout: 60_000, interval: 100 }).toBe('completed');
  expect(await anvil.client.getBalance({ address: to })).toBe(AMOUNT);
  await expectSettled(stack, walletId, networkCode, { ETH: await anvil.client.getBalance({ address }) });
}

describe.each(['first', 'second'] as const)('the %s node lies about what has landed', (liar) => {
  const lies: [what: string, answer: Answer, why: RegExp][] = [
    ['it failed', alters((receipt: Receipt) => receipt && { ...receipt, status: '0x0' }), /with another result/],
    [
      'it cost more',
      alters((receipt: Receipt) => receipt && { ...receipt, effectiveGasPrice: '0xffffffffff' }),
      /another fee/,
    ],
  ];
  test.each(lies)('%s: nothing is given back, and it waits', async (_what, answer, why) => {
    const id = await ask();
    nodes[liar].answers.set(RECEIPT, answer);
    await mine(CONFIRMATIONS);
    await assertWaits(id, why);
    await assertPaidOnce(id);
  });
});

test('a payment that one node made up is not called paid', async () => {
  nodes.first.answers.set(SEND, async (response) => {
    const [raw] = nodes.first.asked.findLast(({ method }) => method === SEND)?.params ?? [];
    says(keccak256(raw as unknown as Hex))(response);
  });
  const id = await ask();
  await mine(CONFIRMATIONS);
  const { hash: blockHash } = await anvil.client.getBlock({ blockNumber: 1n });
  const made = { blockHash, blockNumber: '0x1', status: '0x1', gasUsed: '0x5208', effectiveGasPrice: '0x1' };
  nodes.first.answers.set(RECEIPT, says(made));
  await assertWaits(id, /second node does not have it in block 1/);
  expect(await anvil.client.getBalance({ address: to })).toBe(0n);
  await assertPaidOnce(id);
});

test('the second node denies what has landed: it is not completed before it agrees', async () => {
  const id = await ask();
  for (const method of [RECEIPT, 'eth_getTransactionByHash']) nodes.second.answers.set(method, says(null));
  await mine(CONFIRMATIONS);
  await assertWaits(id, /second node does not have it/);
  await assertPaidOnce(id);
});

test('a second node that cannot be asked is none that agrees', async () => {
  const id = await ask();
  nodes.second.answers.set(RECEIPT, (response) => void response.destroy());
  await mine(CONFIRMATIONS);
  await assertWaits(id, /second node cannot answer/);
  await assertPaidOnce(id);
});

test('a second node that is a few blocks behind is waited for, without a word', async () => {
  const id = await ask();
  const head = await anvil.client.getBlockNumber();
  nodes.second.answers.set(RECEIPT, says(null));
  nodes.second.answers.set('eth_getBlockByNumber', async (response, truth) => {
    const { result } = (await truth()) as { result: object };
    says({ ...result, number: `0x${head.toString(16)}` })(response);
  });
  await mine(CONFIRMATIONS);
  await expect.poll(async () => (await stack.read(id)).confirmations, waiting).toBeNull();
  const asked = nodes.second.asked.length;
  await expect.poll(() => nodes.second.asked.length, waiting).toBeGreaterThan(asked + 6);
  expect(await stack.read(id)).toMatchObject({ status: 'processing', subStatus: 'confirming' });
  await assertPaidOnce(id);
});

test('a node that calls a drop the one that landed gives nothing back of what was paid', async () => {
  const id = await ask();
  await stack.replace(id, 'drop');
  await expect.poll(async () => (await stack.transactionsOf(id))[1]?.status, waiting).toBe('broadcast');
  const [transfer, drop] = await stack.transactionsOf(id);
  nodes.first.answers.set(SEND, refuses('nonce too low')); // before: what is dropped would be sent again at once
  await anvil.client.dropTransaction({ hash: drop?.txHash as Hex });
  await anvil.client.sendRawTransaction({ serializedTransaction: transfer?.signed as Hex });
  nodes.first.answers.set(RECEIPT, async (response) => {
    const [hash] = (nodes.first.asked.findLast(({ method }) => method === RECEIPT)?.params ?? []) as unknown[];
    const landed = hash === drop?.txHash ? transfer?.txHash : '0x';
    const receipt = landed === '0x' ? null : await receiptOf(landed as Hex);
    says(receipt)(response);
  });
  nodes.first.answers.set('eth_getTransactionByHash', says(null));
  await mine(CONFIRMATIONS);
  expect(await anvil.client.getBalance({ address: to })).toBe(AMOUNT);
  await assertWaits(id, /second node does not have it in block/);
  await assertPaidOnce(id);
});

const receiptOf = (hash: Hex) => anvil.client.request({ method: RECEIPT, params: [hash] });

describe('the only node of a network, that is not believed alone', () => {
  let alone: WithdrawalStack;
  let both: WithdrawalStack;
  beforeAll(async () => {
    const options = { fastRetries: true, confirmations: CONFIRMATIONS, trustedAlone: [] } as const;
    alone = await startWithdrawals({ [networkCode]: `http://${nodes.first.host}` }, options);
  });
  afterAll(() => alone.stop());
  beforeEach(async () => {
    both = stack;
    stack = alone;
    await makeWallet();
  });
  afterEach(() => {
    stack = both;
  });

  test('says that a payment failed: nothing is given back', async () => {
    const id = await ask();
    nodes.first.answers.set(
      RECEIPT,
      alters((receipt: Receipt) => receipt && { ...receipt, status: '0x0' }),
    );
    await mine(CONFIRMATIONS);
    await assertWaits(id, /only node of ETHEREUM_SANDBOX says that nothing moved.*SINGLE_NODE_NETWORKS/);
    await assertPaidOnce(id);
  });

  test('says that the nonce was used by another transaction: nothing is given back', async () => {
    const id = await ask();
    for (const method of [RECEIPT, 'eth_getTransactionByHash']) nodes.first.answers.set(method, says(null));
    nodes.first.answers.set(SEND, refuses('nonce too low'));
    await mine(CONFIRMATIONS + 1);
    await assertWaits(id, /only node of ETHEREUM_SANDBOX says that nothing moved/);
    await assertPaidOnce(id);
  });
});

describe('what can never land', () => {
  /** Its nonce is used by a transaction that the service does not know, and both nodes say so. */
  async function takeNonce(id: string): Promise<void> {
    const { txHash } = await stack.read(id);
    nodes.first.answers.set(SEND, (response) => void response.destroy());
    await anvil.client.dropTransaction({ hash: txHash as Hex });
    await anvil.client.impersonateAccount({ address });
    const [account, gasPrice] = [address, parseGwei('50')];
    await anvil.client.sendTransaction({ account, to: anyEvmAddress(), value: 5n, nonce: 0, gas: 21_000n, gasPrice });
    await anvil.client.stopImpersonatingAccount({ address });
    await mine(CONFIRMATIONS);
    nodes.first.answers.clear();
  }
  const untilGivenBack = async (id: string) => {
    nodes.second.answers.clear();
    expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'replaced_elsewhere' });
    expect(await stack.balance(walletId, networkCode, 'held')).toBe(0n);
  };

  const silences: [what: string, method: string, answer: Answer, why: RegExp][] = [
    [
      'whose history begins later',
      'eth_getBlockByNumber',
      alters((block: { number: Hex } | null) => (block !== null && block.number === '0x0' ? null : block)),
      /first node says that another transaction has taken this nonce.*second node says that its history begins after/,
    ],
    ['that cannot be asked', 'eth_getTransactionCount', refuses('not now'), /second node says that it cannot answer/],
    [
      'that calls the nonce free',
      'eth_getTransactionCount',
      says('0x0'),
      /first node says that another transaction has taken this nonce\. The second node says that its nonce is not used/,
    ],
  ];
  test.each(silences)('is not given back while there is a second node %s', async (_what, method, answer, why) => {
    const id = await ask();
    nodes.second.answers.set(method, answer);
    await takeNonce(id);
    await assertWaits(id, why);
    await untilGivenBack(id);
  });
});
