// Goal: a withdrawal of an ERC-20 token and a contract call move what was asked, once, and cost ether alone, whatever
// the token does meanwhile. Method: the product's workflow and activities on real PostgreSQL, Temporal and anvil with
// the sandbox's dollar; the cluster is in memory.
import { type Address, concatHex, encodeFunctionData, type Hex, numberToHex, pad, parseEther, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FeeQuote } from '../../../activities/chains/port/transactions.ts';
import { dollars, treasuries } from '../../../domain/catalog/sandbox.ts';
import type { StoredCall } from '../../../domain/withdrawals/stored-call.ts';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import { dollarAddress, ensureDollar } from '../../../src/local/ethereum/dollar.ts';
import { askNode } from '../../../src/local/json-rpc.ts';
import { type AnsweringProxy, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { expectSettled } from '../../support/withdrawals/expect-settled.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const USDC = 1_000_000n;
const FUNDED = 100n * USDC;
const ETHER = parseEther('1');
const REVERTS: Hex = '0x5f5ffd';
const erc20 = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'address' }, { type: 'uint256' }],
    outputs: [{ type: 'bool' }],
  },
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ type: 'address' }],
    outputs: [{ type: 'uint256' }],
  },
] as const;

let anvil: Anvil;
let node: AnsweringProxy;
let stack: WithdrawalStack;
let walletId: string;
let address: Address;

beforeAll(async () => {
  anvil = await startAnvil();
  await ensureDollar(askNode(anvil.url));
  node = await startAnsweringProxy(anvil.url);
  stack = await startWithdrawals({ [networkCode]: `http://${node.host}` });
});
afterAll(async () => {
  await stack.stop();
  node.stop();
  await anvil.stop();
});
beforeEach(async () => {
  walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as Address;
  await anvil.client.setBalance({ address, value: ETHER });
  await payDollars(address, FUNDED);
  await stack.credit(walletId, networkCode, ETHER);
  await stack.credit(walletId, networkCode, FUNDED, 'USDC');
});
afterEach(() => node.answers.clear());

async function payDollars(to: Address, amount: bigint): Promise<void> {
  const account = privateKeyToAccount(`0x${treasuries.ETHEREUM_SANDBOX.privateKey}`);
  await anvil.client.writeContract({
    account,
    address: dollarAddress,
    abi: erc20,
    functionName: 'transfer',
    args: [to, amount],
  });
  await anvil.client.mine({ blocks: 1 });
}

const dollarsOf = (holder: Address) =>
  anvil.client.readContract({ address: dollarAddress, abi: erc20, functionName: 'balanceOf', args: [holder] });
const etherOf = (holder: Address) => anvil.client.getBalance({ address: holder });
const held = (symbol: string) => stack.balance(walletId, networkCode, 'held', symbol);
const available = (symbol: string) => stack.balance(walletId, networkCode, 'available', symbol);
const subStatusOf = async (id: string) => (await stack.read(id)).subStatus;
const until = (isSo: () => Promise<unknown>, what: unknown) => expect.poll(isSo, { timeout: 60_000 }).toEqual(what);
const untilConfirming = (id: string) => until(() => subStatusOf(id), 'confirming');
const gasLimitOf = (row?: { fee: unknown }) => (row?.fee as FeeQuote | undefined)?.parameters['gasLimit'];
const withdrawDollars = (amount: bigint, to: Address) =>
  stack.withdraw({ walletId, networkCode, amount, to, symbol: 'USDC' });

async function expectLedgerIsChain(): Promise<void> {
  await expectSettled(stack, walletId, networkCode, { ETH: await etherOf(address), USDC: await dollarsOf(address) });
}

test('the token is that of the catalogue', () => {
  expect(dollarAddress).toBe(dollars.ETHEREUM_SANDBOX);
});

