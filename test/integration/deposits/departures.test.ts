// Goal: what leaves a wallet by a transaction that was signed for its caller, who broadcast it, is booked as the chain
// has it, to the last wei, once, and stands or falls with its block; what can land no more is released. Method: an
// anvil of each test's own that is reorganised on command, keys of the test's in the place of the cluster, the
// product's readings one at a time. Not covered: the cluster's own signatures, on every family
// (test/hazards/wallets/unexplained-outflows.test.ts).

import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  keccak256,
  parseGwei,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { departures } from '../../../drizzle/departures/departures.ts';
import { resumeNetwork } from '../../../drizzle/deposits/network-steps.ts';
import { unexplainedOutflows } from '../../../drizzle/outflows/outflows.ts';
import { sumUnlanded } from '../../../drizzle/signing-requests/caller-broadcasts.ts';
import { insertSigningMovements } from '../../../drizzle/signing-requests/signing-movements.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { type AnsweringProxy, alters, says, startAnsweringProxy } from '../../support/chains/answering-proxy.ts';
import { type Anvil, dev, startAnvil } from '../../support/chains/anvil.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { testSeals } from '../../support/rows/seals.ts';

const NETWORK = 'ETHEREUM_SANDBOX';
const ETHER = 10n ** 18n;
/** More than any of the transactions may cost. */
const MAY_COST = ETHER / 100n;

let anvil: Anvil;
let rows: DepositDatabase;
let watch: ReturnType<typeof watchDeposits>;
let owner: PrivateKeyAccount;
let walletId: string;
let ether: string;

const watchWith = (options: Partial<Parameters<typeof watchDeposits>[1]> = {}) =>
  watchDeposits(rows.db, { networkCode: NETWORK, chain: evmChain({ rpcUrl: anvil.url, chainId: 31_337 }), ...options });

beforeEach(async () => {
  [anvil, rows] = await Promise.all([startAnvil(), openDepositDatabase()]);
  watch = watchWith();
  ether = await rows.nativeAsset(NETWORK);
  owner = privateKeyToAccount(generatePrivateKey());
  walletId = await rows.makeWallet('evm', owner.address);
  await mine();
  await anvil.client.sendTransaction({ to: owner.address, value: 10n * ETHER });
  await mine(3);
  await watch.read();
});
afterEach(async () => {
  expect(await rows.imbalances()).toEqual([]);
  expect(await rows.db.select().from(unexplainedOutflows)).toEqual([]);
  await anvil.stop();
  await rows.stop();
});

const mine = (blocks = 1) => anvil.client.mine({ blocks });
const again = (raw: Hex) => anvil.client.sendRawTransaction({ serializedTransaction: raw });
const available = async (assetId = ether) => (await rows.balances(walletId, assetId)).available;
const onChain = () => anvil.client.getBalance({ address: owner.address });
const pendingOut = async (assetId = ether) =>
  (await sumUnlanded(rows.db, [walletId])).find((each) => each.assetId === assetId)?.amountBaseUnits ?? 0n;
const departed = () => rows.db.select().from(departures).orderBy(departures.id);
const activity = async () => (await rows.activityOf(walletId)).filter(({ direction }) => direction === 'out');
const landingOf = async (id: string) => {
  const [row] = await rows.db.select().from(signingRequests).where(eq(signingRequests.id, id));
  return row?.landing;
};
const feeOf = async (hash: Hex) => {
  const { gasUsed, effectiveGasPrice } = await anvil.client.getTransactionReceipt({ hash });
  return gasUsed * effectiveGasPrice;
};

interface Asked {
  to: Address;
  value?: bigint;
  data?: Hex;
  nonce?: number;
  tip?: bigint;
  /** What it may move of other assets. */
  moved?: { assetId: string; amountBaseUnits: bigint }[];
}

