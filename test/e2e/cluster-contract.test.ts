// Goal: whatever stands behind the port keeps what activities/mpc/port.ts promises. Method: one suite over every
// adapter, three real nodes and the software signer; each signature is verified against the wallet's key by the code
// that the activities use.

import { randomBytes } from 'node:crypto';
import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Cluster, Payload, PublicKey, SignRequest } from '../../activities/mpc/port.ts';
import { SoftwareKeys } from '../../activities/mpc/software/software-keys.ts';
import { SoftwareSigner } from '../../activities/mpc/software/software-signer.ts';
import { deriveChild } from '../../activities/mpc/verify/derive-child-key.ts';
import { verifySignature } from '../../activities/mpc/verify/verify-signature.ts';
import { type Curve, curves } from '../../domain/statuses.ts';
import { anySignature } from '../support/cluster/any-signature.ts';
import { startTestCluster } from '../support/cluster/cluster.ts';
import { mail } from '../unit/payloads/documents.ts';

interface Started {
  cluster: Cluster;
  stop(): Promise<void>;
}

const software = async (): Promise<Started> => {
  const cluster = new SoftwareSigner(new SoftwareKeys(randomBytes(32)));
  return { cluster, stop: () => cluster.close() };
};

const rawDigest = (): Payload => ({ kind: 'raw_digest', digest: randomBytes(32) });