describe('a token', () => {
  test('the amount is held and paid in the token, the fee in ether', async () => {
    const to = anyEvmAddress();
    const id = await withdrawDollars(40n * USDC, to);
    await untilConfirming(id);
    const [{ maxFeeBaseUnits: maxFee } = { maxFeeBaseUnits: 0n }] = await stack.transactionsOf(id);
    expect([await held('USDC'), await available('USDC')]).toEqual([40n * USDC, 60n * USDC]);
    expect([await held('ETH'), await available('ETH')]).toEqual([maxFee, ETHER - maxFee]);
    expect(maxFee).toBeGreaterThan(0n);
    await anvil.client.mine({ blocks: 2 });
    const row = await stack.until(id, 'completed');
    expect(await dollarsOf(to)).toBe(40n * USDC);
    const paid = ETHER - (await etherOf(address));
    expect(row.feePaidBaseUnits).toBe(paid);
    expect(paid).toBeLessThanOrEqual(maxFee);
    expect(await dollarsOf(address)).toBe(60n * USDC);
    await expectLedgerIsChain();
  });

  test('that reverts when its turn comes gives the amount back and pays the fee', async () => {
    const to = anyEvmAddress();
    const id = await withdrawDollars(40n * USDC, to);
    await untilConfirming(id);
    const code = (await anvil.client.getCode({ address: dollarAddress })) ?? '0x';
    await anvil.client.setCode({ address: dollarAddress, bytecode: REVERTS });
    await anvil.client.mine({ blocks: 2 });
    await anvil.client.setCode({ address: dollarAddress, bytecode: code });
    const row = await stack.until(id, 'failed');
    expect(row).toMatchObject({ subStatus: 'reverted', errorCode: 'reverted' });
    expect(row.feePaidBaseUnits).toBeGreaterThan(0n);
    expect(await dollarsOf(to)).toBe(0n);
    expect(await dollarsOf(address)).toBe(FUNDED);
    await expectLedgerIsChain();
  });

  test('that is refused whenever its gas is estimated waits, and its history says why, once', async () => {
    const code = (await anvil.client.getCode({ address: dollarAddress })) ?? '0x';
    await anvil.client.setCode({ address: dollarAddress, bytecode: REVERTS });
    const to = anyEvmAddress();
    const id = await withdrawDollars(40n * USDC, to);
    const reasons = async () =>
      (await listWithdrawalEvents(stack.db, id)).filter(({ details }) => /^It waits: .*revert/.test(details ?? ''));
    await until(async () => (await reasons()).length, 1);
    await new Promise((done) => setTimeout(done, 2_000)); // it is tried again meanwhile
    expect(await reasons()).toHaveLength(1);
    expect(await subStatusOf(id)).toBe('queued');
    expect(await stack.transactionsOf(id)).toEqual([]);
    await anvil.client.setCode({ address: dollarAddress, bytecode: code });
    await untilConfirming(id);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
    await expectLedgerIsChain();
  });

  test('without ether for the gas it waits, with no nonce taken, until there is some', async () => {
    await anvil.client.setBalance({ address, value: 0n });
    const to = anyEvmAddress();
    const id = await withdrawDollars(40n * USDC, to);
    await until(() => subStatusOf(id), 'insufficient_funds');
    expect((await stack.read(id)).shortage).toMatchObject({ symbol: 'ETH', missing: expect.stringMatching(/^0\.00/) });
    expect(await stack.transactionsOf(id)).toEqual([]);
    expect([await held('ETH'), await held('USDC')]).toEqual([0n, 40n * USDC]);
    await anvil.client.setBalance({ address, value: ETHER });
    await untilConfirming(id);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
    expect((await stack.transactionsOf(id)).map(({ nonce }) => nonce)).toEqual([0]);
    expect(await dollarsOf(to)).toBe(40n * USDC);
    await expectLedgerIsChain();
  });

  test('of which the chain has less than the ledger says waits, too', async () => {
    await stack.credit(walletId, networkCode, 20n * USDC, 'USDC');
    const to = anyEvmAddress();
    const id = await withdrawDollars(FUNDED + 20n * USDC, to);
    await until(() => subStatusOf(id), 'insufficient_funds');
    expect((await stack.read(id)).shortage).toMatchObject({ symbol: 'USDC', missing: '20' });
    await payDollars(address, 20n * USDC);
    await untilConfirming(id);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
    expect(await dollarsOf(to)).toBe(FUNDED + 20n * USDC);
    await expectLedgerIsChain();
  });

  test('two withdrawals of one wallet at once each pay their own', async () => {
    const [one, other] = [anyEvmAddress(), anyEvmAddress()];
    const ids = await Promise.all([withdrawDollars(30n * USDC, one), withdrawDollars(70n * USDC, other)]);
    for (const id of ids) await untilConfirming(id);
    await anvil.client.mine({ blocks: 2 });
    for (const id of ids) await stack.until(id, 'completed');
    expect([await dollarsOf(one), await dollarsOf(other)]).toEqual([30n * USDC, 70n * USDC]);
    await expectLedgerIsChain();
  });

  test('is given the gas that it takes by itself, also beside one that paves its way and may be dropped', async () => {
    const to = anyEvmAddress();
    const first = await withdrawDollars(USDC, to);
    await untilConfirming(first);
    const second = await withdrawDollars(USDC, to);
    await untilConfirming(second);
    expect(gasLimitOf((await stack.transactionsOf(second))[0])).toBe(
      gasLimitOf((await stack.transactionsOf(first))[0]),
    );
    await stack.replace(first, 'drop');
    await until(
      async () => (await stack.transactionsOf(first)).map(({ status }) => status),
      ['broadcast', 'broadcast'],
    );
    await anvil.client.mine({ blocks: 2 });
    await stack.until(first, 'failed');
    await stack.until(second, 'completed');
    expect(await dollarsOf(to)).toBe(USDC);
    await expectLedgerIsChain();
  });

  test('sped up: one of the two lands, and only its fee is paid', async () => {
    const to = anyEvmAddress();
    const id = await withdrawDollars(FUNDED, to);
    await untilConfirming(id);
    await stack.replace(id, 'speed_up');
    await until(async () => (await stack.transactionsOf(id)).map(({ status }) => status), ['broadcast', 'broadcast']);
    const [first, second] = await stack.transactionsOf(id);
    expect(second?.maxFeeBaseUnits).toBeGreaterThan(first?.maxFeeBaseUnits ?? 0n);
    expect(gasLimitOf(second)).toBe(gasLimitOf(first)); // a trial beside the first would ask for less
    expect(await held('ETH')).toBe(second?.maxFeeBaseUnits);
    await anvil.client.mine({ blocks: 2 });
    expect((await stack.until(id, 'completed')).txHash).toBe(second?.txHash);
    expect(await dollarsOf(to)).toBe(FUNDED);
    await expectLedgerIsChain();
  });

  test('sped up on a chain that has become dearer it offers what is asked now', async () => {
    const to = anyEvmAddress();
    const id = await withdrawDollars(FUNDED, to);
    await untilConfirming(id);
    await anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('50') });
    await anvil.client.mine({ blocks: 1 });
    expect(await dollarsOf(to)).toBe(0n);
    await stack.replace(id, 'speed_up');
    await until(async () => (await stack.transactionsOf(id)).map(({ status }) => status), ['broadcast', 'broadcast']);
    await anvil.client.mine({ blocks: 2 });
    const row = await stack.until(id, 'completed');
    expect(row.txHash).toBe((await stack.transactionsOf(id))[1]?.txHash);
    expect(await dollarsOf(to)).toBe(FUNDED);
    await expectLedgerIsChain();
    await anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('1') });
    await anvil.client.mine({ blocks: 1 });
  });

  test('dropped: the tokens are free again once nothing has taken the nonce, and not before', async () => {
    const to = anyEvmAddress();
    const id = await withdrawDollars(40n * USDC, to);
    await untilConfirming(id);
    await stack.replace(id, 'drop');
    await until(async () => (await stack.transactionsOf(id)).map(({ status }) => status), ['broadcast', 'broadcast']);
    expect(await held('USDC')).toBe(40n * USDC);
    await anvil.client.mine({ blocks: 1 });
    await until(async () => (await stack.read(id)).confirmations, 1);
    expect(await held('USDC')).toBe(40n * USDC);
    await anvil.client.mine({ blocks: 1 });
    expect(await stack.until(id, 'failed')).toMatchObject({ subStatus: 'replaced', errorCode: 'dropped' });
    expect(await dollarsOf(to)).toBe(0n);
    expect(await dollarsOf(address)).toBe(FUNDED);
    await expectLedgerIsChain();
  });

  test('a speed-up that comes too late, when the tokens have left, changes nothing: the first completes it', async () => {
    const to = anyEvmAddress();
    const id = await withdrawDollars(FUNDED, to);
    await untilConfirming(id);
    node.answers.set('eth_estimateGas', async (response, truth) => {
      await anvil.client.mine({ blocks: 1 });
      response.end(JSON.stringify(await truth()));
    });
    await stack.replace(id, 'speed_up');
    await until(async () => (await dollarsOf(to)) === FUNDED, true);
    await anvil.client.mine({ blocks: 1 });
    const row = await stack.until(id, 'completed');
    expect(row.txHash).toBe((await stack.transactionsOf(id))[0]?.txHash);
    await expectLedgerIsChain();
  });

  test('a speed-up that the wallet cannot pay is not made: the first lands and completes it', async () => {
    const id = await withdrawDollars(40n * USDC, anyEvmAddress());
    await untilConfirming(id);
    const rest = await available('ETH');
    const other = await stack.withdraw({ walletId, networkCode, amount: rest, to: anyEvmAddress() });
    await until(() => subStatusOf(other), 'insufficient_funds');
    await stack.replace(id, 'speed_up');
    await until(async () => (await stack.read(id)).requestedReplacement, null);
    expect(await stack.transactionsOf(id)).toHaveLength(1);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
    expect(await held('USDC')).toBe(0n);
  });
});

