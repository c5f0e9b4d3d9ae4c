// Goal: a withdrawal on an EVM chain ends once, with a settled ledger, whatever the chain does. Method: the product's
// workflow and activities on real PostgreSQL, Temporal and anvil, which mines only when it is told to; the cluster is
// in memory.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { eq, inArray, sql } from 'drizzle-orm';
import { parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { encodeSignature } from '../../../activities/mpc/verify/verify-signature.ts';
import { findLostSignatures } from '../../../drizzle/signing-requests/signing-attempts.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { advanceWithdrawal, clearRequestedReplacement } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { OrphanedOperations } from '../../../src/worker/orphaned-operations.ts';
import { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { watchDeposits } from '../../support/chains/deposit-watch.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
let anvil: Anvil;
let stack: WithdrawalStack;
let walletId: string;
let address: `0x${string}`;

beforeAll(async () => {
  anvil = await startAnvil();
  stack = await startWithdrawals({ [networkCode]: anvil.url });
});
afterAll(async () => {
  await stack.stop();
  await anvil.stop();
});
beforeEach(async () => {
  stack.cluster.signers = [1, 2];
  walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as `0x${string}`;
  await anvil.client.setBalance({ address, value: parseEther('10') });
  await stack.credit(walletId, networkCode, parseEther('10'));
});

const untilBroadcast = (id: string) => untilSubStatus(id, 'confirming');

test('ether: built, signed, stored, broadcast, confirmed and settled', async () => {
  const to = anyEvmAddress();
  const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
  await untilBroadcast(id);
  expect(await stack.balance(walletId, networkCode, 'available')).toBeLessThan(parseEther('9'));
  await anvil.client.mine({ blocks: 2 });
  const row = await stack.until(id, 'completed');
  expect(row).toMatchObject({ subStatus: null, confirmations: 2, errorCode: null, signedByNodes: [1, 2] });
  expect(await stack.activityOf(id)).toMatchObject({
    feeBaseUnits: row.feePaidBaseUnits,
    withdrawalStatus: 'completed',
  });
  expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
  const left = await anvil.client.getBalance({ address });
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(left);
  expect(await stack.balance(walletId, networkCode, 'held')).toBe(0n);
  expect(await stack.balance(walletId, networkCode, 'outside')).toBe(-left);
  await stack.assertBalanced();
  expect(await stack.historyOf(id)).toEqual([
    'pending policy_check',
    'approved queued',
    'processing queued',
    'processing awaiting_signature',
    'processing confirming',
    'completed',
  ]);
});

test('a reverted transfer pays its fee, and gives the amount back', async () => {
  const to = await deployRefuser();
  const fields = { call: { data: '0x', gasLimit: '60000' }, method: 'contract_call' as const };
  const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to, fields });
  await untilBroadcast(id);
  await anvil.client.mine({ blocks: 2 });
  const row = await stack.until(id, 'failed');
  expect(row).toMatchObject({ subStatus: 'reverted', errorCode: 'reverted' });
  const left = await anvil.client.getBalance({ address });
  expect(left).toBeLessThan(parseEther('10'));
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(left);
  expect(await stack.balance(walletId, networkCode, 'held')).toBe(0n);
});

test('T3: gas that is gone at the time of sending: it waits without a nonce, and goes on after a top-up', async () => {
  await anvil.client.setBalance({ address, value: parseEther('1') });
  const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to: anyEvmAddress() });
  await untilSubStatus(id, 'insufficient_funds');
  const { shortage, createdAt } = await stack.read(id);
  const waits = Date.parse(shortage?.waitsUntil ?? '') - createdAt.getTime();
  expect(Math.round(waits / 3_600_000)).toBe(7 * 24);
  expect(await stack.transactionsOf(id)).toEqual([]);
  await anvil.client.setBalance({ address, value: parseEther('2') });
  await untilBroadcast(id);
  await anvil.client.mine({ blocks: 2 });
  await stack.until(id, 'completed');
});

test('a withdrawal that waits for its fee is cancelled, and its money is there again', async () => {
  await anvil.client.setBalance({ address, value: parseEther('1') });
  const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to: anyEvmAddress() });
  await untilSubStatus(id, 'insufficient_funds');
  await stack.db.transaction((tx) =>
    advanceWithdrawal(tx, id, {
      from: 'processing',
      to: 'cancelled',
      fields: { subStatus: null },
      details: 'Cancelled.',
    }),
  );
  await stack.signal(id);
  await stack.workflowOf(id).result();
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(parseEther('10'));
  expect(await stack.transactionsOf(id)).toEqual([]);
});

