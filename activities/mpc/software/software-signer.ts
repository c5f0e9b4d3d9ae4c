// The port by whole keys in this process: for users' own tests, where three nodes are too much. The environment's
// reader refuses it in production. It keeps the promises of the port but one: every wallet has a key here, also one
// that was never asked for. What it remembers (operations, checkpoints) ends with the process.
import { requiredSigners } from '../../../domain/payloads/solana-message.ts';
import {
  type AuditCheckpoint,
  type CheckpointQuestion,
  type Cluster,
  ClusterError,
  type GenerateKeyRequest,
  type KeyShares,
  type NodeHealth,
  type PublicKey,
  type RefreshKeyRequest,
  type Signature,
  type SignRequest,
  type WalletKey,
} from '../port.ts';
import { assertSignRequest, assertUuid } from '../verify/assert-request.ts';
import { signedBytesOf } from '../verify/digest.ts';
import { ed25519Point, type SoftwareKeys, signWithKey } from './software-keys.ts';

const checkpointsOnAPage = 1_024;

export class SoftwareSigner implements Cluster {
  readonly nodes: readonly number[] = [1];
  readonly threshold: number = 1;
  readonly #keys: SoftwareKeys;
  readonly #messages = new Map<string, string>();
  protected readonly checkpoints = new Map<string, AuditCheckpoint>();
  #closed = false;

  constructor(keys: SoftwareKeys) {
    this.#keys = keys;
  }

  async generateKey({ walletId, curve }: GenerateKeyRequest): Promise<PublicKey> {
    this.#assertOpen();
    assertUuid(walletId, 'walletId');
    return this.#keys.root(walletId, curve);
  }

  /** There are no shares to renew. */
  async refreshKey({ walletId }: RefreshKeyRequest): Promise<number> {
    this.#assertOpen();
    assertUuid(walletId, 'walletId');
    return 0;
  }

  async sharesOf({ walletId }: WalletKey): Promise<KeyShares> {
    this.#assertOpen();
    assertUuid(walletId, 'walletId');
    return { epoch: 0, shares: this.nodes.map((node) => ({ node, state: 'whole' })) };
  }

  async repairShare(): Promise<void> {
    throw new ClusterError('invalid_request', 'a software signer has no shares');
  }

  async sign<Verified>(
    request: SignRequest,
    verify: (signature: Signature) => Verified,
    abort?: AbortSignal,
  ): Promise<Verified> {
    this.#assertOpen();
    assertSignRequest(request);
    const { operationId, walletId, curve, path, payload } = request;
    if (abort?.aborted) throw new ClusterError('aborted', 'the caller withdrew the call');
    const secret = this.#keys.privateKey(walletId, curve, path);
    if (payload.kind === 'solana_transaction') assertSigner(payload.message, ed25519Point(secret));
    const signed = signedBytesOf(payload);
    this.#bind(operationId, `${walletId} ${curve} ${path.join('/')} ${hexOf(signed)}`);
    return verify({ ...signWithKey(curve, secret, signed), signers: this.nodes.slice(0, this.threshold) });
  }

  async health(): Promise<NodeHealth[]> {
    const reachable = !this.#closed;
    return this.nodes.map((node) => ({ node, reachable, version: 'software', liveSessions: 0, bans: [] }));
  }

  async keepCheckpoint(checkpoint: AuditCheckpoint): Promise<void> {
    this.#assertOpen();
    assertUuid(checkpoint.workspaceId, 'workspaceId');
    const kept = this.checkpoints.get(checkpoint.workspaceId);
    if (
      kept !== undefined &&
      (kept.seq > checkpoint.seq || (kept.seq === checkpoint.seq && kept.hash !== checkpoint.hash))
    )
      throw new ClusterError('mpc_refused', 'another or a later checkpoint is kept');
    this.checkpoints.set(checkpoint.workspaceId, checkpoint);
  }

  /** It keeps no first ones of days. */
  async readCheckpoints({ node, list, after }: CheckpointQuestion): Promise<AuditCheckpoint[]> {
    this.#assertOpen();
    if (!this.nodes.includes(node)) throw new ClusterError('invalid_request', `there is no node ${node}`);
    if (list === 'first_of_days') return [];
    const all = [...this.checkpoints.values()].toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
    return all
      .filter(({ workspaceId }) => after === undefined || workspaceId > after.workspaceId)
      .slice(0, checkpointsOnAPage);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #assertOpen(): void {
    if (this.#closed) throw new ClusterError('cluster_not_ready', 'the signer is closed');
  }

  #bind(operationId: string, message: string): void {
    const bound = this.#messages.get(operationId);
    if (bound !== undefined && bound !== message)
      throw new ClusterError('mpc_refused', 'another message was signed under this operation id');
    this.#messages.set(operationId, message);
  }
}

/** As the nodes do: a Solana message is signed only by a key that it asks for. */
function assertSigner(message: Uint8Array, key: Uint8Array): void {
  if (!requiredSigners(message).some((signer) => hexOf(signer) === hexOf(key)))
    throw new ClusterError('mpc_refused', 'the key is not a signer of the Solana message');
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