describe('a contract call', () => {
  const call = (to: Address, amount: bigint, asked: StoredCall) =>
    stack.withdraw({
      walletId,
      networkCode,
      amount,
      to,
      fields: { method: 'contract_call', call: asked },
    });
  const sentBy = async (id: string) => {
    const hash = (await stack.read(id)).txHash as Hex;
    return anvil.client.getTransaction({ hash });
  };

  test('is sent as it was written: data, value, gas limit, access list, prices and the nonce that was wanted', async () => {
    const forwarder = await deploy(anvil, 'forwarder');
    const to = anyEvmAddress();
    const data = concatHex([pad(to), numberToHex(0, { size: 32 })]);
    const accessList = [{ address: forwarder.toLowerCase() as Address, storageKeys: [numberToHex(7, { size: 32 })] }];
    const prices = { maxFeePerGas: `${parseGwei('30')}`, maxPriorityFeePerGas: `${parseGwei('2')}` };
    const id = await call(forwarder, 5n, { data, accessList, gasLimit: '123456', nonce: 0, ...prices });
    await untilConfirming(id);
    expect(await held('ETH')).toBe(5n + 123_456n * parseGwei('30'));
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
    expect(await sentBy(id)).toMatchObject({
      input: data,
      value: 5n,
      gas: 123_456n,
      nonce: 0,
      accessList,
      type: 'eip1559',
      maxFeePerGas: parseGwei('30'),
      maxPriorityFeePerGas: parseGwei('2'),
    });
    expect(await etherOf(to)).toBe(5n);
    await expectLedgerIsChain();
  });

  test('that is a transfer of a token is held and booked in the token', async () => {
    const to = anyEvmAddress();
    const data = encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to, 30n * USDC] });
    const fields = { method: 'contract_call', call: { data } } as const;
    const id = await stack.withdraw({
      walletId,
      networkCode,
      amount: 30n * USDC,
      to: dollarAddress,
      symbol: 'USDC',
      fields,
    });
    await untilConfirming(id);
    expect([await held('USDC'), await available('USDC')]).toEqual([30n * USDC, 70n * USDC]);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
    expect(await sentBy(id)).toMatchObject({ to: dollarAddress.toLowerCase(), value: 0n, input: data });
    expect(await dollarsOf(to)).toBe(30n * USDC);
    await expectLedgerIsChain();
  });

  test('without a gas limit it is estimated', async () => {
    const forwarder = await deploy(anvil, 'forwarder');
    const to = anyEvmAddress();
    const id = await call(forwarder, 5n, { data: concatHex([pad(to), numberToHex(0, { size: 32 })]) });
    await untilConfirming(id);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
    expect(await etherOf(to)).toBe(5n);
    await expectLedgerIsChain();
  });

  test('with a nonce that is not the next one fails, and takes none', async () => {
    const id = await call(anyEvmAddress(), 5n, { data: '0x', nonce: 3 });
    expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'nonce_taken' });
    expect(await stack.transactionsOf(id)).toEqual([]);
    await expectLedgerIsChain();
    const next = await call(anyEvmAddress(), 5n, { data: '0x', nonce: 0 });
    await untilConfirming(next);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(next, 'completed');
    await expectLedgerIsChain();
  });

  test('that can never be sent as it was written fails at once, with everything released', async () => {
    for (const asked of [{ data: '0x123' }, { data: '0x', accessList: [{ address: '0x12', storageKeys: [] }] }]) {
      const id = await call(anyEvmAddress(), 5n, asked);
      expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'impossible_transfer' });
    }
    await expectLedgerIsChain();
  });

  test('sped up it is the same call, at a higher price than its caller gave', async () => {
    const forwarder = await deploy(anvil, 'forwarder');
    const to = anyEvmAddress();
    const data = concatHex([pad(to), numberToHex(0, { size: 32 })]);
    const prices = { maxFeePerGas: `${parseGwei('3')}`, maxPriorityFeePerGas: `${parseGwei('1')}` };
    const id = await call(forwarder, 5n, { data, gasLimit: '100000', nonce: 0, ...prices });
    await untilConfirming(id);
    await stack.replace(id, 'speed_up');
    await until(async () => (await stack.transactionsOf(id)).map(({ status }) => status), ['broadcast', 'broadcast']);
    await anvil.client.mine({ blocks: 2 });
    await stack.until(id, 'completed');
    const { input, nonce, maxFeePerGas } = await sentBy(id);
    expect({ input, nonce }).toEqual({ input: data, nonce: 0 });
    expect(maxFeePerGas).toBeGreaterThanOrEqual((parseGwei('3') * 12n) / 10n);
    expect(await etherOf(to)).toBe(5n);
    await expectLedgerIsChain();
  });
});
