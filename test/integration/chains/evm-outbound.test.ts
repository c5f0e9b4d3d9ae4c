// Goal: whatever takes money from an address is told of, with what its key has signed of it, also when it failed or was
// another's doing. Method: the port on an anvil of its own, with keys of the test's; every case reads a block that was
// mined for it, from a node that traces and from one that does not.
import { type Address, concatHex, getAddress, type Hex, keccak256, pad, parseGwei, parseTransaction } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import type { Block, OutboundTransfer } from '../../../activities/chains/port/movements.ts';
import { alters, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';
import { type Anvil, dev, startAnvil } from '../../support/chains/anvil.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { watching } from '../../support/chains/watching.ts';

const GAS = 200_000n;
const ETHER = 10n ** 18n;

let anvil: Anvil;
let plain: Chain;
let tracing: Chain;
let owner: PrivateKeyAccount;
let ours: Address;

beforeAll(async () => {
  anvil = await startAnvil();
  plain = evmChain({ rpcUrl: anvil.url, chainId: 31_337 });
  tracing = evmChain({ rpcUrl: anvil.url, chainId: 31_337, trace: true });
});
afterAll(() => anvil.stop());
beforeEach(async () => {
  owner = privateKeyToAccount(generatePrivateKey());
  ours = owner.address;
  await anvil.client.setBalance({ address: ours, value: 10n * ETHER });
});

interface TransactionAttempt {
  to?: Address;
  value?: bigint;
  data?: Hex;
  nonce?: number;
}

async function signed({ nonce = 0, ...what }: TransactionAttempt): Promise<{ raw: Hex; hash: Hex; signature: string }> {
  const raw = await owner.signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    nonce,
    gas: GAS,
    ...what,
    maxFeePerGas: parseGwei('50'),
    maxPriorityFeePerGas: parseGwei('1'),
  });
  const { r = '0x', s = '0x' } = parseTransaction(raw);
  return { raw, hash: keccak256(raw), signature: `${pad(r)}${pad(s).slice(2)}` };
}

async function send(what: TransactionAttempt) {
  const transaction = await signed(what);
  await anvil.client.sendRawTransaction({ serializedTransaction: transaction.raw });
  return transaction;
}

async function mine(): Promise<Block> {
  await anvil.client.mine({ blocks: 1 });
  return plain.head();
}

async function outboundTransfersIn(block: Block, contracts: string[] = [], chain = plain): Promise<OutboundTransfer[]> {
  const watched = watching([ours], contracts);
  const { inboundTransfers, outboundTransfers } = await chain.movements(block, watched);
  expect(watched.asked).toHaveLength(1);
  expect(inboundTransfers).toEqual(await chain.inboundTransfers(block, watching([ours], contracts)));
  return outboundTransfers;
}

async function feeOf(hash: Hex): Promise<bigint> {
  const { gasUsed, effectiveGasPrice } = await anvil.client.getTransactionReceipt({ hash });
  return gasUsed * effectiveGasPrice;
}

const byCall = { fee: 0n, succeeded: true, isCounted: true, method: 'contract_call' } as const;
const callOf = (holder: Address, amount: bigint) =>
  concatHex(['0x23b872dd', pad(holder), pad(`0x${amount.toString(16)}`)]);
const transferOf = (to: Address, amount: bigint) => concatHex(['0xa9059cbb', pad(to), pad(`0x${amount.toString(16)}`)]);

test('what a transaction sends and pays, with its signature; the fee alone when it failed or went in a circle', async () => {
  const refuser = await deploy(anvil, 'refuser');
  const before = await anvil.client.getBalance({ address: ours });
  const sent = [
    await send({ to: dev.address, value: 5n }),
    await send({ to: refuser, value: 6n, nonce: 1 }),
    await send({ to: ours, value: 7n, nonce: 2 }),
    await send({ data: '0x00', value: 8n, nonce: 3 }),
  ];
  const block = await mine();
  const outboundTransfers = await outboundTransfersIn(block);
  const fees = await Promise.all(sent.map(({ hash }) => feeOf(hash)));
  const common = { index: 'native', contract: null, from: ours, block, isCounted: true };
  const others = [
    { to: dev.address, succeeded: true, method: 'transfer' },
    { to: getAddress(refuser), succeeded: false, method: 'transfer' },
    { to: ours, succeeded: true, method: 'transfer' },
    { to: null, succeeded: true, method: 'contract_call' },
  ];
  expect(outboundTransfers).toEqual(
    [5n, 0n, 0n, 8n].map((value, place) => ({
      ...common,
      txHash: sent[place]?.hash,
      signatures: [sent[place]?.signature],
      amount: value + (fees[place] ?? 0n),
      fee: fees[place],
      ...others[place],
    })),
  );
  expect(await outboundTransfersIn(block, [], tracing)).toEqual(outboundTransfers);
  const lost = outboundTransfers.reduce((sum, { amount }) => sum + amount, 0n);
  expect(await anvil.client.getBalance({ address: ours })).toBe(before - lost);
});