/** A transfer of one lamport between two keys, of which the first pays. */
function solanaTransfer(payer: Uint8Array): Payload {
  const receiver = randomBytes(32);
  const instruction = Buffer.from([2, 2, 0, 1, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  const keys = [payer, receiver, Buffer.alloc(32)];
  const message = Buffer.concat([Buffer.of(1, 0, 1, keys.length), ...keys, randomBytes(32), Buffer.of(1), instruction]);
  return { kind: 'solana_transaction', message };
}

describe.each<[string, () => Promise<Started>]>([
  ['three nodes', startTestCluster],
  ['the software signer', software],
])('%s', (_name, start) => {
  const walletId = v4();
  const roots = new Map<Curve, PublicKey>();
  let started: Started;
  let cluster: Cluster;

  beforeAll(async () => {
    started = await start();
    ({ cluster } = started);
    // Whoever asks for a key asks again when a node did not answer in time, as on a machine that does much else.
    const key = (curve: Curve) => vi.waitFor(() => cluster.generateKey({ walletId, curve }), { timeout: 60_000 });
    for (const curve of curves) roots.set(curve, await key(curve));
  }, 300_000);

  afterAll(() => started?.stop());

  const rootOf = (curve: Curve) => {
    const root = roots.get(curve);
    if (root === undefined) throw new Error('no key');
    return root;
  };
  const requestOf = (change: Partial<SignRequest> = {}): SignRequest => ({
    operationId: v4(),
    attempt: 1,
    walletId,
    curve: 'secp256k1',
    path: [0, 3],
    payload: rawDigest(),
    ...change,
  });

  async function signs(request: SignRequest): Promise<void> {
    const signature = await cluster.sign(request, anySignature);
    verifySignature({ ...request, root: rootOf(request.curve), signature });
    expect(signature.signers).toHaveLength(cluster.threshold);
    expect(cluster.nodes).toEqual(expect.arrayContaining([...signature.signers]));
  }

  it('says who its nodes are, and that they are well', async () => {
    expect(cluster.nodes).toEqual(cluster.nodes.toSorted((a, b) => a - b));
    expect(cluster.threshold).toBeLessThanOrEqual(cluster.nodes.length);
    const health = await cluster.health();
    expect(health.map(({ node }) => node)).toEqual(cluster.nodes);
    expect(health.filter(({ reachable }) => !reachable)).toEqual([]);
  });

  it.each(curves)(
    'makes a key on %s once, also when it is asked twice at once',
    async (curve) => {
      const wanted = { walletId: v4(), curve };
      const [first, second] = await Promise.all([cluster.generateKey(wanted), cluster.generateKey(wanted)]);
      expect(second).toEqual(first);
      expect(await cluster.generateKey(wanted)).toEqual(first);
      expect(first.publicKey).toHaveLength(curve === 'secp256k1' ? 33 : 32);
      expect(first.chainCode).toHaveLength(32);
      expect(first).not.toEqual(rootOf(curve));
    },
    120_000,
  );

  it.each(curves)('signs on %s with the root and with derived keys', async (curve) => {
    for (const path of [[], [0], [44, 60, 0, 0, 2 ** 31 - 1]]) await signs(requestOf({ curve, path }));
  });

  it.each<[string, Payload]>([
    [
      'a transaction',
      {
        kind: 'evm_transaction',
        unsigned: Buffer.from('02e80180843b9aca0084773594008252089400000000000000000000000000000000', 'hex'),
      },
    ],
    ['a message', { kind: 'evm_message', text: Buffer.from('grüß dich') }],
    ['typed data', { kind: 'evm_typed_data', typedData: mail }],
  ])('signs the content of %s', async (_what, payload) => {
    await signs(requestOf({ payload }));
  });

  it('signs a Solana message for a key that it asks for, and for no other', async () => {
    const path = [7];
    const message = (payer: readonly number[]) => solanaTransfer(deriveChild('ed25519', rootOf('ed25519'), payer));
    await signs(requestOf({ curve: 'ed25519', path, payload: message(path) }));
    await expect(
      cluster.sign(requestOf({ curve: 'ed25519', path, payload: message([8]) }), anySignature),
    ).rejects.toMatchObject({
      code: 'mpc_refused',
      retryable: false,
    });
  });

  it('signs the same message again under the same operation, and never another', async () => {
    const request = requestOf();
    await signs(request);
    await signs({ ...request, attempt: 2 });
    for (const change of [{ payload: rawDigest() }, { path: [0, 4] }, { curve: 'ed25519' as const }])
      await expect(cluster.sign({ ...request, attempt: 3, ...change }, anySignature)).rejects.toMatchObject({
        name: 'ClusterError',
        code: 'mpc_refused',
        retryable: false,
      });
    await signs({ ...request, attempt: 4 });
  });

  it.each(curves)(
    'renews the shares on %s, while it signs, and keeps the key',
    async (curve) => {
      const root = rootOf(curve);
      const refreshed = cluster.refreshKey({ walletId, curve, root });
      await Promise.all([refreshed, ...[0, 1, 2].map(() => signs(requestOf({ curve })))]);
      await signs(requestOf({ curve }));
      expect(await cluster.generateKey({ walletId, curve })).toEqual(root);
      expect(await cluster.refreshKey({ walletId, curve, root })).toBeGreaterThanOrEqual(await refreshed);
      await signs(requestOf({ curve, path: [] }));
    },
    120_000,
  );

  it.each<[string, Partial<SignRequest>]>([
    ['a hardened path', { path: [2 ** 31] }],
    ['a path of eleven', { path: Array.from({ length: 11 }, () => 0) }],
    ['a short digest', { payload: { kind: 'raw_digest', digest: Buffer.alloc(31) } }],
    ['an EVM message on ed25519', { curve: 'ed25519', payload: { kind: 'evm_message', text: Buffer.alloc(1) } }],
    ['a Solana message on secp256k1', { payload: solanaTransfer(randomBytes(32)) }],
    ['an operation id that is no UUID', { operationId: 'x' }],
    ['a wallet id that is no UUID', { walletId: 'x' }],
    ['an attempt that is no number', { attempt: Number.NaN }],
  ])('refuses %s as an invalid request', async (_what, change) => {
    await expect(cluster.sign(requestOf(change), anySignature)).rejects.toMatchObject({
      code: 'invalid_request',
      retryable: false,
    });
  });

  it('makes no key for a wallet whose id is no UUID', async () => {
    await expect(cluster.generateKey({ walletId: '../x', curve: 'ed25519' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('ends when the caller withdraws', async () => {
    await expect(cluster.sign(requestOf(), anySignature, AbortSignal.abort())).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  it('keeps checkpoints, forward only, and shows them in pages', async () => {
    const workspaceId = v4();
    const hash = 'ab'.repeat(32);
    const at = (seq: number, other = hash) => ({ workspaceId, seq, hash: other });
    await cluster.keepCheckpoint(at(3));
    await cluster.keepCheckpoint(at(3));
    await cluster.keepCheckpoint(at(5));
    for (const refused of [at(4), at(5, 'cd'.repeat(32))])
      await expect(cluster.keepCheckpoint(refused)).rejects.toMatchObject({ code: 'mpc_refused', retryable: false });
    for (const node of cluster.nodes) {
      const page = await cluster.readCheckpoints({ node, list: 'newest' });
      expect(page).toEqual([at(5)]);
      expect(await cluster.readCheckpoints({ node, list: 'newest', after: at(5) })).toEqual([]);
    }
    await expect(cluster.readCheckpoints({ node: 9, list: 'newest' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('is not ready once it is closed', async () => {
    const other = await start();
    await other.cluster.close();
    const refused = { code: 'cluster_not_ready', retryable: true };
    await expect(other.cluster.sign(requestOf(), anySignature)).rejects.toMatchObject(refused);
    await expect(other.cluster.generateKey({ walletId: v4(), curve: 'ed25519' })).rejects.toMatchObject(refused);
    expect((await other.cluster.health()).some(({ reachable }) => reachable)).toBe(false);
    await other.stop();
  }, 120_000);
});

it('has the keys of its seed, and of no other', async () => {
  const seed = randomBytes(32);
  const wanted = { walletId: v4(), curve: 'secp256k1' } as const;
  const keyOf = (own: Uint8Array) => new SoftwareSigner(new SoftwareKeys(own)).generateKey(wanted);
  expect(await keyOf(seed)).toEqual(await keyOf(Uint8Array.from(seed)));
  expect(await keyOf(seed)).not.toEqual(await keyOf(randomBytes(32)));
  expect(() => new SoftwareKeys(randomBytes(31))).toThrow(RangeError);
});
