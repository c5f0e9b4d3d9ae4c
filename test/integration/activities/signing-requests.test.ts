// Goal: the activities that sign have one effect however often they run, and store no signature that does not verify.
// Method: real PostgreSQL, a cluster in memory with real keys that fails on command, and Temporal's mock of an
// activity's surroundings; signatures are checked with viem and node:crypto.
import { ApplicationFailure } from '@temporalio/common';
import { eq } from 'drizzle-orm';
import { type Hex, hashMessage, keccak256, recoverAddress } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Activities, createActivities } from '../../../activities/index.ts';
import type { GeneratedKey } from '../../../activities/keys/create-wallet.ts';
import { type Cluster, ClusterError } from '../../../activities/mpc/port.ts';
import type { SigningEnd } from '../../../activities/signing/attempt-signature.ts';
import type { Curve } from '../../../domain/statuses.ts';
import type { SigningTask } from '../../../domain/workflow-inputs.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { sealedSigningRequests, signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { workspaces } from '../../../drizzle/workspaces/workspaces.ts';
import { isValid } from '../../support/api/verify.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { FakeCluster, type Fault } from '../../support/cluster/fake-cluster.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { quietEnvironment } from '../../support/processes/activity-environment.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import {
  type ChosenSigning,
  makeSigningRequest,
  makeWallet,
  makeWorkspace,
  onEvm,
  onSolana,
  readSigningRequest,
} from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';

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
  activities = createActivities({
    db: connection.db,
    clusters: onlyMain(cluster),
    chains: noChains,
    seals: testSeals,
    bitcoinNetwork: 'regtest',
  });
  walletId = await makeWallet(connection.db, workspaceId);
  const generate = (curve: Curve): Promise<GeneratedKey> =>
    quietEnvironment().run(() => activities.generateKey(walletId, curve));
  const keys = [await generate('secp256k1'), await generate('ed25519')];
  await activities.activateWallet(walletId, keys);
  task = await newTask();
});

const newTask = (chosen: Partial<ChosenSigning> = {}) =>
  makeSigningRequest(connection.db, workspaceId, walletId, chosen);
const row = (of = task) => readSigningRequest(connection.db, of.signingId);
const failure = { statusReason: 'mpc_error', errorCode: 'mpc_refused', errorReason: 'refused' } as const;
const fail = () => activities.failSigningRequest(task.signingId, failure);

function fulfil(attempt = 1, of = task, within = activities): Promise<SigningEnd> {
  return quietEnvironment(attempt).run((frozen: SigningTask) => within.fulfilSigningRequest(frozen), of);
}

/** The activities over a cluster that does something else between the signature and its answer. */
function interrupted(meanwhile: () => Promise<unknown>): Activities {
  const sign: Cluster['sign'] = async (request, abort) => {
    const signature = await cluster.sign(request, abort);
    await meanwhile();
    return signature;
  };
  const slow: Cluster = {
    sign,
    nodes: cluster.nodes,
    threshold: cluster.threshold,
    generateKey: (request) => cluster.generateKey(request),
    health: () => cluster.health(),
    keepCheckpoint: (checkpoint) => cluster.keepCheckpoint(checkpoint),
    refreshKey: (request) => cluster.refreshKey(request),
    sharesOf: (request) => cluster.sharesOf(request),
    repairShare: () => cluster.repairShare(),
    readCheckpoints: (question) => cluster.readCheckpoints(question),
    close: () => cluster.close(),
  };
  return createActivities({
    db: connection.db,
    clusters: onlyMain(slow),
    chains: noChains,
    seals: testSeals,
    bitcoinNetwork: 'regtest',
  });
}

const curves = [
  ['secp256k1', { ...onEvm, path: [44, 60, 0, 0, 7] }],
  ['ed25519', { ...onSolana, path: [44, 501, 0, 0, 7] }],
  ['the root of ed25519', { ...onSolana, path: [] }],
] as const;

