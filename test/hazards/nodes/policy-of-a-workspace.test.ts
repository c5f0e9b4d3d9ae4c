// Goal: a policy of the nodes that names a workspace holds for wallets that are made afterwards, for no other
// workspace's, and neither who has the command key nor who owns the database moves a wallet into it. Method: three real
// nodes, the product's workflow and activities on real PostgreSQL and Temporal, the port as a thief of the command key
// would use it, and rows that are changed as their owner could. Refresh, repair, restore and lies among nodes are in
// mpc/tests/nodes/keys/workspaces.rs.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { v4 } from 'uuid';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createWalletActivities, type GeneratedKey } from '../../../activities/keys/create-wallet.ts';
import type { Cluster, PublicKey } from '../../../activities/mpc/port.ts';
import { type Curve, curves } from '../../../domain/statuses.ts';
import { walletAddresses, walletKeys, wallets } from '../../../drizzle/wallets/wallets.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';
import { startTestCluster, type TestCluster } from '../../support/cluster/cluster.ts';
import { type NodesAndWorker, startNodesAndWorker } from '../../support/cluster/nodes-and-worker.ts';
import { onlyMain } from '../../support/cluster/only-main.ts';
import { quietEnvironment } from '../../support/processes/activity-environment.ts';
import { makeWallet, makeWorkspace, onEvm, readSigningRequest } from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';

const BUILD_MS = 300_000;

let nodes: TestCluster;
let cluster: Cluster;
let service: NodesAndWorker;
/** Which the policy does not name. */
let otherWorkspace: string;
let sandbox: object;

beforeAll(async () => {
  nodes = await startTestCluster();
  cluster = nodes.cluster;
  service = await startNodesAndWorker('policy-of-a-workspace', nodes, cluster);
  otherWorkspace = await makeWorkspace(service.db);
  sandbox = JSON.parse(readFileSync(join(nodes.directory, 'policy.json'), 'utf8'));
  await adopt([`workspace:${service.workspaceId}`]);
}, BUILD_MS);
afterAll(() => service?.stop());

/** All three nodes have this file, and are started again on a new one. */
async function adopt(wallets: readonly string[]): Promise<void> {
  const file = join(nodes.directory, 'policy.json');
  const policy = JSON.stringify({ ...sandbox, wallets });
  writeFileSync(`${file}.new`, policy);
  await nodes.run('check-policy', '--policy', `${file}.new`);
  renameSync(`${file}.new`, file);
  const adopted = createHash('sha256').update(policy).digest('hex');
  const assertAdopted = async () => {
    const policies = (await cluster.health()).map(({ policySha256 }) => policySha256);
    expect(policies).toEqual([adopted, adopted, adopted]);
  };
  await vi.waitFor(assertAdopted, { timeout: 60_000 });
}

const signsOn = (walletId: string, curve: Curve) =>
  cluster.sign(
    {
      operationId: v4(),
      attempt: 1,
      walletId,
      curve,
      path: [],
      payload: { kind: 'raw_digest', digest: Buffer.alloc(32, 7) },
    },
    anySignature,
  );
const refused = { code: 'policy_refused', message: expect.stringContaining('does not cover this wallet') };

test('a wallet that is made afterwards in the workspace signs, and one of another workspace does not', async () => {
  const walletId = await service.newWallet();
  const asked = await service.ask(walletId, { kind: 'raw_digest', hex: `0x${'5a'.repeat(32)}` }, onEvm);
  await asked.handle.result();
  expect(await readSigningRequest(service.db, asked.id)).toMatchObject({ status: 'success' });
  const other = await service.newWallet(otherWorkspace);
  for (const curve of curves) {
    await signsOn(walletId, curve);
    await expect(signsOn(other, curve)).rejects.toMatchObject(refused);
  }
}, 120_000);

test('whoever has the command key moves no wallet into the workspace', async () => {
  const walletId = v4();
  const { workspaceId } = service;
  for (const curve of curves) {
    const root: PublicKey = await cluster.generateKey({ walletId, curve, workspaceId: otherWorkspace });
    const claimed = cluster.generateKey({ walletId, curve, workspaceId });
    await expect(claimed).rejects.toMatchObject({
      code: 'mpc_refused',
      message: 'the nodes keep the key of this wallet for another workspace',
    });
    await expect(signsOn(walletId, curve)).rejects.toMatchObject(refused);
    expect(await cluster.refreshKey({ walletId, curve, root })).toBe(1);
    await expect(signsOn(walletId, curve)).rejects.toMatchObject(refused);
    expect(await cluster.generateKey({ walletId, curve, workspaceId: otherWorkspace })).toEqual(root);
  }
}, 120_000);

test.each<[string, { during: readonly Curve[]; isPutBack: boolean }]>([
  ['while both keys are made, and back', { during: ['secp256k1', 'ed25519'], isPutBack: true }],
  ['while one of two keys is made, and back', { during: ['ed25519'], isPutBack: true }],
  ['while both keys are made', { during: ['secp256k1', 'ed25519'], isPutBack: false }],
  ['before the keys that were made are published', { during: [], isPutBack: false }],
])(
  'a row that is moved into the workspace %s never becomes a wallet',
  async (_when, { during, isPutBack }) => {
    const { db, workspaceId } = service;
    const clusters = onlyMain(cluster);
    const making = createWalletActivities({ db, clusters, bitcoinNetwork: 'regtest', seals: testSeals });
    const walletId = await makeWallet(db, otherWorkspace);
    const moveTo = (id: string) => db.update(wallets).set({ workspaceId: id }).where(eq(wallets.id, walletId));
    const keys: GeneratedKey[] = [];
    for (const curve of curves) {
      await moveTo(during.includes(curve) ? workspaceId : otherWorkspace);
      keys.push(await quietEnvironment().run(() => making.generateKey(walletId, curve)));
    }
    await moveTo(isPutBack ? otherWorkspace : workspaceId);
    await expect(making.activateWallet(walletId, keys)).rejects.toThrow(
      isPutBack || during.length === 0
        ? 'the nodes keep the key of this wallet for another workspace'
        : 'was not written by this service',
    );
    expect(await db.select().from(wallets).where(eq(wallets.id, walletId))).toMatchObject([{ status: 'creating' }]);
    for (const published of [walletKeys, walletAddresses])
      expect(await db.select().from(published).where(eq(published.walletId, walletId))).toEqual([]);
  },
  120_000,
);

test('a key from before commands said the workspace is in none, and is named by its wallet', async () => {
  const walletId = v4();
  const root = await cluster.generateKey({ walletId, curve: 'ed25519' });
  await expect(signsOn(walletId, 'ed25519')).rejects.toMatchObject(refused);
  // The wallet's making goes on with it, and it stays in none.
  expect(await cluster.generateKey({ walletId, curve: 'ed25519', workspaceId: service.workspaceId })).toEqual(root);
  await expect(signsOn(walletId, 'ed25519')).rejects.toMatchObject(refused);
  await adopt([walletId, `workspace:${service.workspaceId}`]);
  await expect
    .poll(() => signsOn(walletId, 'ed25519').then(() => 'signed', String), { timeout: 60_000 })
    .toBe('signed');
}, 120_000);

test('a selector that nodes do not know is an error that names it', async () => {
  await expect(adopt(['label:treasury'])).rejects.toThrow(/not by "label:treasury"/);
});
