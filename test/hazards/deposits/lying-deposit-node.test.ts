// Goal: a node that lies, lags or is another chain's credits nothing (control D8). Method: an anvil and a database of
// each test's own; a proxy before the anvil tells the lies; the product's readings, with a second node and without.
import { setTimeout as sleep } from 'node:timers/promises';
import { getAddress, type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { resumeNetwork } from '../../../drizzle/deposits/network-steps.ts';
import { parseThresholds, readWorkerConfig } from '../../../src/process/config.ts';
import { type AnsweringProxy, refuses, says, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { transferCall } from './fake-deposits/evm.ts';
import { lies } from './fake-deposits/lying-node.ts';

const ETHEREUM = 'ETHEREUM_SANDBOX';

let anvil: Anvil;
let own: DepositDatabase;
let ours: Hex;
let walletId: string;
let ether: string;
const chainOf = (rpcUrl = anvil.url) => evmChain({ rpcUrl, chainId: 31_337 });
const watching = () => watchDeposits(own.db, { networkCode: ETHEREUM, chain: chainOf() });
const mine = (blocks = 1) => anvil.client.mine({ blocks });
const pay = (value: bigint, to = ours) => anvil.client.sendTransaction({ to, value });
const balances = () => own.balances(walletId, ether);
const errorsOf = ({ lines }: ReturnType<typeof watchDeposits>) => lines.filter(({ level }) => level === 'ERROR');

beforeEach(async () => {
  [anvil, own] = await Promise.all([startAnvil(), openDepositDatabase()]);
  ether = await own.nativeAsset(ETHEREUM);
  ours = privateKeyToAccount(generatePrivateKey()).address;
  walletId = await own.makeWallet('evm', ours);
  await mine();
});
afterEach(async () => {
  expect(await own.imbalances()).toEqual([]);
  await anvil.stop();
  await own.stop();
});

describe('D8: nodes that lie, lag or are another chain’s', () => {
  let proxy: AnsweringProxy;
  let token: Hex;
  beforeEach(async () => {
    proxy = await startAnsweringProxy(anvil.url);
    token = getAddress(await deploy(anvil, 'honestToken'));
    await own.makeAsset(ETHEREUM, token);
  });
  afterEach(() => proxy.stop());

  const behindProxy = (fields: Partial<Parameters<typeof watchDeposits>[1]> = {}) =>
    watchDeposits(own.db, { networkCode: ETHEREUM, chain: chainOf(`http://${proxy.host}`), ...fields });
  const payToken = (to: Hex) =>
    anvil.client.sendTransaction({ to: token, data: transferCall(to, 3n), gas: 1_000_000n });
  /** A block with a true payment and a transfer of the token to somebody else, and what confirms it. */
  const payAmidOthers = async () => {
    await pay(5n);
    await payToken(privateKeyToAccount(generatePrivateKey()).address);
    await mine(4);
  };

  test.each(lies.filter(({ believable }) => believable !== true))(
    'D8: $name: it is seen through',
    async ({ answers }) => {
      await watching().read();
      await payAmidOthers();
      const watch = behindProxy();
      for (const [method, answer] of Object.entries(answers(ours, token, proxy.asked)))
        proxy.answers.set(method, answer);
      const askedBefore = proxy.asked.length;
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const reading = await watch.readOnce().catch(() => undefined);
        expect(reading?.behind === true && reading.blocks === 0).toBe(false); // it would be read again without end
      }
      expect(proxy.asked.slice(askedBefore).some(({ method }) => method in answers(ours, token, proxy.asked))).toBe(
        true,
      );
      for (const { amountBaseUnits } of await own.allDeposits()) expect(amountBaseUnits).toBe(5n);
      expect(await watch.state().catch(() => ({ haltedReason: null }))).toMatchObject({ haltedReason: null });
      proxy.answers.clear();
      await behindProxy().read();
      expect(await own.allDeposits()).toMatchObject([{ walletId, amountBaseUnits: 5n, status: 'confirmed' }]);
      expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
    },
  );

  test.each(lies.filter(({ believable }) => believable === true))(
    'D8: $name: it stays pending, for the second node does not tell it',
    async ({ answers }) => {
      await watching().read();
      const { nextBlock } = await watching().state();
      await payAmidOthers();
      for (const [method, answer] of Object.entries(answers(ours, token, proxy.asked)))
        proxy.answers.set(method, answer);
      const watch = behindProxy({ second: chainOf() });
      await watch.read();
      await mine(5);
      await watch.read();
      const forged = (await own.allDeposits()).filter(({ amountBaseUnits }) => amountBaseUnits !== 5n);
      expect(forged).toMatchObject([{ status: 'pending', walletId }]);
      expect(errorsOf(watch).map(({ message }) => message)).toContain(
        'a deposit stays pending: the second node does not tell of it what the first one did',
      );
      const credited = (await own.allDeposits()).filter(({ status }) => status === 'confirmed');
      for (const { amountBaseUnits } of credited) expect(amountBaseUnits).toBe(5n);
      // The operator has the node replaced, and what it told read again.
      proxy.answers.clear();
      await resumeNetwork(own.db, (await watch.network()).id, nextBlock);
      await behindProxy({ second: chainOf() }).read();
      expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
      const confirmed = (await own.allDeposits()).filter(({ status }) => status === 'confirmed');
      expect(confirmed).toMatchObject([{ amountBaseUnits: 5n, walletId }]);
    },
  );

  test('D8: without a second node these lies would be believed', async () => {
    const [lie] = lies.filter(({ believable }) => believable === true);
    await watching().read();
    await payAmidOthers();
    for (const [method, answer] of Object.entries(lie?.answers(ours, token, proxy.asked) ?? {}))
      proxy.answers.set(method, answer);
    await behindProxy().read();
    expect((await balances()).available).toBeGreaterThan(5n);
  });

  test('D8: a node that leaves out logs is found out by a second look', async () => {
    const asset = await own.makeAsset(ETHEREUM, getAddress(await deploy(anvil, 'honestToken')));
    proxy.answers.set('eth_getLogs', says([]));
    const hash = await payToken(ours);
    await mine(3);
    const watch = behindProxy();
    await watch.read();
    expect(await own.allDeposits()).toEqual([]);
    proxy.answers.clear();
    expect(await watch.rescan(hash)).toEqual({ outcome: 'recorded', found: 1, recorded: 1 });
    await watch.read();
    expect(await own.allDeposits()).toMatchObject([{ amountBaseUnits: 3n, status: 'confirmed' }]);
    expect(await own.balances(walletId, asset)).toEqual({ available: 0n, pending_in: 0n });
  });

  test('D8: a node that lags takes nothing back and gives nothing early', async () => {
    const watch = behindProxy();
    const old = await anvil.client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
    await pay(5n);
    await mine();
    await watch.read();
    expect(await balances()).toEqual({ available: 0n, pending_in: 5n });
    proxy.answers.set('eth_getBlockByNumber', async (response, truth) => {
      const isHead = proxy.asked.at(-1)?.params[0] === ('latest' as never);
      says(isHead ? old : (await truth()).result)(response);
    });
    await mine(3);
    await watch.read();
    expect(await balances()).toEqual({ available: 0n, pending_in: 5n });
    proxy.answers.clear();
    await watch.read();
    expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
  });

  test('D8: another chain behind the address is not believed', async () => {
    await pay(5n);
    await mine(3);
    await watching().read();
    await sleep(1_100); // two that begin in one second have the same first block
    const other = await startAnvil();
    await other.client.sendTransaction({ to: ours, value: 9n });
    await other.client.mine({ blocks: 20 });
    const watch = watchDeposits(own.db, { networkCode: ETHEREUM, chain: chainOf(other.url) });
    expect(await watch.read()).toMatchObject({ state: 'halted' });
    expect(await balances()).toEqual({ available: 5n, pending_in: 0n });
    await other.stop();
  });

  test('D8: thresholds are read strictly', () => {
    const variables = { DATABASE_URL: 'postgres://a', TEMPORAL_ADDRESS: 'a:1', MPC_NODES: '1=a:1' };
    const others = { MPC_CLUSTER_FILE: 'a', MPC_CREDENTIALS_DIR: 'a', KEY_ENCRYPTION_KEY: '0f'.repeat(32) };
    const thresholdsOf = (DEPOSIT_SECOND_SOURCE_ABOVE: string) =>
      parseThresholds(
        readWorkerConfig({ ...variables, ...others, DEPOSIT_SECOND_SOURCE_ABOVE }).DEPOSIT_SECOND_SOURCE_ABOVE,
      );
    expect(thresholdsOf('ETH=5,USDC=10000.5')).toEqual({ ETH: '5', USDC: '10000.5' });
    expect(thresholdsOf('')).toEqual({});
    for (const text of ['ETH', 'ETH=1e5', 'ETH=-1', 'ETH=05', 'ETH=5,', 'ETH=.5'])
      expect(() => thresholdsOf(text)).toThrow('DEPOSIT_SECOND_SOURCE_ABOVE is not valid');
  });

  test('D8: the second node is asked above the threshold only, and waited for while it lags or is away', async () => {
    await pay(parseEther('1'));
    await pay(parseEther('1') + 1n);
    await mine(3);
    const isSmall = ({ amountBaseUnits }: { amountBaseUnits: bigint }) => amountBaseUnits === parseEther('1');
    const standing = async () =>
      Object.fromEntries((await own.allDeposits()).map((each) => [isSmall(each) ? 'small' : 'large', each.status]));
    const second = chainOf(`http://${proxy.host}`);
    const read = async () => {
      const watch = watchDeposits(own.db, { networkCode: ETHEREUM, chain: chainOf(), second, above: { ETH: '1' } });
      await watch.read();
      return watch;
    };
    proxy.answers.set('eth_getBlockByNumber', says(null));
    expect(errorsOf(await read())).toHaveLength(1);
    expect(await standing()).toEqual({ small: 'confirmed', large: 'pending' });
    proxy.answers.set('eth_getBlockByNumber', refuses('away'));
    expect((await read()).lines.filter(({ level }) => level === 'WARN')).toHaveLength(1);
    expect(await standing()).toEqual({ small: 'confirmed', large: 'pending' });
    proxy.answers.clear();
    await read();
    expect(await standing()).toEqual({ small: 'confirmed', large: 'confirmed' });
  });
});