test('what the cluster refuses ends it before anything is out: the money and the nonce are there again', async () => {
  stack.cluster.meet('sign', 'mpc_refused');
  const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to: anyEvmAddress() });
  const row = await stack.until(id, 'failed');
  expect(row.errorReason).toContain('signing operation');
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(parseEther('10'));
  const next = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to: anyEvmAddress() });
  await untilBroadcast(next);
  expect((await stack.transactionsOf(next))[0]?.nonce).toBe(0);
});

test('a speed-up takes the nonce of what waits: one of the two lands, and the withdrawal completes once', async () => {
  const to = anyEvmAddress();
  const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
  await untilBroadcast(id);
  stack.cluster.signers = [2, 3];
  await stack.replace(id, 'speed_up');
  await until(async () => (await stack.transactionsOf(id)).filter(({ status }) => status === 'broadcast').length === 2);
  await anvil.client.mine({ blocks: 2 });
  const row = await stack.until(id, 'completed');
  const [first, second] = await stack.transactionsOf(id);
  expect(row.txHash).toBe(second?.txHash);
  expect(row.signedByNodes).toEqual([2, 3]);
  expect([first?.nonce, second?.nonce]).toEqual([0, 0]);
  expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(await anvil.client.getBalance({ address }));
});

test('a drop takes the nonce with a transaction that moves nothing: the withdrawal fails, the amount is there again', async () => {
  const to = anyEvmAddress();
  const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
  await untilBroadcast(id);
  await stack.replace(id, 'drop');
  await until(async () => (await stack.transactionsOf(id)).filter(({ status }) => status === 'broadcast').length === 2);
  await anvil.client.mine({ blocks: 2 });
  const row = await stack.until(id, 'failed');
  expect(row).toMatchObject({ subStatus: 'replaced', errorCode: 'dropped' });
  expect(await anvil.client.getBalance({ address: to })).toBe(0n);
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(await anvil.client.getBalance({ address }));
});

test('T4: a reorg takes it out of its block: it is on its way again, lands again and completes once', async () => {
  const to = anyEvmAddress();
  const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
  await untilBroadcast(id);
  await anvil.client.mine({ blocks: 1 });
  await until(async () => (await stack.read(id)).confirmations === 1);
  await anvil.reorganise(1);
  await until(async () => (await stack.historyOf(id)).includes('processing reorged'));
  await anvil.client.mine({ blocks: 3 });
  await stack.until(id, 'completed');
  expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
  expect(await stack.transactionsOf(id)).toHaveLength(1);
});

test('T4: completed, and taken back by a reorg deeper than its confirmations: the same bytes go out again', async () => {
  const watch = watchDeposits(stack.db, { networkCode, chain: evmChain({ rpcUrl: anvil.url, chainId: 31_337 }) });
  const to = anyEvmAddress();
  await anvil.client.mine({ blocks: 4 }); // what funds the wallet stays
  const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
  await untilBroadcast(id);
  await anvil.client.mine({ blocks: 2 });
  const { txHash } = await stack.until(id, 'completed');
  await until(async () => !(await watch.read()).behind);
  await anvil.reorganise(3);
  expect(await anvil.client.getBalance({ address: to })).toBe(0n);
  await until(async () => !(await watch.read()).behind);
  await anvil.client.mine({ blocks: 2 });
  expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
  expect((await anvil.client.getTransactionReceipt({ hash: txHash as `0x${string}` })).status).toBe('success');
  expect(await stack.transactionsOf(id)).toHaveLength(1);
  await stack.assertBalanced();
});

test('a drop that is requested while a speed-up is made is done after it', async () => {
  const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to: anyEvmAddress() });
  await untilBroadcast(id);
  // The speed-up is on its way when the drop is requested: the row says so, and its making takes back its own request
  // only.
  await stack.db.transaction(async (tx) => {
    await tx.update(withdrawals).set({ requestedReplacement: 'drop' }).where(eq(withdrawals.id, id));
    expect(await clearRequestedReplacement(tx, id, 'speed_up')).toBe(false);
  });
  await stack.signal(id);
  await until(async () => (await stack.transactionsOf(id)).some(({ kind }) => kind === 'drop'));
  await until(async () => (await stack.transactionsOf(id)).at(-1)?.status === 'broadcast');
  await anvil.client.mine({ blocks: 2 });
  expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'dropped' });
});

