// Goal: any t of n nodes sign, for every t and n that a cluster file names, and fewer do not. Method: real nodes; keys
// on both curves, then all nodes but t are killed, and one more; every signature is verified against the wallet's key.
import { randomBytes } from 'node:crypto';
import { v4 } from 'uuid';
import { afterEach, expect, it } from 'vitest';
import type { PublicKey } from '../../activities/mpc/port.ts';
import { verifySignature } from '../../activities/mpc/verify/verify-signature.ts';
import { type Curve, curves } from '../../domain/statuses.ts';
import { anySignature } from '../support/cluster/any-signature.ts';
import { startTestCluster, type TestCluster } from '../support/cluster/cluster.ts';
import { untilDone } from '../support/cluster/signing-cluster.ts';

let nodes: TestCluster | undefined;

afterEach(() => nodes?.stop());

it.each([
  [2, 2],
  [3, 5],
])(
  '%i of %i',
  async (threshold, size) => {
    nodes = await startTestCluster({ threshold, size });
    const { cluster } = nodes;
    const walletId = v4();
    const roots = new Map<Curve, PublicKey>();
    const sign = async (curve: Curve) => {
      const payload = { kind: 'raw_digest', digest: randomBytes(32) } as const;
      const request = { operationId: v4(), attempt: 1, walletId, curve, path: [1], payload };
      const signature = await cluster.sign(request, anySignature);
      verifySignature({ ...request, root: roots.get(curve) as PublicKey, signature });
      return signature.signers;
    };
    for (const curve of curves) {
      // As a worker asks: five nodes on a busy machine may need longer than one attempt may take.
      const root = await untilDone(() => cluster.generateKey({ walletId, curve }));
      roots.set(curve, root);
      expect(await untilDone(() => cluster.refreshKey({ walletId, curve, root }))).toBe(1);
      expect(await sign(curve)).toHaveLength(threshold);
    }
    const gone = Array.from({ length: size - threshold }, (_, position) => 2 * position + 1);
    for (const node of gone) await nodes.kill(node);
    const left = cluster.nodes.filter((node) => !gone.includes(node));
    for (const curve of curves) expect(await sign(curve)).toEqual(left);
    await nodes.kill(2);
    for (const curve of curves)
      await expect(sign(curve)).rejects.toMatchObject({ code: 'cluster_not_ready', retryable: true });
  },
  300_000,
);
