// Goal: the activities that sign have one effect however often they run, and store no signature that does not verify. Method: real PostgreSQL, a cluster in
// memory with real keys that fails on command, and Temporal's mock of an activity's surroundings; signatures are checked with viem and node:crypto.
import { ApplicationFailure } from '@temporalio/common';
import { type Hex, hashMessage, keccak256, recoverAddress } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Activities, createActivities } from '../../../activities/index.ts';
import type { SigningResult, SigningTask } from '../../../activities/signing-requests.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database.ts';
import { FakeCluster, type Fault } from '../../support/fake-cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { isValid } from '../../support/verify.ts';
import { quietEnvironment } from './environment.ts';
import { makeSigningRequest, makeWallet, makeWorkspace, onEvm, onSolana, readSigningRequest } from './rows.ts';

let database: TestDatabase;
let connection: DatabaseConnection;
let cluster: FakeCluster;
let activities: Activities;
let workspaceId: string;
let walletId: string;
let task: SigningTask;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 4, name: 'test-signing-activities' });
  workspaceId = await makeWorkspace(connection.db);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});
beforeEach(async () => {
  cluster = new FakeCluster();
  activities = createActivities({ db: connection.db, cluster, bitcoinNetwork: 'regtest' });
  walletId = await makeWallet(connection.db, workspaceId);
  const keys = [await activities.generateKey(walletId, 'secp256k1'), await activities.generateKey(walletId, 'ed25519')];
  await activities.activateWallet(walletId, keys);
  task = await newTask();
});

const newTask = (chosen: Partial<SigningTask> = {}) => makeSigningRequest(connection.db, workspaceId, walletId, chosen);
const row = (of = task) => readSigningRequest(connection.db, of.signingId);
const submit = (of = task) => activities.submitSigningRequest(of.signingId);
const complete = (result: SigningResult) => activities.completeSigningRequest(task.signingId, result);
const failure = { statusReason: 'mpc_error', errorCode: 'mpc_refused', errorReason: 'refused' } as const;
const fail = () => activities.failSigningRequest(task.signingId, failure);

function sign(attempt = 1, of = task): Promise<SigningResult> {
  return quietEnvironment(attempt).run((frozen: SigningTask) => activities.signWithCluster(frozen), of);
}

const curves = [
  ['secp256k1', { ...onEvm, path: [44, 60, 0, 0, 7] }],
  ['ed25519', { ...onSolana, path: [44, 501, 0, 0, 7] }],
  ['the root of ed25519', { ...onSolana, path: [] }],
] as const;

describe('a signature that is stored is that of the child key over the digest', () => {
  test.each(curves)('%s', async (_name, chosen) => {
    task = await newTask(chosen);
    await submit();
    await complete(await sign());
    const { keyType, signingHash, signature, publicKey, address, ...rest } = await row();
    expect(rest).toMatchObject({ status: 'success', statusReason: null, mpcCorrelationId: `${task.signingId}.1` });
    expect(rest.completedAt).toBeInstanceOf(Date);
    const signed = { key_type: keyType, signing_hash: signingHash, signature, public_key: publicKey, address };
    expect(await isValid(signed as Parameters<typeof isValid>[0])).toBe(true);
  });

  test('a message and a transaction are hashed here, not by the caller', async () => {
    const hex = `0x${Buffer.from('Pay 5 to Ann').toString('hex')}` as const;
    const digests = { evm_message: hashMessage({ raw: hex }), evm_transaction: keccak256(hex) };
    for (const kind of ['evm_message', 'evm_transaction'] as const) {
      const { signature, address } = await sign(1, await newTask({ payload: { kind, hex } }));
      expect(await recoverAddress({ hash: digests[kind], signature: signature as Hex })).toBe(address);
    }
  });
});

describe('a signature that is wrong is refused and never stored', () => {
  const wrong: Fault[] = ['wrong_message', 'wrong_key'];
  test.each(curves.flatMap(([name, chosen]) => wrong.map((fault) => [name, fault, chosen] as const)))(
    '%s, %s',
    async (_name, fault, chosen) => {
      task = await newTask(chosen);
      await submit();
      cluster.meet('sign', fault);
      await expect(sign()).rejects.toMatchObject({ type: 'signature_invalid', nonRetryable: true });
      expect(cluster.signaturesMade).toBe(1);
      expect(await row()).toMatchObject({ status: 'submitted', signature: null, publicKey: null, address: null });
    },
  );
});

