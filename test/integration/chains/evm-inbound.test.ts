// Goal: an address is credited with what its balance gained, once, and with nothing that was undone, claimed or moved
// in circles. Method: the port on an anvil of its own, with honest and hostile contracts; every case reads a block that
// was mined for it.
import { type Address, concatHex, encodeFunctionData, erc20Abi, getAddress, type Hex, pad, parseGwei } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';
import type { Block, InboundTransfer } from '../../../activities/chains/port/movements.ts';
import { type Anvil, dev, startAnvil } from '../../support/chains/anvil.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { watching } from '../../support/chains/watching.ts';

let anvil: Anvil;
let plain: Chain;
let tracing: Chain;
let ours: Address;
/** Those that the tests deploy. */
const watched = new Set<string>();

beforeAll(async () => {
  anvil = await startAnvil();
  plain = evmChain({ rpcUrl: anvil.url, chainId: 31_337 });
  tracing = evmChain({ rpcUrl: anvil.url, chainId: 31_337, trace: true });
});
beforeEach(() => {
  ours = privateKeyToAddress(generatePrivateKey());
});
afterAll(() => anvil.stop());

const GAS = 3_000_000n;
const pay = (to: Address, value: bigint, data: Hex = '0x') =>
  anvil.client.sendTransaction({ to, value, data, gas: GAS });
const payToken = (token: Address, to: Address, amount: bigint, account = dev) =>
  anvil.client.sendTransaction({ account, to: token, data: transferCall(to, amount), gas: GAS });
const transferCall = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });

async function mine(): Promise<Block> {
  await anvil.client.mine({ blocks: 1 });
  return plain.head();
}

const inboundTransfersIn = (block: Block, chain = plain, addresses = [ours]) =>
  chain.inboundTransfers(block, watching(addresses, watched));
async function deployToken(name: Parameters<typeof deploy>[1]): Promise<Address> {
  const token = getAddress(await deploy(anvil, name));
  watched.add(token);
  return token;
}
const inShort = (inboundTransfers: InboundTransfer[]) => inboundTransfers.map(({ index, amount }) => [index, amount]);

/** Through the contract of evm-contracts.ts: the recipient, and how. */
const forwarded = (way: bigint) => concatHex([pad(ours), pad(`0x0${way}`)]);

describe('native', () => {
  test('each transfer, with where it came from; nothing of others', async () => {
    const [first, , third] = [await pay(ours, 5n), await pay(dev.address, 6n), await pay(ours, 7n)];
    const block = await mine();
    const common = { index: 'native', contract: null, from: dev.address, to: ours, block };
    const expected = [
      { ...common, txHash: first, amount: 5n },
      { ...common, txHash: third, amount: 7n },
    ];
    expect(await inboundTransfersIn(block)).toEqual(expected);
    expect(await inboundTransfersIn(block, tracing)).toEqual(expected);
    expect(await inboundTransfersIn(await mine())).toEqual([]);
    expect(await inboundTransfersIn(await mine(), tracing)).toEqual([]);
  });

  test('a transaction that failed, one without an amount and one to itself bring nothing', async () => {
    const refuser = await deploy(anvil, 'refuser');
    await pay(refuser, 5n);
    await pay(ours, 0n);
    await pay(dev.address, 9n);
    const block = await mine();
    for (const chain of [plain, tracing])
      expect(await inboundTransfersIn(block, chain, [ours, getAddress(refuser), dev.address])).toEqual([]);
  });

  test('what a contract passes on is seen where the node traces, and not when a call above it was undone', async () => {
    const forwarder = await deploy(anvil, 'forwarder');
    const passed = await pay(forwarder, 11n, forwarded(0n));
    const undone = await pay(forwarder, 12n, forwarded(1n));
    const failed = await pay(forwarder, 13n, forwarded(2n));
    const block = await mine();
    const statuses = await Promise.all(
      [passed, undone, failed].map(async (hash) => (await anvil.client.getTransactionReceipt({ hash })).status),
    );
    expect(statuses).toEqual(['success', 'success', 'reverted']);
    expect(await anvil.client.getBalance({ address: ours })).toBe(11n);
    expect(await inboundTransfersIn(block)).toEqual([]);
    const from = getAddress(forwarder);
    const common = { contract: null, to: ours, block };
    expect(await inboundTransfersIn(block, tracing)).toEqual([
      { ...common, txHash: passed, index: 'trace:0', from, amount: 11n },
    ]);
  });
});