/** As the API has it signed by the cluster for a caller: the row with its signature, and what it may move. */
async function signed({ nonce = 0, tip = 1n, moved = [], ...call }: Asked) {
  const maxPriorityFeePerGas = tip * parseGwei('1');
  const fees = { gas: 200_000n, maxFeePerGas: parseGwei('50'), maxPriorityFeePerGas };
  const transaction: TransactionSerializable = { type: 'eip1559', chainId: 31_337, nonce, ...call, ...fees };
  const raw = await owner.signTransaction(transaction);
  const { r = '0x', s = '0x', yParity } = parseTransaction(raw);
  const signature = `0x${[r, s].map((part) => part.slice(2).padStart(64, '0')).join('')}${yParity === 1 ? '1c' : '1b'}`;
  const unsignedTx = serializeTransaction(transaction);
  const [id, workspaceId] = [uuidv7(), rows.workspaceId];
  await rows.db.transaction(async (tx) => {
    await insertSigningRequest(tx, testSeals, {
      id,
      workspaceId,
      walletId,
      operationType: 'generic',
      networkInternalCode: NETWORK,
      keyType: 'secp256k1',
      payloadKind: 'evm_transaction',
      externalId: `name of ${keccak256(raw)}`,
      signingHash: keccak256(unsignedTx),
      unsignedTx,
      derivationPath: 'm/44/60/0/0/0',
      landing: 'open',
      nonce: `${nonce}`,
    });
    const native = { assetId: ether, amountBaseUnits: (call.value ?? 0n) + MAY_COST };
    await insertSigningMovements(tx, [{ signingId: id, workspaceId, walletId, moved: [native, ...moved] }]);
  });
  const { publicKey } = owner;
  const fields = { status: 'success', signature, publicKey: compressed(publicKey) } as const;
  await rows.db.update(signingRequests).set(fields).where(eq(signingRequests.id, id));
  return { id, raw, hash: keccak256(raw) };
}

const compressed = (publicKey: Hex) =>
  `0x${Number.parseInt(publicKey.slice(-1), 16) % 2 === 0 ? '02' : '03'}${publicKey.slice(4, 68)}`;

