// Goal: what leaves a wallet by a transaction that no operation of it explains is a row, once, and freezes the wallet
// in the commit of its block; nothing that an operation explains is. Once an operator has resolved it, the ledger says
// what the chain says. Method: an anvil of its own that is reorganised on
// command, keys of the test's, the product's readings one at a time and side by side. Not covered: what withdrawals
// send and the cluster signs, on every family (test/hazards/wallets/unexplained-outflows.test.ts).

import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { getAddress, type Hex, parseGwei, parseTransaction } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import { departures } from '../../../drizzle/departures/departures.ts';
import { resumeNetwork } from '../../../drizzle/deposits/network-steps.ts';
import { readLedgerBalance } from '../../../drizzle/ledger/ledger.ts';
import { resolveAsDeparture } from '../../../drizzle/outflows/outflow-departures.ts';
import { type OutflowRow, unexplainedOutflows } from '../../../drizzle/outflows/outflows.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { runCommand } from '../../../src/local/processes/service-processes.ts';
import { type Anvil, dev, startAnvil } from '../../support/chains/anvil.ts';
import { type DepositDatabase, openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { deploy } from '../../support/chains/evm-contracts.ts';
import { testSeals } from '../../support/rows/seals.ts';

const NETWORK = 'ETHEREUM_SANDBOX';
const ETHER = 10n ** 18n;
/** Several processes, one after the other. */
const COMMANDS_MS = 120_000;

let anvil: Anvil;
let rows: DepositDatabase;
let watch: ReturnType<typeof watchDeposits>;
let owner: PrivateKeyAccount;
let walletId: string;
let nonce: number;

const watchWith = (options: Partial<Parameters<typeof watchDeposits>[1]> = {}) =>
  watchDeposits(rows.db, {
    networkCode: NETWORK,
    chain: evmChain({ rpcUrl: anvil.url, chainId: 31_337 }),
    ...options,
  });

beforeEach(async () => {
  [anvil, rows] = await Promise.all([startAnvil(), openDepositDatabase()]);
  watch = watchWith();
  owner = privateKeyToAccount(generatePrivateKey());
  walletId = await rows.makeWallet('evm', owner.address);
  await anvil.client.setBalance({ address: owner.address, value: 10n * ETHER });
  nonce = 0;
  await mine(3);
  await watch.read();
});
afterEach(async () => {
  expect(await rows.imbalances()).toEqual([]);
  await anvil.stop();
  await rows.stop();
});

const mine = (blocks = 1) => anvil.client.mine({ blocks });
const broadcast = (raw: Hex) => anvil.client.sendRawTransaction({ serializedTransaction: raw });
const signed = (to: Hex, value = 5n) =>
  owner.signTransaction({
    type: 'eip1559',
    chainId: 31_337,
    nonce: nonce++,
    gas: 100_000n,
    to,
    value,
    maxFeePerGas: parseGwei('50'),
    maxPriorityFeePerGas: parseGwei('1'),
  });
const found = (): Promise<OutflowRow[]> => rows.db.select().from(unexplainedOutflows).orderBy(unexplainedOutflows.id);
const only = async (): Promise<OutflowRow> => {
  const [outflow, ...more] = await found();
  if (outflow === undefined || more.length > 0) throw new Error(`${more.length} more than one, or none`);
  return outflow;
};
async function walletNow(id = walletId) {
  const [row] = await rows.db.select().from(wallets).where(eq(wallets.id, id));
  return { status: row?.status, reason: row?.statusReason };
}
const setStatus = (status: 'active' | 'archived') =>
  rows.db.update(wallets).set({ status, statusReason: null }).where(eq(wallets.id, walletId));
const ACTIVE = { status: 'active', reason: null };
const FROZEN = { status: 'frozen', reason: 'unexplained_outflow' };
const alarms = (reader = watch) => reader.lines.filter(({ level }) => level === 'ERROR').map(({ meta }) => meta);

/** A signing operation of a wallet that succeeded with this transaction's signature. */
async function recordSignature(raw: Hex, ofWallet = walletId): Promise<void> {
  const { r = '0x', s = '0x', yParity } = parseTransaction(raw);
  const id = uuidv7();
  await rows.db.transaction((tx) =>
    insertSigningRequest(tx, testSeals, {
      id,
      workspaceId: rows.workspaceId,
      walletId: ofWallet,
      operationType: 'generic',
      networkInternalCode: NETWORK,
      keyType: 'secp256k1',
      signingHash: '0x',
      unsignedTx: '',
      derivationPath: 'm',
    }),
  );
  const signature = `0x${[r, s].map((part) => part.slice(2).padStart(64, '0')).join('')}${yParity === 1 ? '1c' : '1b'}`;
  await rows.db.update(signingRequests).set({ status: 'success', signature }).where(eq(signingRequests.id, id));
}

describe('found', () => {
  test('a transfer by whoever has the key: with the next reading, on the row, frozen and told of as an error', async () => {
    const txHash = await broadcast(await signed(dev.address));
    await mine();
    await watch.read();
    const { gasUsed, effectiveGasPrice, blockHash, blockNumber } = await anvil.client.getTransactionReceipt({
      hash: txHash,
    });
    const amountBaseUnits = 5n + gasUsed * effectiveGasPrice;
    const outflow = await only();
    expect(outflow).toMatchObject({
      txHash,
      departureIndex: 'native',
      walletId,
      kind: 'signed_elsewhere',
      fromAddress: owner.address,
      assetId: await rows.nativeAsset(NETWORK),
      amountBaseUnits,
      blockHash,
      blockNumber: Number(blockNumber),
      reorgedAt: null,
      resolvedAt: null,
    });
    expect(await walletNow()).toEqual(FROZEN);
    expect(alarms()).toMatchObject([{ networkCode: NETWORK, outflowId: outflow.id, walletId, txHash, frozen: true }]);
    const recorded = await rows.db.execute(sql`select type from event_outbox where wallet_id = ${walletId}`);
    expect(recorded.map(({ type }) => type)).toContain('wallet.frozen');
    await mine();
    await watch.read();
    expect(alarms()).toHaveLength(1);
  });

  test('a transaction that failed: its fee left', async () => {
    const refuser = await deploy(anvil, 'refuser');
    const hash = await broadcast(await signed(refuser));
    await mine();
    await watch.read();
    const { gasUsed, effectiveGasPrice, status } = await anvil.client.getTransactionReceipt({ hash });
    expect(status).toBe('reverted');
    expect(await only()).toMatchObject({ amountBaseUnits: gasUsed * effectiveGasPrice, kind: 'signed_elsewhere' });
    expect(await walletNow()).toEqual(FROZEN);
  });

  test('tokens that another takes', async () => {
    const token = getAddress(await deploy(anvil, 'robbedToken'));
    const assetId = await rows.makeAsset(NETWORK, token);
    const data: Hex = `0x23b872dd${owner.address.slice(2).padStart(64, '0')}${'7'.padStart(64, '0')}`;
    await anvil.client.sendTransaction({ to: token, data, gas: 100_000n });
    await mine();
    await watch.read();
    expect(await only()).toMatchObject({ kind: 'token_moved_by_other', assetId, amountBaseUnits: 7n });
    expect(await walletNow()).toEqual(FROZEN);
  });

  test('what only another wallet’s operation has signed', async () => {
    const raw = await signed(dev.address);
    await recordSignature(raw, await rows.makeWallet('evm', dev.address));
    await broadcast(raw);
    await mine();
    await watch.read();
    expect(await only()).toMatchObject({ walletId });
  });

  test('of an archived wallet: a row, and the wallet stays what it is', async () => {
    await setStatus('archived');
    await broadcast(await signed(dev.address));
    await mine();
    await watch.read();
    await only();
    expect(await walletNow()).toEqual({ status: 'archived', reason: null });
    expect(alarms()).toMatchObject([{ frozen: false }]);
  });

  test('where freezing is switched off: a row and the error', async () => {
    const lenient = watchWith({ freeze: false });
    await broadcast(await signed(dev.address));
    await mine();
    await lenient.read();
    await only();
    expect(await walletNow()).toEqual(ACTIVE);
    expect(alarms(lenient)).toMatchObject([{ frozen: false }]);
  });
});

test('explained: a transaction whose signature an operation of the wallet has recorded, and no other beside it', async () => {
  const raw = await signed(dev.address);
  await recordSignature(raw);
  await broadcast(raw);
  await mine();
  await watch.read();
  expect(await found()).toEqual([]);
  expect(await walletNow()).toEqual(ACTIVE);
  await broadcast(await signed(dev.address));
  await mine();
  await watch.read();
  await only();
});

test('a signature is looked for by its index, however many there are', async () => {
  await rows.db.execute(sql`
    insert into signing_requests (id, workspace_id, wallet_id, operation_type, network_internal_code, key_type, signing_hash, unsigned_tx, derivation_path, status, signature)
    select gen_random_uuid(), ${rows.workspaceId}, ${walletId}, 'generic', 'x', 'secp256k1', '0x', '', 'm', 'success', '0x' || encode(sha512(n::text::bytea), 'hex') || '1b'
    from generate_series(1, 20000) as n`);
  await rows.db.execute(sql`analyze signing_requests`);
  const forms = ['a', 'b', 'c', 'd', 'e', 'f'].map((digit) => `0x${digit.repeat(128)}1b`);
  const plan = await rows.db.execute<{ 'QUERY PLAN': string }>(
    sql`explain select wallet_id from signing_requests where signature = any(${`{${forms.join(',')}}`}::text[])`,
  );
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('signing_requests_signature');
});

describe('once', () => {
  test('by readers side by side, and when the block is read again', async () => {
    await broadcast(await signed(dev.address));
    await mine();
    const readers = [watchWith(), watchWith(), watchWith()];
    await Promise.all(readers.map((reader) => reader.read()));
    const { id, blockNumber } = await only();
    expect(readers.flatMap((reader) => alarms(reader))).toHaveLength(1);
    await resumeNetwork(rows.db, (await watch.network()).id, blockNumber - 1);
    await watch.read();
    expect(await only()).toMatchObject({ id, reorgedAt: null });
  });

  test('a reorganisation takes its block, and not the freeze; mined again it is the same', async () => {
    const raw = await signed(dev.address);
    await broadcast(raw);
    await mine();
    await watch.read();
    const before = await only();
    await anvil.reorganise(1);
    await watch.read();
    expect(await only()).toMatchObject({ id: before.id, reorgedAt: expect.any(Date) });
    expect(await walletNow()).toEqual(FROZEN);
    await broadcast(raw);
    await mine();
    await watch.read();
    const after = await only();
    expect(after).toMatchObject({ id: before.id, reorgedAt: null });
    expect(after.blockHash).not.toBe(before.blockHash);
  });

  test('what an operator has resolved freezes no more, when its block is read again', async () => {
    await broadcast(await signed(dev.address));
    await mine();
    await watch.read();
    const { id, blockNumber } = await only();
    await rows.db.update(unexplainedOutflows).set({ resolvedAt: sql`now()` }).where(eq(unexplainedOutflows.id, id));
    await setStatus('active');
    const before = alarms().length;
    await resumeNetwork(rows.db, (await watch.network()).id, blockNumber);
    await watch.read();
    expect(await walletNow()).toEqual(ACTIVE);
    expect(alarms()).toHaveLength(before);
  });

  test('with the block or not at all: where the freeze fails, neither cursor nor row moves', async () => {
    await rows.db.execute(sql`create function refuse_freeze() returns trigger language plpgsql as $$
      begin raise exception 'no freeze today'; end $$`);
    await rows.db.execute(sql`create trigger refuse_freeze before update on wallets for each row
      when (new.status = 'frozen') execute function refuse_freeze()`);
    const { nextBlock } = await watch.state();
    await broadcast(await signed(dev.address));
    await mine();
    await expect(watch.read()).rejects.toThrow();
    expect(await found()).toEqual([]);
    expect((await watch.state()).nextBlock).toBe(nextBlock);
    await rows.db.execute(sql`drop trigger refuse_freeze on wallets`);
    await watch.read();
    await only();
    expect(await walletNow()).toEqual(FROZEN);
  });
});

describe('resolved: the ledger follows the chain', () => {
  const available = async () => readLedgerBalance(rows.db, walletId, await rows.nativeAsset(NETWORK), 'available');
  const resolveIt = (id: string) => rows.db.transaction((tx) => resolveAsDeparture(tx, id, 'looked into'));
  async function leaves(): Promise<{ raw: Hex; outflow: OutflowRow }> {
    const raw = await signed(dev.address);
    await broadcast(raw);
    await mine();
    await watch.read();
    return { raw, outflow: await only() };
  }
  const lines = () =>
    rows.db.execute(sql`select transaction_id, direction, method, status, amount_base_units::text as amount, tx_hash
      from transactions where wallet_id = ${walletId}`);

  test('not before, then with its fee, once, and with a line in the list of transactions', async () => {
    const { outflow } = await leaves();
    expect(await available()).toBe(0n);
    expect(await resolveIt(outflow.id)).toMatchObject({ walletId, workspaceId: rows.workspaceId });
    expect(await resolveIt(outflow.id)).toBeUndefined();
    await Promise.all([watch.read(), watchWith().read()]);
    expect(await available()).toBe(-outflow.amountBaseUnits);
    expect([...(await lines())]).toEqual([
      {
        transaction_id: outflow.id,
        direction: 'out',
        method: 'transfer',
        status: 'pending',
        amount: '5',
        tx_hash: outflow.txHash,
      },
    ]);
    await mine(40);
    await watch.read();
    expect([...(await lines())]).toMatchObject([{ status: 'completed' }]);
    await resumeNetwork(rows.db, (await watch.network()).id, outflow.blockNumber - 1);
    await mine();
    await watch.read();
    await watch.read();
    expect(await available()).toBe(-outflow.amountBaseUnits);
  });

  test('a reorganisation takes it back, and another block books it again', async () => {
    const { raw, outflow } = await leaves();
    await resolveIt(outflow.id);
    await watch.read();
    expect(await available()).toBe(-outflow.amountBaseUnits);
    await anvil.reorganise(1);
    await watch.read();
    expect(await available()).toBe(0n);
    await broadcast(raw);
    await mine();
    await watch.read();
    expect(await available()).toBe(-(await only()).amountBaseUnits);
  });

  test('resolved while no block has it: nothing is booked before one has', async () => {
    const { raw, outflow } = await leaves();
    await anvil.reorganise(1);
    await watch.read();
    await resolveIt(outflow.id);
    await watch.read();
    expect(await available()).toBe(0n);
    expect([...(await lines())]).toMatchObject([{ status: 'failed' }]);
    await broadcast(raw);
    await mine();
    await watch.read();
    expect(await available()).toBe(-(await only()).amountBaseUnits);
    expect([...(await lines())]).toMatchObject([{ status: 'pending' }]);
  });

  test('what is in no balance is booked nowhere', async () => {
    const { outflow } = await leaves();
    await rows.db.update(unexplainedOutflows).set({ assetId: null }).where(eq(unexplainedOutflows.id, outflow.id));
    expect(await resolveIt(outflow.id)).toMatchObject({ walletId });
    await watch.read();
    expect(await rows.db.select().from(departures)).toEqual([]);
    expect(await available()).toBe(0n);
  });
});

test(
  'the command lists what is unresolved, resolves it once with a note and an entry in the audit log, and unfreezes nothing',
  async () => {
    await broadcast(await signed(dev.address));
    await mine();
    await watch.read();
    const { id, txHash } = await only();
    const context = {
      dist: resolve(import.meta.dirname, '../../../dist'),
      logDirectory: tmpdir(),
      onStart: () => {},
      environment: { PATH: process.env['PATH'], DATABASE_URL: rows.url },
    };
    const run = (...args: string[]) => runCommand(context, 'outflows', args);
    const listed = await run('list');
    for (const part of ['UNRESOLVED', id, txHash, walletId, 'ETH', 'frozen']) expect(listed).toContain(part);
    await expect(run('resolve', id)).rejects.toThrow('Usage');
    expect(await run('resolve', id, '--note', 'a test of the fire brigade')).toContain('The ledger follows');
    expect(await rows.db.select().from(departures)).toMatchObject([{ transactionId: id, txHash, status: 'seen' }]);
    await expect(run('resolve', id, '--note', 'again')).rejects.toThrow(`no unresolved outflow ${id}`);
    expect(await only()).toMatchObject({ resolvedAt: expect.any(Date), resolution: 'a test of the fire brigade' });
    expect(await run('list', '--all')).toContain('a test of the fire brigade');
    expect(await walletNow()).toEqual(FROZEN);
    const entries = await rows.db.execute(
      sql`select actor, action, wallet_id from audit_logs where resource_id = ${id}`,
    );
    expect([...entries]).toEqual([{ actor: 'operator', action: 'outflows resolve', wallet_id: walletId }]);
  },
  COMMANDS_MS,
);
