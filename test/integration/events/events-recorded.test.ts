// Goal: callers hear of every change that the contract names, once, when it has happened, in the words of the
// resource's own record, and of nothing that was not. Method: whole lives of resources by the API, the product's
// workflow and activities on real PostgreSQL, Temporal and anvil, the cluster in memory; then what the feed says of
// each, held against its description. Not covered: events of webhooks, which webhooks.test.ts has.
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { getAddress, parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectChains } from '../../../activities/chains/connect-chains.ts';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import { createActivities } from '../../../activities/index.ts';
import { networkSeed } from '../../../domain/catalog/networks.ts';
import { eventTypes } from '../../../domain/events/event-types.ts';
import { eventOutbox } from '../../../drizzle/events/events.ts';
import {
  beginExport,
  cancelExport,
  completeExport,
  failExport,
  insertExport,
} from '../../../drizzle/exports/export-steps.ts';
import { advanceSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { setWithdrawalsFrozen } from '../../../drizzle/workspaces/workspaces.ts';
import { toTransactionRecord } from '../../../src/transactions/transactions.response.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { eventsOf, readFeed, sequenceAll, typesOf } from '../../support/api/events.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { openDepositDatabase, watchDeposits } from '../../support/chains/deposit-watch.ts';
import { FakeCluster } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { makeConsoleUser, ORIGIN } from '../../support/passkeys/console-user.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { startTestWorker, type TestWorker } from '../../support/processes/worker.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { activatePolicy, connectNetwork, credit, feesOf, sandbox } from '../../support/rows/funded.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { anyEvmAddress } from '../../support/withdrawals/withdrawals.ts';

const cluster = new FakeCluster();
let api: TestApi;
let stage: ApprovalStage;
let approver: KnownKey;
let anvil: Anvil;
let worker: TestWorker;
let walletId: string;
/** Of every life that was looked at. */
const heard = new Set<string>();

beforeAll(async () => {
  [api, anvil] = await Promise.all([startApi({ consoleOrigin: ORIGIN }), startAnvil()]);
  stage = new ApprovalStage(api);
  approver = await stage.makeApprover();
  const real = connectChains({ ETHEREUM_SANDBOX: anvil.url }, networkSeed);
  const chains = { ...real, find: (code: string) => sometimesDenying(real.find(code)) };
  const activities = createActivities({
    db: api.db,
    clusters: onlyMain(cluster),
    chains,
    seals: testSeals,
    bitcoinNetwork: 'regtest',
  });
  worker = await startTestWorker({ temporal: { ...testTemporal('told'), taskQueue: api.taskQueue }, activities });
  await connectNetwork(api.db, sandbox.ETH.networkId, feesOf(10n ** 15n));
  const approved = { action: 'require_approvals', approvals: 1, expires_in_seconds: 3600 } as const;
  const asset_id = sandbox.ETH.assetId;
  await activatePolicy(api.db, api.workspaceId, {
    rules: [
      { name: 'digests', when: { payload_kinds: ['raw_digest'] }, then: { action: 'allow' } },
      { name: 'messages', when: { payload_kinds: ['evm_message'] }, then: approved },
      { name: 'much', when: { operations: ['withdrawal'], amount: { asset_id, more_than: '5' } }, then: approved },
    ],
    default: { action: 'allow' },
  });
  walletId = await makeWallet();
  await fund(walletId);
}, 120_000);
afterAll(async () => {
  await worker?.stop();
  await Promise.all([api?.stop(), anvil?.stop()]);
});

/** Whether the node takes every transaction and says that it does not. */
let denies = false;

function sometimesDenying(chain: Chain | undefined): Chain | undefined {
  return (
    chain && {
      ...chain,
      broadcast: async (...bytes) => {
        const answer = await chain.broadcast(...bytes);
        return denies ? { outcome: 'rejected', reason: 'it says so' } : answer;
      },
    }
  );
}

const ofWorkspace = (path: string) => `/api/v1/workspaces/${api.workspaceId}/${path}`;

/** Waits for the status, then for nothing more: what is told is told with it. */
async function until(path: string, expected: object): Promise<void> {
  const look = async () => expect((await stage.call('GET', `/api/v1/${path}`)).body.data).toMatchObject(expected);
  await vi.waitFor(look, { timeout: 60_000, interval: 50 });
}

async function recordedEvents(id: string) {
  const events = await eventsOf(api.db, api.workspaceId, id);
  for (const { type } of events) heard.add(type);
  return events;
}

/** What the last event says is what the record says, under the same names. Returns the types of all. */
async function agree(id: string, record: Record<string, unknown>): Promise<string[]> {
  const events = await recordedEvents(id);
  const data = { ...events.at(-1)?.data };
  const shared = Object.keys(data).filter((name) => Object.hasOwn(record, name));
  const only = (from: Record<string, unknown>) => Object.fromEntries(shared.map((name) => [name, from[name]]));
  expect(shared.length).toBeGreaterThan(5);
  expect(only(data)).toEqual(only(record));
  return typesOf(events);
}

async function makeWallet(status = 'success', more: object = {}): Promise<string> {
  const { body } = await stage.call('POST', '/api/v1/wallets', {
    name: 'told',
    wallet_type: 'mpc',
    wallet_purpose: 'general',
    ...more,
  });
  const { wallet_id } = body.data;
  await until(`wallets/creation-status/${wallet_id}`, { status });
  return wallet_id;
}

async function fund(id: string): Promise<void> {
  await credit(api.db, id, sandbox.ETH, parseEther('100'));
  const { address } = (await stage.call('GET', `/api/v1/wallets/${id}/address?address_type=evm`)).body.data;
  await anvil.client.setBalance({ address, value: parseEther('100') });
}

describe('a wallet', () => {
  const change = (id: string, verb: string) => stage.call('POST', `/api/v1/wallets/${id}/${verb}`);

  test('is created, frozen, unfrozen, each once whoever asks again; renaming and archiving are not told', async () => {
    const metadata = { note: 'for readers of the wallet' };
    const id = await makeWallet('success', { external_id: 'customer-1', metadata });
    for (const verb of ['freeze', 'freeze', 'unfreeze', 'unfreeze']) await change(id, verb);
    expect(await agree(id, (await stage.call('GET', `/api/v1/wallets/${id}`)).body.data)).toEqual([
      'wallet.created',
      'wallet.frozen',
      'wallet.unfrozen',
    ]);
    await stage.call('PATCH', `/api/v1/wallets/${id}`, { name: 'renamed' });
    const { address } = (await stage.call('GET', `/api/v1/wallets/${id}/address?address_type=sol`)).body.data;
    await change(id, 'archive');
    const [created, ...others] = await recordedEvents(id);
    expect(others).toHaveLength(2);
    expect(created?.data['addresses']).toMatchObject({ sol: address, evm: expect.stringMatching(/^0x/) });
    expect(created?.walletId).toBe(id);
    expect(created?.data['external_id']).toBe('customer-1');
    expect(JSON.stringify([created, ...others])).not.toContain('for readers of the wallet');
  });

  test('gets no keys', async () => {
    cluster.meet('generateKey', 'mpc_refused');
    const id = await makeWallet('error');
    const events = await recordedEvents(id);
    expect(typesOf(events)).toEqual(['wallet.creation_failed']);
    expect(events[0]?.data).toMatchObject({ status: 'failed', error_code: 'mpc_refused' });
  });
});

test('a workspace is frozen and unfrozen: told when it changes, not when it is asked again', async () => {
  for (const verb of ['freeze', 'freeze', 'unfreeze', 'unfreeze', 'freeze', 'unfreeze'])
    expect((await stage.call('POST', ofWorkspace(`withdrawals/${verb}`))).status).toBe(200);
  const events = (await readFeed(api.db, api.workspaceId)).filter(({ type }) => type.startsWith('workspace.'));
  for (const { type } of events) heard.add(type);
  const [frozen, unfrozen] = ['workspace.withdrawals_frozen', 'workspace.withdrawals_unfrozen'];
  expect(typesOf(events)).toEqual([frozen, unfrozen, frozen, unfrozen]);
  expect(events.map(({ data }) => data['withdrawals_frozen'])).toEqual([true, false, true, false]);
});

test('an API key is created and revoked; neither its change nor its rotation, and none of its secrets, is told', async () => {
  const made = await stage.call('POST', ofWorkspace('api-keys'), {
    name: 'told',
    scopes: ['signing:read'],
    wallet_ids: [walletId],
  });
  const { id, api_key, api_secret } = made.body.data;
  await stage.call('PATCH', `/api/v1/api-keys/${id}`, { name: 'told of' });
  const rotated = await stage.call('POST', `/api/v1/api-keys/${id}/rotate`, { overlap_seconds: 60 });
  await stage.call('DELETE', `/api/v1/api-keys/${id}`);
  const { body } = await stage.call('DELETE', `/api/v1/api-keys/${id}`);
  expect(await agree(id, body.data)).toEqual(['api_key.created', 'api_key.revoked']);
  const events = await recordedEvents(id);
  expect(events.map(({ walletId: bound }) => bound)).toEqual([null, null]);
  for (const secret of [api_key, api_secret, rotated.body.data.api_secret])
    expect(JSON.stringify(events)).not.toContain(secret);
});

test('a passkey is enrolled and removed; neither its use nor a second removal is told', async () => {
  const user = await makeConsoleUser(api, ['viewer']);
  const own = `/api/v1/users/${user.userId}/passkeys`;
  const [{ id }] = (await user.send('GET', own)).body.data;
  await user.signIn();
  await stage.call('DELETE', `/api/v1/passkeys/${id}`);
  const { body } = await stage.call('DELETE', `/api/v1/passkeys/${id}`);
  expect(await agree(id, body.data)).toEqual(['passkey.enrolled', 'passkey.removed']);
  const [enrolled, removed] = await recordedEvents(id);
  expect(enrolled?.data).toMatchObject({ user_id: user.userId, workspace_id: api.workspaceId });
  expect(enrolled?.data).not.toHaveProperty('removed_at');
  expect(removed?.data).toHaveProperty('removed_at');
});

describe('a signing operation', () => {
  const ask = async (route: string, body: object): Promise<string> => {
    const path = `/api/v1/web3/transaction/${walletId}/${route}`;
    const answer = await stage.call('POST', path, { network_internal_code: 'ETHEREUM_SANDBOX', ...body });
    expect(answer).toMatchObject({ status: 202 });
    return answer.body.data.transaction_id;
  };
  const ofDigest = () => ask('signRaw', { signing_hash: `0x${'5a'.repeat(32)}`, external_id: uuidv7() });
  const ofMessage = () => ask('signMessage', { message: 'Hello' });
  const recordOf = async (id: string) => (await stage.call('GET', `/api/v1/signing-requests/${id}`)).body.data;

  test('succeeds: with its signature', async () => {
    const id = await ofDigest();
    await until(`signing-requests/${id}`, { status: 'success' });
    expect(await agree(id, await recordOf(id))).toEqual(['signing.submitted', 'signing.success']);
    expect((await recordedEvents(id)).at(-1)?.data).toMatchObject({
      signature: expect.stringMatching(/^0x/),
      wallet_id: walletId,
    });
  });

  test('needs several attempts: submitted is told once', async () => {
    cluster.meet('sign', 'cluster_not_ready', 'mpc_error');
    const id = await ofDigest();
    await until(`signing-requests/${id}`, { status: 'success', mpc_correlation_id: `${id}.3` });
    expect(typesOf(await recordedEvents(id))).toEqual(['signing.submitted', 'signing.success']);
  });

  test('fails', async () => {
    cluster.meet('sign', 'mpc_refused');
    const id = await ofDigest();
    await until(`signing-requests/${id}`, { status: 'failed' });
    expect(await agree(id, await recordOf(id))).toEqual(['signing.submitted', 'signing.failed']);
  });

  test.each([
    ['approve', 'success', ['signing.submitted', 'signing.success']],
    ['reject', 'failed', ['signing.failed']],
  ] as const)('must be approved: %s', async (verb, status, then) => {
    const id = await ofMessage();
    expect(typesOf(await recordedEvents(id))).toEqual(['signing.pending_approval']);
    await stage.decide('signing', id, { verb, key: approver });
    await until(`signing-requests/${id}`, { status });
    expect(await agree(id, await recordOf(id))).toEqual(['signing.pending_approval', ...then]);
  });

  test('is cancelled', async () => {
    const id = await ofMessage();
    await stage.cancel('signing', id);
    expect(await agree(id, await recordOf(id))).toEqual(['signing.pending_approval', 'signing.failed']);
  });
});

describe('a withdrawal', () => {
  const ask = async (amount: string): Promise<string> => {
    const body = {
      asset_id: sandbox.ETH.assetId,
      amount,
      recipient_address: anyEvmAddress(),
      external_id: uuidv7(),
    };
    const answer = await stage.call('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, body);
    expect(answer).toMatchObject({ status: 202 });
    return answer.body.data.withdrawal.id;
  };
  const untilBroadcast = (id: string) => until(`withdrawals/${id}`, { sub_status: 'confirming' });
  const types = (...moves: string[]) => moves.map((move) => `withdrawal.${move}`);
  const recordOf = (id: string) => stage.read('withdrawal', id);

  test('goes out and completes', async () => {
    const id = await ask('1.25');
    await untilBroadcast(id);
    expect(await agree(id, await recordOf(id))).toEqual(types('created', 'approved', 'processing', 'broadcast'));
    await anvil.client.mine({ blocks: 2 });
    await until(`withdrawals/${id}`, { status: 'completed' });
    expect(await agree(id, await recordOf(id))).toEqual(
      types('created', 'approved', 'processing', 'broadcast', 'completed'),
    );
    const signings = (await readFeed(api.db, api.workspaceId)).filter(({ data }) => data['withdrawal_id'] === id);
    expect(typesOf(signings)).toEqual(['signing.submitted', 'signing.success']);
  });

  test('is sped up: the replacement is told with its own hash', async () => {
    const id = await ask('1');
    await untilBroadcast(id);
    const first = (await recordOf(id)).tx_hash;
    await stage.call('POST', `/api/v1/withdrawals/${id}/speed-up`, {});
    await expect
      .poll(async () => typesOf(await recordedEvents(id)), { timeout: 60_000, interval: 50 })
      .toContain('withdrawal.replaced');
    await anvil.client.mine({ blocks: 2 });
    await until(`withdrawals/${id}`, { status: 'completed' });
    const moves = await agree(id, await recordOf(id));
    expect(moves).toEqual(types('created', 'approved', 'processing', 'broadcast', 'replaced', 'completed'));
    const [broadcast, replaced] = (await recordedEvents(id)).slice(3).map(({ data }) => data['tx_hash']);
    expect(broadcast).toBe(first);
    expect(replaced).toBe((await recordOf(id)).tx_hash);
    expect(replaced).not.toBe(first);
  });

  test('lands though its node refused it: that it is out is told before its end', async () => {
    denies = true;
    const id = await ask('1');
    await until(`withdrawals/${id}`, { sub_status: 'stuck' });
    denies = false;
    expect(typesOf(await recordedEvents(id))).toEqual(types('created', 'approved', 'processing'));
    await anvil.client.mine({ blocks: 2 });
    await until(`withdrawals/${id}`, { status: 'completed' });
    const moves = types('created', 'approved', 'processing', 'broadcast', 'completed');
    expect(await agree(id, await recordOf(id))).toEqual(moves);
  });

  test('must be approved, and is', async () => {
    const id = await ask('6');
    expect(await agree(id, await recordOf(id))).toEqual(types('created', 'pending_approval'));
    await stage.decide('withdrawal', id, { verb: 'approve', key: approver });
    await untilBroadcast(id);
    await anvil.client.mine({ blocks: 2 });
    await until(`withdrawals/${id}`, { status: 'completed' });
    const moves = types('created', 'pending_approval', 'approved', 'processing', 'broadcast', 'completed');
    expect(await agree(id, await recordOf(id))).toEqual(moves);
  });

  test.each([
    ['rejected', (id: string) => stage.decide('withdrawal', id, { verb: 'reject', key: approver })],
    ['cancelled', (id: string) => stage.cancel('withdrawal', id)],
  ] as const)('must be approved, and is %s', async (status, decide) => {
    const id = await ask('6');
    expect((await decide(id)).status).toBe(200);
    expect(await agree(id, await recordOf(id))).toEqual(types('created', 'pending_approval', status));
  });

  test('waits for its fee: told once, with what is missing, until it goes on', async () => {
    const { address } = (await stage.call('GET', `/api/v1/wallets/${walletId}/address?address_type=evm`)).body.data;
    const value = await anvil.client.getBalance({ address });
    await anvil.client.setBalance({ address, value: parseEther('1') });
    const id = await ask('1');
    await until(`withdrawals/${id}`, {
      sub_status: 'insufficient_funds',
      shortage: { asset: 'ETH', missing: expect.any(String), waits_until: expect.stringMatching(/Z$/) },
    });
    const moves = types('created', 'approved', 'processing', 'insufficient_funds');
    expect(await agree(id, await recordOf(id))).toEqual(moves);
    const listed = await stage.call('GET', ofWorkspace('withdrawals?sub_status=insufficient_funds'));
    expect(listed.body.data).toEqual([await recordOf(id)]);
    await anvil.client.setBalance({ address, value });
    await untilBroadcast(id);
    expect(await recordOf(id)).not.toHaveProperty('shortage');
    await anvil.client.mine({ blocks: 2 });
    await until(`withdrawals/${id}`, { status: 'completed' });
    expect(await agree(id, await recordOf(id))).toEqual([...moves, ...types('broadcast', 'completed')]);
  });

  test('fails', async () => {
    cluster.meet('sign', 'mpc_refused');
    const id = await ask('1');
    await until(`withdrawals/${id}`, { status: 'failed' });
    expect(await agree(id, await recordOf(id))).toEqual(types('created', 'approved', 'processing', 'failed'));
  });
});

describe('a deposit', () => {
  test('arrives, is taken back, comes back, is final, and is taken back after all', async () => {
    const [chain, rows] = await Promise.all([startAnvil(), openDepositDatabase()]);
    try {
      const watch = watchDeposits(rows.db, {
        networkCode: 'ETHEREUM_SANDBOX',
        chain: evmChain({ rpcUrl: chain.url, chainId: 31_337 }),
      });
      const to = getAddress(anyEvmAddress());
      const owner = await rows.makeWallet('evm', to);
      const { client } = chain;
      const step = async (blocks: number) => {
        await client.mine({ blocks });
        await watch.read();
      };
      await step(1);
      const hash = await client.sendTransaction({ to, value: parseEther('0.5') });
      const raw = await client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never);
      await step(1);
      await chain.reorganise(1);
      await step(3);
      await client.sendRawTransaction({ serializedTransaction: raw });
      await step(1);
      await step(1);
      await chain.reorganise(3);
      await step(4);
      const [deposit] = await rows.depositsOf(owner);
      const events = await eventsOf(rows.db, rows.workspaceId, deposit?.id ?? '');
      for (const { type } of events) heard.add(type);
      const moves = ['pending', 'reorged', 'pending', 'confirmed', 'reorged'];
      expect(typesOf(events)).toEqual(moves.map((move) => `deposit.${move}`));
      expect(events.map(({ data }) => data['status'])).toEqual(moves);
      const [activity] = await rows.activityOf(owner);
      const { id, transaction_id, wallet_id, asset_id, network_id, amount, tx_hash, from_address, to_address } =
        toTransactionRecord(activity as NonNullable<typeof activity>, undefined);
      const shared = { id, transaction_id, wallet_id, asset_id, network_id, amount, tx_hash, from_address, to_address };
      for (const { data, walletId: of } of events) expect([of, data]).toMatchObject([owner, shared]);
      expect(shared.amount).toBe('0.5');
      expect(events.map(({ data }) => 'block_hash' in data)).toEqual([true, false, true, true, false]);
    } finally {
      await Promise.all([chain.stop(), rows.stop()]);
    }
  });
});

test.each(['completed', 'failed', 'cancelled'] as const)('an export that is %s', async (end) => {
  const id = uuidv7();
  const asked = { id, workspaceId: api.workspaceId, workflowId: `write-export-${id}`, requestedBy: uuidv7() };
  await api.db.transaction((tx) => insertExport(tx, { ...asked, content: 'balances', format: 'csv' }));
  const fileId = uuidv7();
  await beginExport(api.db, id, fileId);
  const written = { fileId, rowCount: 1, byteCount: 2, sha256: 'ab'.repeat(32), snapshotAt: new Date() };
  if (end === 'completed') await completeExport(api.db, id, written, async () => {});
  else if (end === 'cancelled') await api.db.transaction((tx) => cancelExport(tx, { id, status: 'running' }, 'Why.'));
  else await failExport(api.db, id, { errorCode: 'export_store_full', errorReason: 'there is no room left' });
  const record = (await stage.call('GET', `/api/v1/workspaces/${api.workspaceId}/exports/${id}`)).body.data;
  expect(await recordedEvents(id)).toMatchObject([{ type: `export.${end}`, walletId: null }]);
  const [event] = await recordedEvents(id);
  const { requested_by: _by, rows_written: _rows, bytes_written: _bytes, file: _file, ...shown } = record;
  expect(event?.data).toEqual({ ...shown, workspace_id: api.workspaceId });
});

test('every type was heard, but those of webhooks', () => {
  const others = eventTypes.filter((type) => !type.startsWith('webhook.'));
  expect([...heard].toSorted()).toEqual(others.toSorted());
});

describe('H1: what is rolled back is not told', () => {
  class Undone extends Error {}

  test.each([
    [
      'a wallet',
      () =>
        api.db.transaction(async (tx) => {
          expect(await advanceWallet(tx, walletId, { from: 'active', to: 'frozen' })).toBe(true);
          throw new Undone();
        }),
    ],
    [
      'a workspace',
      () =>
        api.db.transaction(async (tx) => {
          await setWithdrawalsFrozen(tx, testSeals, api.workspaceId, { frozen: true });
          throw new Undone();
        }),
    ],
    [
      'a compare-and-set that finds another status',
      async () => {
        expect(await advanceWallet(api.db, walletId, { from: 'frozen', to: 'active' })).toBe(false);
        expect(await advanceSigningRequest(api.db, walletId, { from: 'pending', to: 'submitted' })).toBe(false);
        throw new Undone();
      },
    ],
  ])('%s', async (_name, attempt) => {
    await sequenceAll(api.db);
    const before = await readFeed(api.db, api.workspaceId);
    await expect(attempt()).rejects.toBeInstanceOf(Undone);
    expect(await api.db.select().from(eventOutbox).where(eq(eventOutbox.workspaceId, api.workspaceId))).toEqual([]);
    expect(await readFeed(api.db, api.workspaceId)).toEqual(before);
  });
});