describe('an activity that runs twice has one effect', () => {
  test('submitSigningRequest', async () => {
    expect(await submit()).toBe('submitted');
    const first = await row();
    expect(await submit()).toBe('submitted');
    expect(await row()).toEqual(first);
    expect(first).toMatchObject({ status: 'submitted', mpcCorrelationId: `${task.signingId}.1` });
  });

  test('signWithCluster: both answers verify, the message is the same and nothing is stored yet', async () => {
    await submit();
    const results = [await sign(1), await sign(2)];
    expect(results.map(({ mpcCorrelationId }) => mpcCorrelationId)).toEqual([
      `${task.signingId}.1`,
      `${task.signingId}.2`,
    ]);
    expect(cluster.signCalls.map(({ operationId }) => operationId)).toEqual([task.signingId, task.signingId]);
    expect(cluster.signCalls.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(await row()).toMatchObject({ status: 'submitted', signature: null });
  });

  test('completeSigningRequest, after a crash between the answer and the row: the first result stays', async () => {
    await submit();
    await complete(await sign(1));
    const first = await row();
    await complete(await sign(2));
    expect(await row()).toEqual(first);
  });

  test('completeSigningRequest, twice at once: one of the two, whole', async () => {
    await submit();
    const results = [{ ...(await sign(1)) }, { ...(await sign(2)), address: 'the second' }];
    await Promise.all(results.map(complete));
    const { signature, address, mpcCorrelationId } = await row();
    expect(results.map((result) => [result.signature, result.address, result.mpcCorrelationId])).toContainEqual([
      signature,
      address,
      mpcCorrelationId,
    ]);
  });

  test('failSigningRequest', async () => {
    await submit();
    await fail();
    const first = await row();
    await activities.failSigningRequest(task.signingId, { ...failure, errorReason: 'another' });
    expect(await row()).toEqual(first);
    expect(first).toMatchObject({ status: 'failed', ...failure, signature: null });
    expect(first.completedAt).toBeInstanceOf(Date);
  });
});

describe('a request that ended stays as it ended', () => {
  test('a signature that arrives after the failure is not stored', async () => {
    await submit();
    const result = await sign();
    await fail();
    const ended = await row();
    await complete(result);
    expect(await row()).toEqual(ended);
  });

  test('a failure that arrives after the signature is not stored', async () => {
    await submit();
    await complete(await sign());
    const ended = await row();
    await fail();
    expect(await row()).toEqual(ended);
    expect(await submit()).toBe('success');
  });

  test('a late attempt leaves no note', async () => {
    await submit();
    await fail();
    const ended = await row();
    cluster.meet('sign', 'cluster_not_ready');
    await expect(sign(3)).rejects.toThrow(ApplicationFailure);
    expect(await row()).toEqual(ended);
  });

  test('nothing is completed that was never submitted', async () => {
    await complete(await sign());
    expect(await row()).toMatchObject({ status: 'pending', signature: null });
  });
});

describe('what is under way can be read off the row', () => {
  test('waiting for the cluster, then success', async () => {
    await submit();
    cluster.meet('sign', 'cluster_not_ready');
    await expect(sign(1)).rejects.toMatchObject({ type: 'cluster_not_ready', nonRetryable: false });
    expect(await row()).toMatchObject({ status: 'submitted', statusReason: 'cluster_not_ready' });
    await complete(await sign(2));
    expect(await row()).toMatchObject({
      status: 'success',
      statusReason: null,
      mpcCorrelationId: `${task.signingId}.2`,
    });
  });

  test('the attempt under way', async () => {
    await submit();
    cluster.meet('sign', 'mpc_error');
    await expect(sign(2)).rejects.toMatchObject({ type: 'mpc_error', nonRetryable: false });
    expect(await row()).toMatchObject({ mpcCorrelationId: `${task.signingId}.2`, statusReason: null });
  });

  test('an attempt that takes long tells Temporal that it lives', async () => {
    await submit();
    const environment = quietEnvironment();
    let heartbeats = 0;
    environment.on('heartbeat', () => {
      heartbeats += 1;
    });
    cluster.meet('sign', { delayMs: 2_300 });
    await environment.run(() => activities.signWithCluster(task));
    expect(heartbeats).toBe(1);
  });
});

describe('what cannot be signed is refused for good', () => {
  test('a request that does not exist', async () => {
    const missing = activities.submitSigningRequest('01900000-0000-7000-8000-000000000000');
    await expect(missing).rejects.toMatchObject({ type: 'not_found', nonRetryable: true });
  });

  test('a wallet without a key of that curve: the cluster is not asked', async () => {
    const other = await makeSigningRequest(connection.db, workspaceId, await makeWallet(connection.db, workspaceId));
    await expect(sign(1, other)).rejects.toMatchObject({ type: 'mpc_refused', nonRetryable: true });
    expect(cluster.signCalls).toEqual([]);
  });

  test('another message under the same id', async () => {
    await sign();
    const other = { ...task, payload: { ...task.payload, hex: `0x${'00'.repeat(32)}` } };
    await expect(sign(2, other)).rejects.toMatchObject({ type: 'mpc_refused', nonRetryable: true });
    expect(cluster.signaturesMade).toBe(1);
  });
});
