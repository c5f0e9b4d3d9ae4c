// Builds the port from configuration: reads the cluster file and the orchestrator's credentials, opens no connection
// yet. The only place where the parts meet.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'uuid';
import { type Cluster, ClusterError, type PublicKey, type SignRequest } from '../port.ts';
import { type NodeAddress, NodeConnection } from '../transport/node-connection.ts';
import type { NodeTransport } from '../transport/node-transport.ts';
import { assertSignRequest, assertUuid } from '../verify/assert-request.ts';
import { type ClusterFile, parseClusterFile } from '../verify/cluster-file.ts';
import type { CommandApprover } from './approver.ts';
import { AttestationRelay } from './attestation-relay.ts';
import { keepCheckpoint, readCheckpoints } from './checkpoints.ts';
import type { Commander } from './command.ts';
import { limitConcurrency } from './concurrency-limit.ts';
import { generateKey } from './key-generation.ts';
import { refreshKey } from './key-refresh.ts';
import { repairShare, sharesOf } from './key-repair.ts';
import { healthOf } from './node-health.ts';
import { type ClusterObserver, ObservedNode, observedCluster } from './observed-cluster.ts';
import { Quorums } from './quorum.ts';
import { makeSignature, type SignOperation } from './signing.ts';

/** A generation on secp256k1 takes the cluster about a second of work; more at once only make each slower. */
const maxGenerations = 4;
const maxWaitingGenerations = 256;

export interface ClusterConfig {
  nodes: ReadonlyMap<number, NodeAddress>;
  /** Path of cluster.json. */
  clusterFile: string;
  /** Folder with command.key, tls.key and tls.crt (PEM), as `mpc-node init-orchestrator` writes them. */
  credentialsDir: string;
  observer?: ClusterObserver;
  /** Who signs each command besides. */
  approve?: CommandApprover | undefined;
}

/**
 * By the cluster file as it is now. Throws a plain error when a file is missing, unreadable or does not belong to this
 * cluster file.
 */
export const connectCluster = (config: ClusterConfig): Cluster =>
  connectTo(readFileSync(config.clusterFile, 'utf8'), config);

/** `text` is the content of the cluster file. */
export function connectTo(
  text: string,
  { nodes: addresses, credentialsDir, observer, approve }: Omit<ClusterConfig, 'clusterFile'>,
): Cluster {
  const cluster = parseClusterFile(text);
  const commandKey = createPrivateKey(readFileSync(join(credentialsDir, 'command.key'), 'utf8'));
  const publicKey = createPublicKey(commandKey).export({ format: 'jwk' })['x'];
  if (publicKey !== Buffer.from(cluster.commandPublicKey).toString('base64url')) {
    throw new Error('command.key is not the command key that the cluster file names');
  }
  const clientKey = readFileSync(join(credentialsDir, 'tls.key'), 'utf8');
  const clientCertificate = readFileSync(join(credentialsDir, 'tls.crt'), 'utf8');
  const nodes = cluster.nodes.map(({ index, tlsCertificate }): NodeConnection => {
    const address = addresses.get(index);
    if (address === undefined) throw new Error(`the addresses of the nodes: there is none for node ${index}`);
    const tls = { nodeCertificate: tlsCertificate, clientCertificate, clientKey };
    return new NodeConnection(index, address, tls, (node) => relay.introduce(node));
  });
  const relay: AttestationRelay = new AttestationRelay(cluster, nodes);
  relay.start();
  const commander = { roster: cluster.roster, commandKey, approve };
  const onClose = () => relay.stop();
  if (observer === undefined) return clusterOf(cluster, commander, nodes, onClose);
  const observed = nodes.map((node) => new ObservedNode(node, observer));
  return observedCluster(clusterOf(cluster, commander, observed, onClose), observer);
}

/** The port over given nodes, in ascending order. */
export function clusterOf(
  cluster: ClusterFile,
  commander: Commander,
  nodes: readonly NodeTransport[],
  onClose: () => void = () => undefined,
): Cluster {
  const quorums = new Quorums(nodes, cluster.threshold);
  const generating = new Map<string, Promise<PublicKey>>();
  const context = { cluster, commander, nodes, quorums: quorums.all };
  const limited = limitConcurrency(maxGenerations, maxWaitingGenerations);
  return {
    nodes: nodes.map(({ index }) => index),
    threshold: cluster.threshold,
    async generateKey(request) {
      assertUuid(request.walletId, 'walletId');
      if (request.workspaceId !== undefined) assertUuid(request.workspaceId, 'workspaceId');
      // Two generations of one key would only race each other.
      const key = `${request.walletId.toLowerCase()} ${request.curve}`;
      const underWay = generating.get(key) ?? limited(() => generateKey(context, request));
      generating.set(key, underWay);
      return underWay.finally(() => generating.delete(key));
    },
    async refreshKey(request) {
      assertUuid(request.walletId, 'walletId');
      return limited(() => refreshKey(context, request));
    },
    async sharesOf(request) {
      assertUuid(request.walletId, 'walletId');
      return sharesOf(context, request);
    },
    repairShare: (command) => limited(() => repairShare(context, command)),
    sign: async (request, verify, abort) => makeSignature({ commander, quorums }, operationOf(request), verify, abort),
    health: () => healthOf(nodes, cluster.roster, quorums.times),
    async keepCheckpoint(checkpoint) {
      assertUuid(checkpoint.workspaceId, 'workspaceId');
      await keepCheckpoint({ commander, nodes, threshold: cluster.threshold }, checkpoint);
    },
    async readCheckpoints({ node, ...question }) {
      const transport = nodes.find(({ index }) => index === node);
      if (transport === undefined) throw new ClusterError('invalid_request', `there is no node ${node}`);
      return readCheckpoints(transport, question);
    },
    async close() {
      onClose();
      for (const node of nodes) node.close();
    },
  };
}

/** Everything that the nodes would refuse anyway is refused here, before it costs a session. */
function operationOf(request: SignRequest): SignOperation {
  const { operationId, attempt, walletId, curve, path } = request;
  const payload = assertSignRequest(request);
  return { operationId: parse(operationId), attempt, walletId: parse(walletId), curve, path: [...path], payload };
}