test('the fee of blobs is a part of the fee', async () => {
  const proxy = await startAnsweringProxy(anvil.url);
  const withBlobs = (receipt: object) => ({ ...receipt, blobGasUsed: '0x20000', blobGasPrice: '0x3' });
  proxy.answers.set('eth_getTransactionReceipt', alters(withBlobs));
  const { hash } = await send({ to: dev.address, value: 5n });
  const behindProxy = evmChain({ rpcUrl: `http://${proxy.host}`, chainId: 31_337 });
  const { outboundTransfers } = await behindProxy.movements(await mine(), watching([ours]));
  const fee = (await feeOf(hash)) + 131_072n * 3n;
  expect(outboundTransfers).toMatchObject([{ fee, amount: 5n + fee }]);
  proxy.stop();
});

test('a signature with leading zeros, which nodes leave out', async () => {
  let value = 1n;
  let chosen = await signed({ to: dev.address, value });
  while (!/^0x00|^0x.{64}00/.test(chosen.signature)) {
    value += 1n;
    chosen = await signed({ to: dev.address, value });
  }
  await anvil.client.sendRawTransaction({ serializedTransaction: chosen.raw });
  const [outboundTransfer] = await outboundTransfersIn(await mine());
  expect(outboundTransfer?.signatures).toEqual([chosen.signature]);
});

test('tokens that the owner moves bear its signature; those that another moves bear none', async () => {
  const [token, robbed, unwatched] = [
    getAddress(await deploy(anvil, 'honestToken')),
    getAddress(await deploy(anvil, 'robbedToken')),
    getAddress(await deploy(anvil, 'robbedToken')),
  ];
  await anvil.client.sendTransaction({ to: token, data: transferOf(ours, 50n), gas: GAS });
  await mine();
  const own = await send({ to: token, data: transferOf(dev.address, 20n) });
  const take = (contract: Address, amount: bigint) =>
    anvil.client.sendTransaction({ to: contract, data: callOf(ours, amount), gas: GAS });
  const taken = await take(robbed, 30n);
  await take(robbed, 0n); // whoever likes can write that nothing was moved
  await take(unwatched, 40n);
  const block = await mine();
  const outboundTransfers = await outboundTransfersIn(block, [token, robbed]);
  expect(outboundTransfers).toEqual([
    expect.objectContaining({ txHash: own.hash, index: 'native', amount: await feeOf(own.hash) }),
    {
      ...byCall,
      txHash: own.hash,
      index: 'log:1',
      contract: token,
      from: ours,
      to: dev.address,
      amount: 20n,
      block,
      signatures: [own.signature],
    },
    expect.objectContaining({
      ...byCall,
      txHash: taken,
      index: 'log:0',
      contract: robbed,
      from: ours,
      amount: 30n,
      block,
      signatures: [],
    }),
  ]);
  expect(await outboundTransfersIn(block, [token, robbed], tracing)).toEqual(outboundTransfers);
});

test('what code at the address passes on is seen where the node traces', async () => {
  const forwarder = await deploy(anvil, 'forwarder');
  const bytecode = await anvil.client.getCode({ address: forwarder });
  await anvil.client.setCode({ address: ours, bytecode: bytecode ?? '0x' });
  const data = concatHex([pad(dev.address), pad('0x00')]);
  const txHash = await anvil.client.sendTransaction({ to: ours, value: 9n, data, gas: GAS });
  const block = await mine();
  expect(await outboundTransfersIn(block, [], tracing)).toEqual([
    {
      ...byCall,
      txHash,
      index: 'trace:0',
      contract: null,
      from: ours,
      to: dev.address,
      amount: 9n,
      block,
      signatures: [],
    },
  ]);
});

test('of others, and in a block without transactions, nothing', async () => {
  await anvil.client.sendTransaction({ to: ours, value: 1n });
  expect(await outboundTransfersIn(await mine())).toEqual([]);
  const watched = watching([ours]);
  expect(await plain.movements(await mine(), watched)).toEqual({ inboundTransfers: [], outboundTransfers: [] });
  expect(watched.asked).toEqual([]);
});
