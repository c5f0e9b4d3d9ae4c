// Goal: what was sent is told truthfully, is never lost, and goes again as the same bytes. Method: the port on an anvil
// of its own that mines on command and reorganises, contracts of our own, and keys that sign the port's payloads.
import { type Hex, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { raiseEvmFee } from '../../../activities/chains/evm/fees.ts';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import type { Asset } from '../../../activities/chains/port/transactions.ts';
import { type Anvil, dev, startAnvil } from '../../support/chains/anvil.ts';
import { deploy, SUPPLY } from '../../support/chains/evm-contracts.ts';
import { type EvmSender, evmSender } from '../../support/chains/evm-sender.ts';

const CHAIN_ID = 31_337;
const CONFIRMATIONS = 3;
const ETHER: Asset = { contract: null, decimals: 18 };
const recipient = '0x00000000000000000000000000000000000000AA';

let anvil: Anvil;
let chain: ReturnType<typeof evmChain>;
let sender: EvmSender;
const mine = (blocks = 1) => anvil.client.mine({ blocks });

beforeAll(async () => {
  anvil = await startAnvil();
  chain = evmChain({ rpcUrl: anvil.url, chainId: CHAIN_ID, confirmations: CONFIRMATIONS });
});
beforeEach(async () => {
  sender = await evmSender(chain, anvil);
});
afterAll(() => anvil.stop());

const ether = (amount: bigint) => ({ to: recipient, asset: ETHER, amount });

test('native: from the pool to the newest block, and deeper, with what it cost', async () => {
  const before = await chain.balance(recipient, ETHER);
  const held = await chain.balance(sender.address, ETHER);
  const { raw, txHash } = await sender.prepare(ether(123n), 0);
  expect(await chain.follow(txHash)).toEqual({ state: 'unknown' });
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
  expect(await chain.follow(txHash)).toEqual({ state: 'pending' });
  expect(await chain.nextNonce(sender.address)).toBe(1);
  await mine();
  const head = await chain.head();
  const status = await chain.follow(txHash);
  if (status.state !== 'included') throw new Error('not mined');
  expect(status).toMatchObject({
    blockNumber: head.number,
    blockHash: head.hash,
    confirmations: 1,
    succeeded: true,
  });
  expect(status.feePaid).toBe(21_000n * (status.effectiveGasPriceWei ?? 0n));
  expect(await chain.balance(recipient, ETHER)).toBe(before + 123n);
  expect(await chain.balance(sender.address, ETHER)).toBe(held - 123n - status.feePaid);
  await mine(2);
  expect(await chain.follow(txHash)).toMatchObject({ confirmations: 3, blockNumber: head.number });
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
  expect(await chain.block(head.number)).toEqual(head);
  expect(await chain.block(head.number + 100)).toBeUndefined();
});

test('a token, and one whose transfer fails: it pays and moves nothing', async () => {
  const honest = { contract: await deploy(anvil, 'honestToken'), decimals: 0 };
  expect(await chain.balance(dev.address, honest)).toBe(SUPPLY);
  const funding = { to: honest.contract, data: transferOf(sender.address, 100n) };
  await anvil.client.sendTransaction(funding);
  await mine();
  const quote = await chain.estimateFee({ from: sender.address, to: recipient, asset: honest, amount: 60n }, 'high');
  const first = await sender.prepare({ to: recipient, asset: honest, amount: 60n }, 0, quote);
  const second = await sender.prepare({ to: recipient, asset: honest, amount: 60n }, 1, quote);
  for (const { raw } of [first, second]) expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
  await mine();
  expect(await chain.follow(first.txHash)).toMatchObject({ state: 'included', succeeded: true });
  const failed = await chain.follow(second.txHash);
  expect(failed).toMatchObject({ state: 'included', succeeded: false });
  expect(failed.state === 'included' && failed.feePaid > 0n).toBe(true);
  expect(await chain.balance(sender.address, honest)).toBe(40n);
  expect(await chain.balance(recipient, honest)).toBe(60n);
  await expect(chain.balance(recipient, { contract: dev.address, decimals: 0 })).rejects.toThrow(ChainError);
});

test('a nonce that is not due waits for the gap to be filled', async () => {
  const [first, second] = [await sender.prepare(ether(1n), 0), await sender.prepare(ether(1n), 1)];
  expect(await chain.broadcast(second.raw)).toEqual({ outcome: 'accepted' });
  await mine();
  expect(await chain.follow(second.txHash)).toEqual({ state: 'pending' });
  expect(await chain.nextNonce(sender.address)).toBe(0);
  expect(await chain.broadcast(first.raw)).toEqual({ outcome: 'accepted' });
  await mine();
  expect(await chain.follow(second.txHash)).toMatchObject({ state: 'included', confirmations: 1 });
});

test('a replacement must pay enough more; then it takes the place of the first, which is told only when that is final', async () => {
  const transfer = { from: sender.address, ...ether(1n) };
  const quote = await chain.estimateFee(transfer, 'low');
  const first = await sender.prepare(transfer, 0, quote);
  const tooLittle = await sender.prepare({ ...transfer, amount: 2n }, 0, quote);
  const drop = await sender.prepare({ to: sender.address, asset: ETHER, amount: 0n }, 0, raiseEvmFee(quote, 15));
  await chain.broadcast(first.raw);
  expect(await chain.broadcast(tooLittle.raw)).toMatchObject({
    outcome: 'rejected',
    reason: expect.stringMatching(/same nonce.*\.$/),
  });
  expect(await chain.broadcast(drop.raw)).toEqual({ outcome: 'accepted' });
  await mine();
  expect(await chain.follow(drop.txHash)).toMatchObject({ state: 'included', succeeded: true });
  expect(await chain.follow(first.txHash)).toEqual({ state: 'unknown' });
  await expect(chain.broadcast(first.raw)).rejects.toThrow(/nonce too low/i);
  await mine(CONFIRMATIONS - 1);
  expect(await chain.broadcast(first.raw)).toEqual({
    outcome: 'rejected',
    reason: expect.stringMatching(/taken this nonce/),
    dead: true,
  });
});

test('a drop takes the place of a dearer transaction, for the gas of a plain transfer', async () => {
  const asset = { contract: await deploy(anvil, 'honestToken'), decimals: 0 };
  await anvil.client.sendTransaction({ to: asset.contract, data: transferOf(sender.address, 100n) });
  await mine();
  const transfer = { from: sender.address, to: recipient, asset, amount: 60n };
  const quote = await chain.estimateFee(transfer, 'low');
  const first = await sender.prepare(transfer, 0, quote);
  await chain.broadcast(first.raw);
  const nothing = { from: sender.address, to: sender.address, asset: ETHER, amount: 0n };
  const { parameters, maxFee } = await chain.estimateFee(nothing, 'low');
  expect(parameters['gasLimit']).toBe('21000');
  const raised = raiseEvmFee({ ...quote, parameters: { ...quote.parameters, gasLimit: '21000' } }, 10);
  expect(raised.maxFee).toBeGreaterThan(maxFee);
  const drop = await sender.prepare(nothing, 0, raised);
  expect(await chain.broadcast(drop.raw)).toEqual({ outcome: 'accepted' });
  await mine();
  expect(await chain.follow(drop.txHash)).toMatchObject({ succeeded: true, gasUsed: 21_000n });
  expect(await chain.follow(first.txHash)).toEqual({ state: 'unknown' });
  expect(await chain.balance(sender.address, asset)).toBe(100n);
});

test('T3: without gas it stays to be sent: the same bytes go after a top-up', async () => {
  const { raw, txHash } = await sender.prepare(ether(1n), 0);
  await anvil.client.setBalance({ address: sender.address, value: 5n });
  await expect(chain.broadcast(raw)).rejects.toMatchObject({ name: 'NodeRefusal', code: 'insufficient_funds' });
  await anvil.client.setBalance({ address: sender.address, value: 10n ** 18n });
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
  await mine();
  expect(await chain.follow(txHash)).toMatchObject({ state: 'included', succeeded: true });
});

test.each([
  ['too little gas', { gasLimit: '20000' }],
  ['more gas than a block has', { gasLimit: '90000000' }],
])('%s is rejected for good', async (_case, change) => {
  const quote = await chain.estimateFee({ from: sender.address, ...ether(1n) }, 'low');
  const { raw } = await sender.prepare(ether(1n), 0, { ...quote, parameters: { ...quote.parameters, ...change } });
  expect(await chain.broadcast(raw)).toMatchObject({ outcome: 'rejected' });
});

test('bytes of no sense are rejected for good', async () => {
  expect(await chain.broadcast('0x02c0')).toMatchObject({ outcome: 'rejected' });
});

test('a reorganisation takes the block back; the same bytes stand again, in another block', async () => {
  const { raw, txHash } = await sender.prepare(ether(1n), 0);
  await chain.broadcast(raw);
  await mine();
  const before = await chain.follow(txHash);
  if (before.state !== 'included') throw new Error('not mined');
  await anvil.reorganise(1);
  expect(['unknown', 'pending']).toContain((await chain.follow(txHash)).state);
  expect((await chain.block(before.blockNumber))?.hash).not.toBe(before.blockHash);
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' });
  await mine();
  const after = await chain.follow(txHash);
  if (after.state !== 'included') throw new Error('not mined again');
  expect(after.blockHash).not.toBe(before.blockHash);
});

function transferOf(to: string, amount: bigint): Hex {
  return `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${toHex(amount, { size: 32 }).slice(2)}`;
}