describe('booked', () => {
  test('amount and fee, when a block has it; pending_out until then; in the activity, completed when it is final', async () => {
    const { id, raw, hash } = await signed({ to: dev.address, value: ETHER });
    expect(await pendingOut()).toBe(ETHER + MAY_COST);
    expect(await available()).toBe(10n * ETHER);
    await again(raw);
    await mine();
    await watch.read();
    const fee = await feeOf(hash);
    expect(await available()).toBe(9n * ETHER - fee);
    expect(await available()).toBe(await onChain());
    expect(await pendingOut()).toBe(0n);
    expect(await landingOf(id)).toBe('landed');
    const fields = { walletId, transactionId: id, txHash: hash, fromAddress: owner.address, toAddress: dev.address };
    expect(await departed()).toMatchObject([{ ...fields, amountBaseUnits: ETHER, feeBaseUnits: fee, succeeded: true }]);
    expect(await activity()).toMatchObject([
      { ...fields, amountBaseUnits: ETHER, status: 'pending', method: 'transfer', blockHash: expect.any(String) },
    ]);
    await mine(2);
    await watch.read();
    const externalId = `name of ${hash}`;
    const completed = { status: 'completed', confirmedAt: expect.any(Date), feeBaseUnits: fee, externalId };
    expect(await activity()).toMatchObject([completed]);
    expect(await available()).toBe(await onChain());
  });

  test('what the chain undid: the fee alone, and failed in the activity', async () => {
    const { raw, hash } = await signed({ to: await deploy(anvil, 'refuser'), value: ETHER });
    await again(raw);
    await mine(3);
    await watch.read();
    expect(await available()).toBe(10n * ETHER - (await feeOf(hash)));
    expect(await available()).toBe(await onChain());
    const failedReason = 'The chain took the fee and undid the rest.';
    expect(await activity()).toMatchObject([{ status: 'failed', amountBaseUnits: 0n, failedReason }]);
    expect(await pendingOut()).toBe(0n);
  });

  test('tokens that a call of the wallet moves, and the fee of it', async () => {
    const token = getAddress(await deploy(anvil, 'honestToken'));
    const assetId = await rows.makeAsset(NETWORK, token);
    const transferTo = (to: Address, amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
    await anvil.client.sendTransaction({ to: token, data: transferTo(owner.address, 50n), gas: 1_000_000n });
    await mine(3);
    await watch.read();
    expect(await available(assetId)).toBe(50n);
    const moved = [{ assetId, amountBaseUnits: 20n }];
    const { id, raw, hash } = await signed({ to: token, data: transferTo(dev.address, 20n), moved });
    expect(await pendingOut(assetId)).toBe(20n);
    await again(raw);
    await mine();
    await watch.read();
    expect(await available(assetId)).toBe(30n);
    expect(await available()).toBe(await onChain());
    expect([await pendingOut(), await pendingOut(assetId)]).toEqual([0n, 0n]);
    const common = { transactionId: id, txHash: hash, method: 'contract_call' };
    const lines = (await activity()).toSorted((one, other) => Number(one.amountBaseUnits - other.amountBaseUnits));
    expect(lines).toMatchObject([
      { ...common, assetId: ether, amountBaseUnits: 0n },
      { ...common, assetId, amountBaseUnits: 20n, toAddress: dev.address },
    ]);
  });

  test('more than was known to be there: available is below zero', async () => {
    await anvil.client.setBalance({ address: owner.address, value: 30n * ETHER });
    const { raw } = await signed({ to: dev.address, value: 20n * ETHER });
    await again(raw);
    await mine();
    await watch.read();
    expect(await available()).toBe((await onChain()) - 20n * ETHER);
    expect(await available()).toBeLessThan(0n);
  });

  test('once, by readers side by side, when its block is read again, and when it is looked for by its hash', async () => {
    const { raw, hash } = await signed({ to: dev.address, value: ETHER });
    await again(raw);
    await mine();
    await Promise.all([watchWith(), watchWith(), watchWith()].map((reader) => reader.read()));
    const [departure] = await departed();
    await resumeNetwork(rows.db, (await watch.network()).id, departure?.blockNumber);
    expect(await available()).toBe(10n * ETHER);
    await watch.read();
    expect(await available()).toBe(await onChain());
    expect(await watch.rescan(hash)).toEqual({ outcome: 'recorded', found: 1, recorded: 0 });
    expect(await departed()).toHaveLength(1);
    expect(await available()).toBe(await onChain());
  });
});

describe('reorganised', () => {
  test('its block is gone: the money is there again and pending out; mined again it is the same, booked once', async () => {
    const { id, raw } = await signed({ to: dev.address, value: ETHER });
    await again(raw);
    await mine(3);
    await watch.read();
    const [before] = await departed();
    expect(before).toMatchObject({ status: 'final' });
    await anvil.reorganise(3);
    await mine(4);
    await watch.read();
    expect(await available()).toBe(10n * ETHER);
    expect(await pendingOut()).toBe(ETHER + MAY_COST);
    expect(await landingOf(id)).toBe('open');
    const failedReason = 'A reorganisation of the chain took its block back.';
    expect(await activity()).toMatchObject([{ status: 'failed', failedReason, blockNumber: null, feeBaseUnits: null }]);
    await again(raw);
    await mine();
    await watch.read();
    expect(await departed()).toMatchObject([{ id: before?.id, status: 'booked', occurrence: 1 }]);
    expect(await activity()).toMatchObject([{ status: 'pending', failedReason: null }]);
    expect(await available()).toBe(await onChain());
    expect(await pendingOut()).toBe(0n);
  });

  test('another of the same nonce lands in its place: the first is released when that is final', async () => {
    const [first, second] = [
      await signed({ to: dev.address, value: ETHER }),
      await signed({ to: dev.address, value: 2n * ETHER, tip: 5n }),
    ];
    // Of both only one lands.
    expect(await pendingOut()).toBe(2n * ETHER + MAY_COST);
    await again(second.raw);
    await mine();
    await watch.read();
    expect(await available()).toBe(await onChain());
    expect([await landingOf(first.id), await landingOf(second.id)]).toEqual(['open', 'landed']);
    await mine(20);
    await watchWith().read();
    expect([await landingOf(first.id), await landingOf(second.id)]).toEqual(['released', 'landed']);
    expect(await pendingOut()).toBe(0n);
  });
});

describe('not released', () => {
  test('while its nonce is not used', async () => {
    const { id } = await signed({ to: dev.address, value: ETHER, nonce: 1 });
    await mine(20);
    await watchWith().read();
    expect(await landingOf(id)).toBe('open');
  });

  test('by one node of two', async () => {
    const { id } = await signed({ to: dev.address, value: ETHER });
    const { raw } = await signed({ to: dev.address, value: 2n * ETHER });
    await again(raw);
    await mine(20);
    const proxy = await startAnsweringProxy(anvil.url);
    proxy.answers.set('eth_getTransactionCount', says('0x0'));
    const second = evmChain({ rpcUrl: `http://${proxy.host}`, chainId: 31_337 });
    await watchWith({ second }).read();
    expect(await landingOf(id)).toBe('open');
    proxy.answers.clear();
    await watchWith({ second }).read();
    expect(await landingOf(id)).toBe('released');
    proxy.stop();
  });
});

describe('a node that lies', () => {
  let proxy: AnsweringProxy;
  const truth = () => evmChain({ rpcUrl: anvil.url, chainId: 31_337 });
  const behindProxy = () => evmChain({ rpcUrl: `http://${proxy.host}`, chainId: 31_337 });
  beforeEach(async () => {
    proxy = await startAnsweringProxy(anvil.url);
  });
  afterEach(() => proxy.stop());

  test('of a fee that was never paid: nothing is booked, for the second node does not tell it', async () => {
    const { raw, hash } = await signed({ to: dev.address, value: ETHER });
    await again(raw);
    await mine();
    const dearer = (receipt: object) => ({ ...receipt, effectiveGasPrice: '0xffffffffffff' });
    proxy.answers.set('eth_getTransactionReceipt', alters(dearer));
    const lying = watchWith({ chain: behindProxy(), second: truth() });
    await lying.read();
    await mine(5);
    await lying.read();
    expect(await departed()).toMatchObject([{ status: 'seen' }]);
    expect(await available()).toBe(10n * ETHER);
    expect(await pendingOut()).toBe(ETHER + MAY_COST);
    expect(lying.lines.filter(({ level }) => level === 'ERROR').map(({ message }) => message)).toEqual([
      'what left a wallet is not booked: the second node does not tell of it what the first one did',
    ]);
    // The operator has the node replaced, and what it told read again.
    proxy.answers.clear();
    const [departure] = await departed();
    await resumeNetwork(rows.db, (await watch.network()).id, departure?.blockNumber);
    await watchWith({ chain: behindProxy(), second: truth() }).read();
    expect(await available()).toBe(9n * ETHER - (await feeOf(hash)));
  });

  test('below the threshold one node is believed, and above it both, once they agree', async () => {
    const [small, large] = [
      await signed({ to: dev.address, value: 1n }),
      await signed({ to: dev.address, value: ETHER, nonce: 1 }),
    ];
    for (const { raw } of [small, large]) await again(raw);
    await mine();
    proxy.answers.set('eth_getBlockByNumber', says(null));
    const options = { second: behindProxy(), above: { ETH: '0.5' } };
    await watchWith(options).read();
    expect(await available()).toBe(10n * ETHER - 1n - (await feeOf(small.hash)));
    proxy.answers.clear();
    await watchWith(options).read();
    expect(await available()).toBe(await onChain());
  });
});