describe('tokens', () => {
  test('each transfer, told apart by its place in its transaction', async () => {
    const token = await deployToken('honestToken');
    const [first, , third] = [
      await payToken(token, ours, 30n),
      await payToken(token, dev.address, 1n),
      await payToken(token, ours, 12n),
    ];
    const block = await mine();
    const common = { index: 'log:1', contract: token, from: dev.address, to: ours, block };
    expect(await inboundTransfersIn(block)).toEqual([
      { ...common, txHash: first, amount: 30n },
      { ...common, txHash: third, amount: 12n },
    ]);
    await payToken(token, ours, 0n);
    await payToken(token, dev.address, 4n);
    expect(await inboundTransfersIn(await mine(), plain, [ours, dev.address])).toEqual([]);
  });

  test('of a token that takes a fee, what is left of it; several share it to the last unit', async () => {
    const token = await deployToken('feeToken');
    await payToken(token, ours, 100n);
    expect(inShort(await inboundTransfersIn(await mine()))).toEqual([['log:1', 90n]]);
    for (const amount of [11n, 13n, 17n]) await payToken(token, ours, amount);
    const block = await mine();
    const credited = (await inboundTransfersIn(block)).map(({ amount }) => amount);
    const gained = (await plain.balance(ours, { contract: token, decimals: 0 })) - 90n;
    expect(credited).toHaveLength(3);
    expect(credited.reduce((total, amount) => total + amount, 0n)).toBe(gained);
    expect(gained).toBe(38n); // 11 - 1, 13 - 1, 17 - 1
  });

  test('of a token whose balances grow by themselves, no more than was sent', async () => {
    await payToken(await deployToken('rebasingToken'), ours, 7n);
    expect(inShort(await inboundTransfersIn(await mine()))).toEqual([['log:1', 7n]]);
  });

  test('what an address sends in the same block does not hide what it got', async () => {
    const token = await deployToken('honestToken');
    const account = privateKeyToAccount(generatePrivateKey());
    ours = account.address;
    await anvil.client.setBalance({ address: ours, value: 10n ** 18n });
    await payToken(token, ours, 100n);
    await mine();
    const data = transferCall(dev.address, 70n);
    const serialized = await account.signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      nonce: 0,
      to: token,
      data,
      gas: GAS,
      maxFeePerGas: parseGwei('50'),
      maxPriorityFeePerGas: parseGwei('1'),
    });
    await anvil.client.sendRawTransaction({ serializedTransaction: serialized });
    await payToken(token, ours, 25n);
    const block = await mine();
    expect(await plain.balance(ours, { contract: token, decimals: 0 })).toBe(55n);
    expect(inShort(await inboundTransfersIn(block))).toEqual([['log:1', 25n]]);
  });

  test.each(['lyingToken', 'muteToken', 'emptyToken', 'endlessToken'] as const)(
    '%s: a log without a gain is nothing, and stops nobody else',
    async (name) => {
      const [hostile, honest] = [await deployToken(name), await deployToken('honestToken')];
      await payToken(hostile, ours, 1_000n);
      await payToken(honest, ours, 3n);
      const block = await mine();
      const logs = await anvil.client.getLogs({ address: hostile, blockHash: block.hash as Hex });
      expect(logs).toHaveLength(2);
      expect(inShort(await inboundTransfersIn(block))).toEqual([['log:1', 3n]]);
    },
  );

  test('D2: contracts that are not watched are never read, whatever their logs say', async () => {
    const [honest, other] = [await deployToken('honestToken'), await deploy(anvil, 'honestToken')];
    const stranger = privateKeyToAddress(generatePrivateKey());
    await payToken(honest, ours, 3n);
    await payToken(other, ours, 1_000n);
    await payToken(other, stranger, 1_000n);
    const block = await mine();
    const watch = watching([ours, stranger], [honest]);
    expect(inShort(await plain.inboundTransfers(block, watch))).toEqual([['log:1', 3n]]);
    expect(watch.asked).toEqual([[ours]]);
    const none = watching([ours, stranger]);
    expect([await plain.inboundTransfers(block, none), none.asked]).toEqual([[], []]);
  });

  test('whose addresses they are is asked once a block, of all that it may have paid, each once', async () => {
    const token = await deployToken('honestToken');
    const [one, two] = [privateKeyToAddress(generatePrivateKey()), privateKeyToAddress(generatePrivateKey())];
    for (const to of [one, one, two]) await pay(to, 5n);
    for (const to of [two, ours, dev.address]) await payToken(token, to, 5n); // the last to itself: it gains nothing
    const block = await mine();
    for (const chain of [plain, tracing]) {
      const watch = watching([ours, two], [token]);
      const inboundTransfers = await chain.inboundTransfers(block, watch);
      expect(inboundTransfers.map(({ contract, to }) => [contract, to])).toEqual([
        [null, two],
        [token, two],
        [token, ours],
      ]);
      expect(watch.asked.map((addresses) => addresses.toSorted())).toEqual([[one, two, ours].toSorted()]);
    }
    const idle = watching([ours], [token]);
    expect([await plain.inboundTransfers(await mine(), idle), idle.asked]).toEqual([[], []]);
  });

  test('a token transfer that was reverted is nothing', async () => {
    const token = await deployToken('revertingToken');
    await payToken(token, ours, 5n);
    expect(await inboundTransfersIn(await mine())).toEqual([]);
  });
});

describe('reorganisations', () => {
  test('an inbound transfer that is mined again is the same one, in another block', async () => {
    const token = await deployToken('honestToken');
    const hashes = [await pay(ours, 5n), await payToken(token, ours, 6n)];
    const raws = await Promise.all(hashes.map((hash) => rawOf(hash)));
    const block = await mine();
    const before = await inboundTransfersIn(block);
    await anvil.reorganise(1);
    for (const raw of raws) await plain.broadcast(raw);
    await pay(dev.address, 1n); // so that places in the block may change
    const again = await mine();
    const after = await inboundTransfersIn(again);
    const identity = (inboundTransfers: InboundTransfer[]) =>
      inboundTransfers.map((each) => ({ ...each, block: undefined }));
    expect(identity(after)).toEqual(identity(before));
    expect(after.map((each) => each.block.hash)).not.toContain(block.hash);
  });

  test('of a block that is gone the node knows nothing, and that is a failure', async () => {
    await pay(ours, 5n);
    const block = await mine();
    await anvil.reorganise(1);
    for (const chain of [plain, tracing]) await expect(inboundTransfersIn(block, chain)).rejects.toThrow(ChainError);
  });
});

const rawOf = async (hash: Hex): Promise<Hex> =>
  anvil.client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never);
