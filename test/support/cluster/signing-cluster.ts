// Real nodes with a wallet that has a key on each curve, and clients of them: what tests of signatures begin with.
import { createPrivateKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { v4 } from 'uuid';
import { type ClusterConfig, clusterOf, connectCluster } from '../../../activities/mpc/client/connect-cluster.ts';
import {
  type Cluster,
  ClusterError,
  type Payload,
  type PublicKey,
  type Signature,
} from '../../../activities/mpc/port.ts';
import { NodeConnection } from '../../../activities/mpc/transport/node-connection.ts';
import type { RequestBody } from '../../../activities/mpc/transport/wire.ts';
import { parseClusterFile } from '../../../activities/mpc/verify/cluster-file.ts';
import { verifySignature } from '../../../activities/mpc/verify/verify-signature.ts';
import { type Curve, curves } from '../../../domain/statuses.ts';
import { anySignature } from './any-signature.ts';
import { startTestCluster, type TestCluster } from './cluster.ts';

export interface SigningCluster {
  nodes: TestCluster;
  rootOf(curve: Curve): PublicKey;
  /** A signature, verified against the derived key. A random digest, by the key at `[0]`, when nothing else is said. */
  signVerified(curve: Curve, path?: readonly number[], payload?: Payload, by?: Cluster): Promise<Signature>;
  /** Another client. */
  connect(config?: ClusterConfig): Cluster;
  /** Another client, with a hook before every request. */
  connectThrough(before: (body: RequestBody, node: number) => Promise<void>): Cluster;
  /** Closes the other clients. */
  closeOthers(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSigningCluster(walletId: string): Promise<SigningCluster> {
  const nodes = await startTestCluster();
  const roots = new Map<Curve, PublicKey>();
  for (const curve of curves) roots.set(curve, await untilDone(() => nodes.cluster.generateKey({ walletId, curve })));
  const others: Cluster[] = [];
  const rootOf = (curve: Curve): PublicKey => {
    const root = roots.get(curve);
    if (root === undefined) throw new Error('no key');
    return root;
  };
  const closeOthers = async () => {
    await Promise.all(others.splice(0).map((cluster) => cluster.close()));
  };
  return {
    nodes,
    rootOf,
    async signVerified(curve, path = [0], payload = rawDigest(), by = nodes.cluster) {
      const signature = await by.sign({ operationId: v4(), attempt: 1, walletId, curve, path, payload }, anySignature);
      verifySignature({ curve, root: rootOf(curve), path, payload, signature });
      return signature;
    },
    connect(config = nodes.config) {
      const cluster = connectCluster(config);
      others.push(cluster);
      return cluster;
    },
    connectThrough(before) {
      const cluster = throughHook(nodes.config, before);
      others.push(cluster);
      return cluster;
    },
    closeOthers,
    async stop() {
      await closeOthers();
      await nodes.stop();
    },
  };
}

export const rawDigest = (): Payload => ({ kind: 'raw_digest', digest: randomBytes(32) });

/** A retryable failure is what a caller sees while a node is away; anything else is a defect. */
export async function untilDone<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof ClusterError) || !error.retryable || attempt === 30) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

function throughHook(
  { nodes: addresses, clusterFile, credentialsDir }: ClusterConfig,
  before: (body: RequestBody, node: number) => Promise<void>,
): Cluster {
  const file = parseClusterFile(readFileSync(clusterFile, 'utf8'));
  const credential = (name: string) => readFileSync(join(credentialsDir, name), 'utf8');
  const tls = { clientCertificate: credential('tls.crt'), clientKey: credential('tls.key') };
  const transports = file.nodes.map(({ index, tlsCertificate }) => {
    const address = addresses.get(index);
    if (address === undefined) throw new Error('no address');
    const connection = new NodeConnection(index, address, { ...tls, nodeCertificate: tlsCertificate });
    const call = connection.call.bind(connection);
    connection.call = async (body, timeoutMs) => {
      await before(body, index);
      return call(body, timeoutMs);
    };
    return connection;
  });
  const commander = { roster: file.roster, commandKey: createPrivateKey(credential('command.key')) };
  return clusterOf(file, commander, transports);
}