test('T2: a nonce that was used outside is passed over; one that is free below is not taken twice', async () => {
  await anvil.client.request({ method: 'anvil_setNonce', params: [address, '0x3'] } as never);
  // What used them is looked for first.
  const watch = watchDeposits(stack.db, { networkCode, chain: evmChain({ rpcUrl: anvil.url, chainId: 31_337 }) });
  await until(async () => !(await watch.read()).behind);
  const ids = await Promise.all(
    [0, 1, 2, 3].map(() => stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() })),
  );
  for (const id of ids) await untilBroadcast(id);
  const taken = await Promise.all(ids.map(async (id) => (await stack.transactionsOf(id))[0]?.nonce));
  expect(taken.toSorted((one, other) => Number(one) - Number(other))).toEqual([3, 4, 5, 6]);
  await anvil.client.mine({ blocks: 2 });
  for (const id of ids) await stack.until(id, 'completed');
});

test('a signature that fails in the midst of others: its nonce is used up, and those behind it land', async () => {
  const sign = stack.cluster.hold('sign');
  const first = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() });
  await until(async () => (await stack.transactionsOf(first)).length === 1);
  const behind = await stack.withdraw({ walletId, networkCode, amount: 2n, to: anyEvmAddress() });
  await untilBroadcast(behind);
  await stack.db
    .update(signingRequests)
    .set({ status: 'failed', statusReason: 'mpc_error' })
    .where(eq(signingRequests.withdrawalId, first));
  sign();
  await until(async () =>
    (await stack.transactionsOf(first)).some(({ kind, status }) => kind === 'fill' && status === 'broadcast'),
  );
  await anvil.client.mine({ blocks: 2 });
  await stack.until(behind, 'completed');
  const row = await stack.until(first, 'failed');
  expect(row.errorReason).toContain('signing operation');
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(await anvil.client.getBalance({ address }));
  await stack.assertBalanced();
});

test('a fee above the limit of the caller: nothing is signed', async () => {
  const fields = { maxFeeBaseUnits: 1n };
  const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress(), fields });
  expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'fee_above_limit' });
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(parseEther('10'));
});

test('a frozen wallet stops what is under way before it is signed', async () => {
  await anvil.client.setBalance({ address, value: 0n });
  const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() });
  await untilSubStatus(id, 'insufficient_funds');
  await stack.db.update(wallets).set({ status: 'frozen' }).where(eq(wallets.id, walletId));
  expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'frozen', errorReason: 'the wallet is frozen' });
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(parseEther('10'));
});

test('an operator terminates its workflow before anything is signed: it fails, and its money is there again', async () => {
  await anvil.client.setBalance({ address, value: 0n });
  const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() });
  await untilSubStatus(id, 'insufficient_funds');
  await stack.workflowOf(id).terminate('by an operator');
  await closeAbandoned();
  expect(await stack.read(id)).toMatchObject({ status: 'failed', errorCode: 'workflow_terminated' });
  expect(await stack.balance(walletId, networkCode, 'available')).toBe(parseEther('10'));
});

test('an operator terminates its workflow when it is out: a new run follows it to its end', async () => {
  const id = await stack.withdraw({ walletId, networkCode, amount: 1n, to: anyEvmAddress() });
  await untilBroadcast(id);
  await stack.workflowOf(id).terminate('by an operator');
  await closeAbandoned();
  await anvil.client.mine({ blocks: 2 });
  await stack.until(id, 'completed');
  expect(await stack.transactionsOf(id)).toHaveLength(1);
});

async function closeAbandoned(): Promise<void> {
  const { client, taskQueue } = stack.worker;
  const log = { warn: () => {} };
  const starter = new WorkflowStarter({ client, taskQueue, db: stack.db, log });
  await new OrphanedOperations({ db: stack.db, seals: testSeals, client, starter, log, openForMs: 0 }).closeSome();
}

/** Code that reverts whatever it is sent. */
async function deployRefuser(): Promise<`0x${string}`> {
  const refuser = anyEvmAddress();
  await anvil.client.setCode({ address: refuser, bytecode: '0x5f5ffd' });
  return refuser;
}

