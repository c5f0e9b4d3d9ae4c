// Goal: a deposit that is read long after its block is credited although the second node keeps no state of that block,
// and one node that lies credits nothing by it (control D8). Method: an anvil and a database of each test's own; a
// proxy is a second node that has pruned, another one a first node that lies; the product's readings.
import { getAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { readGauges } from '../../../drizzle/observability/gauges.ts';
import {
  type AnsweringProxy,
  alters,
  refuses,
  says,
  startAnsweringProxy,
} from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { transferCall } from './fake-deposits/evm.ts';
import { TRANSFER, word } from './fake-deposits/hostile-code.ts';

const ETHEREUM = 'ETHEREUM_SANDBOX';
const PRUNED = 'missing trie node: state is not available';
/** Blocks between a deposit and the reading of it. */
const LATE = 40;
/** Of how many of the newest blocks the second node keeps the state. */
const KEPT = 8;

let anvil: Anvil;
let own: DepositDatabase;
let first: AnsweringProxy;
let second: AnsweringProxy;
let ours: Hex;
let walletId: string;

beforeEach(async () => {
  [anvil, own] = await Promise.all([startAnvil(), openDepositDatabase()]);
  [first, second] = await Promise.all([startAnsweringProxy(anvil.url), startAnsweringProxy(anvil.url)]);
  ours = privateKeyToAccount(generatePrivateKey()).address;
  walletId = await own.makeWallet('evm', ours);
  second.answers.set('debug_traceBlockByHash', refuses(PRUNED));
  second.answers.set('eth_call', async (response, truth) => {
    const at = stateAskedOf(second);
    const isKept = typeof at !== 'object' || (await ageOf(at.blockHash)) < KEPT;
    if (isKept) response.end(JSON.stringify(await truth()));
    else refuses(PRUNED)(response);
  });
});
afterEach(async () => {
  expect(await own.imbalances()).toEqual([]);
  for (const proxy of [first, second]) proxy.stop();
  await anvil.stop();
  await own.stop();
});

/** Of the call that was asked for last. */
const stateAskedOf = ({ asked }: AnsweringProxy) =>
  (asked.at(-1)?.params as unknown as [object, { blockHash: Hex } | 'latest'] | undefined)?.[1];

async function ageOf(blockHash: Hex): Promise<number> {
  const [{ number: head }, { number }] = await Promise.all([
    anvil.client.getBlock(),
    anvil.client.getBlock({ blockHash }),
  ]);
  return Number(head - number);
}

const mine = (blocks: number) => anvil.client.mine({ blocks });
const listed = async (program: Parameters<typeof deploy>[1]) => {
  const contract = getAddress(await deploy(anvil, program));
  return { contract, assetId: await own.makeAsset(ETHEREUM, contract) };
};
const payToken = (to: Hex, amount: bigint, recipient = ours) =>
  anvil.client.sendTransaction({ to, data: transferCall(recipient, amount), gas: 1_000_000n });
const chainAt = ({ host }: AnsweringProxy, trace = false) =>
  evmChain({ rpcUrl: `http://${host}`, chainId: 31_337, trace });
/** Each is a worker that has asked nothing yet. */
async function read({ trace = false } = {}) {
  const chains = { chain: chainAt(first, trace), second: chainAt(second, trace) };
  const watch = watchDeposits(own.db, { networkCode: ETHEREUM, ...chains });
  await watch.read();
  return watch;
}
/** The second node is asked when the reading has come to the newest blocks. */
async function readLate(options?: { trace: boolean }) {
  await read(options);
  return read(options);
}
const statuses = async () => (await own.allDeposits()).map(({ amountBaseUnits, status }) => [amountBaseUnits, status]);
const reasons = ({ lines }: Awaited<ReturnType<typeof read>>) =>
  lines
    .filter(({ message }) => message.startsWith('a deposit stays pending: the second node cannot be asked'))
    .map(({ meta }) => String(meta['reason']));

/** What the first node says that a balance grew by in each block of which it is asked. */
const claimsGain = (gain: bigint) =>
  first.answers.set('eth_call', async (response) => {
    const at = stateAskedOf(first);
    if (typeof at !== 'object') throw new Error('a balance was asked for without its block');
    const { number } = await anvil.client.getBlock(at);
    says(`${word(1n)}${word(number * gain).slice(2)}`)(response);
  });

test('what the log says, and its balance still covers, is credited', async () => {
  const { contract, assetId } = await listed('honestToken');
  await payToken(contract, 3n);
  await mine(LATE);
  await payToken(contract, 4n);
  await mine(KEPT - 4);
  await readLate();
  expect(await statuses()).toEqual([
    [3n, 'confirmed'],
    [4n, 'confirmed'],
  ]);
  expect(await own.balances(walletId, assetId)).toEqual({ available: 7n, pending_in: 0n });
});

test('while the reading itself is behind it waits', async () => {
  const { contract } = await listed('honestToken');
  await payToken(contract, 3n);
  await mine(LATE);
  second.answers.set('eth_call', refuses(PRUNED));
  expect(reasons(await readLate())).toEqual([expect.stringContaining(PRUNED)]);
  expect(await statuses()).toEqual([[3n, 'pending']]);
  expect((await readGauges(own.db)).chains).toMatchObject([{ network: ETHEREUM, unconfirmedDeposits: 1 }]);
});

test('a first node that invents it credits nothing', async () => {
  const { contract } = await listed('honestToken');
  await payToken(contract, 3n, privateKeyToAccount(generatePrivateKey()).address);
  await mine(LATE);
  claimsGain(3n);
  const toOurs = (logs: { topics: Hex[] }[]) =>
    logs.map((log) => ({ ...log, topics: [TRANSFER, log.topics[1], word(BigInt(ours))] }));
  first.answers.set('eth_getLogs', alters(toOurs));
  first.answers.set(
    'eth_getTransactionReceipt',
    alters((receipt: { logs: never[] }) => ({ ...receipt })),
  );
  await readLate();
  expect(await statuses()).toEqual([[3n, 'pending']]);
});

test.each(['lyingToken', 'feeToken'] as const)(
  'a first node that says a %s moved all that its log says credits nothing',
  async (program) => {
    const { contract } = await listed(program);
    await payToken(contract, 100n);
    await mine(LATE);
    claimsGain(100n);
    expect(reasons(await readLate())).toEqual([expect.stringContaining('does not cover')]);
    expect(await statuses()).toEqual([[100n, 'pending']]);
  },
);

test('nor does it by hiding a later deposit, whose money would cover it', async () => {
  const { contract } = await listed('feeToken');
  await payToken(contract, 100n);
  await mine(LATE);
  const hidden = await payToken(contract, 100n);
  await mine(KEPT - 4);
  claimsGain(100n);
  const { blockHash } = await anvil.client.getTransactionReceipt({ hash: hidden });
  first.answers.set(
    'eth_getLogs',
    alters((logs: { blockHash: Hex }[]) => logs.filter((log) => log.blockHash !== blockHash)),
  );
  expect(reasons(await readLate())).toEqual([expect.stringContaining('does not cover')]);
  expect(await statuses()).toEqual([[100n, 'pending']]);
});

test('what a transaction itself pays needs no trace, what a contract passes on does', async () => {
  const forwarder = await deploy(anvil, 'forwarder');
  await anvil.client.sendTransaction({ to: ours, value: 5n });
  await anvil.client.sendTransaction({ to: forwarder, value: 6n, data: `${word(BigInt(ours))}${word(0n).slice(2)}` });
  await mine(LATE);
  expect(reasons(await readLate({ trace: true }))).toEqual([expect.stringContaining('trace')]);
  expect(await statuses()).toEqual([
    [5n, 'confirmed'],
    [6n, 'pending'],
  ]);
  second.answers.clear(); // a node with an archive in its place
  await read({ trace: true });
  expect(await statuses()).toEqual([
    [5n, 'confirmed'],
    [6n, 'confirmed'],
  ]);
});