describe('a signature that is stored is that of the child key over the digest', () => {
  test.each(curves)('%s', async (_name, chosen) => {
    task = await newTask(chosen);
    expect(await fulfil()).toEqual({ status: 'success', mpcCorrelationId: `${task.signingId}.1` });
    const { keyType, signingHash, signature, publicKey, address, ...rest } = await row();
    expect(rest).toMatchObject({ status: 'success', statusReason: null, mpcCorrelationId: `${task.signingId}.1` });
    expect(rest.signedByNodes).toEqual([1, 2]);
    expect(rest.completedAt).toBeInstanceOf(Date);
    const signed = { key_type: keyType, signing_hash: signingHash, signature, public_key: publicKey, address };
    expect(await isValid(signed as Parameters<typeof isValid>[0])).toBe(true);
  });

  test('a message and a transaction are hashed here, not by the caller', async () => {
    const hex = `0x${Buffer.from('Pay 5 to Ann').toString('hex')}` as const;
    const digests = { evm_message: hashMessage({ raw: hex }), evm_transaction: keccak256(hex) };
    for (const kind of ['evm_message', 'evm_transaction'] as const) {
      task = await newTask({ payload: { kind, hex } });
      await fulfil();
      const { signature, address } = await row();
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
      cluster.meet('sign', fault);
      await expect(fulfil()).rejects.toMatchObject({ type: 'signature_invalid', nonRetryable: false });
      expect(cluster.signaturesMade).toBe(1);
      expect(await row()).toMatchObject({ status: 'submitted', signature: null, publicKey: null, address: null });
    },
  );
});

describe('an activity that runs twice has one effect', () => {
  test('fulfilSigningRequest, its answer lost: the result stays, and nothing is signed again', async () => {
    const first = await fulfil(1);
    const stored = await row();
    expect(await fulfil(2)).toEqual(first);
    expect(await row()).toEqual(stored);
    expect(cluster.signaturesMade).toBe(1);
  });

  test('fulfilSigningRequest, after a crash between the signature and the row: signed again, over the same message', async () => {
    const crash = interrupted(() => Promise.reject(new Error('the worker dies here')));
    await expect(fulfil(1, task, crash)).rejects.toThrow('dies here');
    expect(await row()).toMatchObject({
      status: 'submitted',
      signature: null,
      mpcCorrelationId: `${task.signingId}.1`,
    });
    expect(await fulfil(2)).toEqual({ status: 'success', mpcCorrelationId: `${task.signingId}.2` });
    expect(cluster.signCalls.map(({ operationId, attempt }) => [operationId, attempt])).toEqual([
      [task.signingId, 1],
      [task.signingId, 2],
    ]);
  });

  test('fulfilSigningRequest, repeated with other nodes: the row names those of the attempt whose signature it has', async () => {
    const crash = interrupted(() => Promise.reject(new Error('the worker dies here')));
    await expect(fulfil(1, task, crash)).rejects.toThrow('dies here');
    expect((await row()).signedByNodes).toBeNull();
    cluster.signers = [1, 3];
    const second = interrupted(async () => {
      cluster.signers = [2, 3];
      await fulfil(3);
    });
    const late = await fulfil(2, task, second);
    expect(late).toEqual({ status: 'success', mpcCorrelationId: `${task.signingId}.3` });
    expect(await row()).toMatchObject({ mpcCorrelationId: `${task.signingId}.3`, signedByNodes: [2, 3] });
  });

  test('fulfilSigningRequest, twice at once: one result, and both say which', async () => {
    const ends = await Promise.all([fulfil(1), fulfil(2)]);
    const { mpcCorrelationId, status } = await row();
    expect(status).toBe('success');
    expect(ends).toEqual([1, 2].map(() => ({ status: 'success', mpcCorrelationId })));
  });

  test('failSigningRequest, of a request that was submitted', async () => {
    cluster.meet('sign', 'mpc_refused');
    await expect(fulfil()).rejects.toThrow(ApplicationFailure);
    await fail();
    const first = await row();
    await activities.failSigningRequest(task.signingId, { ...failure, errorReason: 'another' });
    expect(await row()).toEqual(first);
    expect(first).toMatchObject({ status: 'failed', ...failure, signature: null });
    expect(first.completedAt).toBeInstanceOf(Date);
  });

  test('failSigningRequest, of a request that never was', async () => {
    await fail();
    expect(await row()).toMatchObject({ status: 'failed', ...failure });
  });
});

describe('a request that ended stays as it ended', () => {
  test('a signature that arrives after the failure is not stored, and the caller learns of the failure', async () => {
    const late = interrupted(fail);
    expect(await fulfil(1, task, late)).toMatchObject({ status: 'failed', mpcCorrelationId: `${task.signingId}.1` });
    expect(await row()).toMatchObject({ status: 'failed', ...failure, signature: null });
  });

  test('a failure that arrives after the signature is not stored', async () => {
    await fulfil();
    const ended = await row();
    await fail();
    expect(await row()).toEqual(ended);
  });

  test('what was cancelled before is never signed', async () => {
    await fail();
    const ended = await row();
    expect(await fulfil()).toMatchObject({ status: 'failed', mpcCorrelationId: null });
    expect(await row()).toEqual(ended);
    expect(cluster.signCalls).toEqual([]);
  });

  test('a late attempt leaves no note', async () => {
    const late = interrupted(() => fail().then(() => Promise.reject(new ClusterError('cluster_not_ready', 'late'))));
    await expect(fulfil(3, task, late)).rejects.toThrow(ApplicationFailure);
    expect(await row()).toMatchObject({ status: 'failed', ...failure });
  });
});

describe('what may not sign now is not signed, and says why', () => {
  test('a frozen wallet, and the same wallet when it is unfrozen', async () => {
    await advanceWallet(connection.db, walletId, { from: 'active', to: 'frozen' });
    await expect(fulfil()).rejects.toMatchObject({
      type: 'frozen',
      message: 'the wallet is frozen',
      nonRetryable: true,
    });
    expect(await row()).toMatchObject({ status: 'pending', mpcCorrelationId: null });
    await advanceWallet(connection.db, walletId, { from: 'frozen', to: 'active' });
    expect(await fulfil(2)).toMatchObject({ status: 'success' });
  });

  test('an archived wallet, between two attempts', async () => {
    cluster.meet('sign', 'mpc_error');
    await expect(fulfil(1)).rejects.toThrow(ApplicationFailure);
    await advanceWallet(connection.db, walletId, { from: 'active', to: 'archived' });
    await expect(fulfil(2)).rejects.toMatchObject({ type: 'frozen', nonRetryable: true });
    expect(cluster.signCalls).toHaveLength(1);
  });

  test('a frozen workspace', async () => {
    const freeze = (at: Date | null) =>
      connection.db.update(workspaces).set({ withdrawalsFrozenAt: at }).where(eq(workspaces.id, workspaceId));
    await freeze(new Date());
    await expect(fulfil()).rejects.toMatchObject({ type: 'frozen', message: 'the workspace is frozen' });
    await freeze(null);
    expect(cluster.signCalls).toEqual([]);
  });
});

describe('what is under way can be read off the row', () => {
  test('waiting for the cluster, then success', async () => {
    cluster.meet('sign', 'cluster_not_ready');
    await expect(fulfil(1)).rejects.toMatchObject({ type: 'cluster_not_ready', nonRetryable: false });
    expect(await row()).toMatchObject({ status: 'submitted', statusReason: 'cluster_not_ready' });
    await fulfil(2);
    const mpcCorrelationId = `${task.signingId}.2`;
    expect(await row()).toMatchObject({ status: 'success', statusReason: null, mpcCorrelationId });
  });

  test('the attempt under way', async () => {
    let seen: Awaited<ReturnType<typeof row>> | undefined;
    const watched = interrupted(async () => {
      seen = await row();
    });
    await fulfil(2, task, watched);
    expect(seen).toMatchObject({ status: 'submitted', mpcCorrelationId: `${task.signingId}.2`, statusReason: null });
  });

  test('an attempt that takes long tells Temporal that it lives', async () => {
    const environment = quietEnvironment();
    let heartbeats = 0;
    environment.on('heartbeat', () => {
      heartbeats += 1;
    });
    cluster.meet('sign', { delayMs: 2_300 });
    await environment.run(() => activities.fulfilSigningRequest(task));
    expect(heartbeats).toBeGreaterThanOrEqual(1);
  });
});

describe('what cannot be signed is refused for good', () => {
  test('a request that does not exist', async () => {
    const missing = { ...task, signingId: '01900000-0000-7000-8000-000000000000' };
    await expect(fulfil(1, missing)).rejects.toMatchObject({ type: 'not_found', nonRetryable: true });
  });

  test('a wallet without a key of that curve: the cluster is not asked', async () => {
    const keyless = await makeWallet(connection.db, workspaceId);
    await advanceWallet(connection.db, keyless, { from: 'creating', to: 'active' });
    const other = await makeSigningRequest(connection.db, workspaceId, keyless);
    await expect(fulfil(1, other)).rejects.toMatchObject({ type: 'mpc_refused', nonRetryable: true });
    expect(cluster.signCalls).toEqual([]);
  });

  test('another message under the same id', async () => {
    cluster.meet('sign', { lost: 'mpc_error' });
    await expect(fulfil(1)).rejects.toThrow(ApplicationFailure);
    const other = { signingHash: `0x${'00'.repeat(32)}`, seal: null };
    await connection.db.update(signingRequests).set(other).where(eq(signingRequests.id, task.signingId));
    await expect(fulfil(2)).rejects.toMatchObject({ type: 'row_not_sealed', nonRetryable: true });
    await sealedSigningRequests.sealAll(connection.db, testSeals);
    await expect(fulfil(3)).rejects.toMatchObject({ type: 'mpc_refused', nonRetryable: true });
    expect(cluster.signaturesMade).toBe(1);
  });
});