describe('of whose signature a node may have a copy that nobody answered', () => {
  const kindsOf = async (id: string) => (await stack.transactionsOf(id)).map(({ kind, status }) => `${kind} ${status}`);

  test('its nonce is used up before the money is given back', async () => {
    stack.cluster.meet('sign', { lost: 'mpc_refused' });
    const to = anyEvmAddress();
    const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
    await expect.poll(() => kindsOf(id), { timeout: 60_000 }).toEqual(['transfer abandoned', 'fill broadcast']);
    expect((await stack.read(id)).status).toBe('processing');
    expect(await stack.balance(walletId, networkCode, 'held')).toBeGreaterThan(parseEther('1'));
    await anvil.client.mine({ blocks: 2 });
    expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'mpc_error' });
    expect(await kindsOf(id)).toEqual(['transfer abandoned', 'fill included']);
    expect(await anvil.client.getBalance({ address: to })).toBe(0n);
    const left = await anvil.client.getBalance({ address });
    expect(await stack.balance(walletId, networkCode, 'available')).toBe(left);
    await stack.assertBalanced();
  });

  test('and that node sends it: no money is given back for what the nonce was used for', async () => {
    stack.cluster.meet('sign', { lost: 'mpc_refused' });
    const to = anyEvmAddress();
    const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
    await expect.poll(() => kindsOf(id), { timeout: 60_000 }).toEqual(['transfer abandoned', 'fill broadcast']);
    const [kept, fill] = await stack.transactionsOf(id);
    const [request] = stack.cluster.signCalls.filter(({ operationId }) => kept?.signingIds.includes(operationId));
    if (kept === undefined || request === undefined) throw new Error('nothing was signed');
    const signature = await stack.cluster.sign({ ...request, attempt: 99 }, (made) =>
      encodeSignature('secp256k1', made),
    );
    const chain = evmChain({ rpcUrl: anvil.url, chainId: 31_337 });
    const secret = stack.cluster.privateKey(walletId, 'secp256k1', request.path);
    const publicKey = Buffer.from(secp256k1.getPublicKey(secret, true)).toString('hex');
    const { raw } = chain.assemble(kept.unsigned, [signature], publicKey);
    // In a block at once, by one request: the follower sends what is not in the pool again, maybe at a better price.
    const steps = [
      { method: 'anvil_dropTransaction', params: [fill?.txHash] },
      { method: 'evm_setAutomine', params: [true] },
      { method: 'eth_sendRawTransaction', params: [raw] },
    ];
    const body = JSON.stringify(steps.map((step, id) => ({ jsonrpc: '2.0', id, ...step })));
    const answer = await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(((await answer.json()) as { error?: object }[]).map(({ error }) => error)).toEqual(
      steps.map(() => undefined),
    );
    await anvil.client.setAutomine(false);
    await anvil.client.mine({ blocks: 2 });
    expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
    await untilSubStatus(id, 'stuck');
    expect(await stack.balance(walletId, networkCode, 'held')).toBeGreaterThan(parseEther('1'));
    expect((await stack.read(id)).status).toBe('processing');
  });

  test('an attempt of which no worker says how it ended is taken for one that may have signed, after its time', async () => {
    stack.cluster.meet('sign', 'mpc_refused');
    const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to: anyEvmAddress() });
    expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'mpc_error' });
    const ids = (await stack.transactionsOf(id)).flatMap(({ signingIds }) => signingIds);
    expect(await findLostSignatures(stack.db, ids)).toBe('none');
    await stack.db
      .update(signingRequests)
      .set({ attemptsOpen: [1] })
      .where(inArray(signingRequests.id, ids));
    expect(await findLostSignatures(stack.db, ids)).toBe('unclear');
    const before = sql`now() - interval '2 minutes'`;
    await stack.db.update(signingRequests).set({ completedAt: before }).where(inArray(signingRequests.id, ids));
    expect(await findLostSignatures(stack.db, ids)).toBe('possible');
  });
});

/** Asks until it is so. */
const until = (isSo: () => Promise<boolean>) => expect.poll(isSo, { timeout: 90_000 }).toBe(true);

const untilSubStatus = (id: string, subStatus: string) =>
  until(async () => (await stack.read(id)).subStatus === subStatus);
