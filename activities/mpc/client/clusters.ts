// Several clusters behind one port. What is asked about a wallet's key goes to the cluster that the wallet belongs to
// and never to another one: a cluster that is not known here is waited for like one that is away. Decides for no wallet
// where it belongs.
import {
  type Cluster,
  ClusterError,
  type Clusters,
  type GenerateKeyRequest,
  type KeyShares,
  type PublicKey,
  type RefreshKeyRequest,
  type RepairCommand,
  type Signature,
  type SignRequest,
  type WalletKey,
} from '../port.ts';
import { ClusterNames, type FindWitness } from './cluster-names.ts';
import { repairedWallet } from './key-repair.ts';

/** Answers the name of a wallet's cluster, which never changes; undefined when there is no such wallet. */
export type FindCluster = (walletId: string) => Promise<string | undefined>;

/** Where wallets belong, by the database. */
export interface WalletClusters {
  clusterOf: FindCluster;
  witnessOf: FindWitness;
}

const REMEMBERED_MAX = 10_000;

export class RoutedClusters implements Clusters {
  readonly named: ReadonlyMap<string, Cluster>;
  readonly #find: FindCluster;
  readonly #found = new Map<string, string>();
  readonly #names: ClusterNames;

  constructor(named: ReadonlyMap<string, Cluster>, { clusterOf, witnessOf }: WalletClusters) {
    this.named = named;
    this.#find = clusterOf;
    this.#names = new ClusterNames(named, witnessOf);
  }

  async generateKey(request: GenerateKeyRequest): Promise<PublicKey> {
    return (await this.#clusterOf(request.walletId, { forNewKey: true })).generateKey(request);
  }

  async refreshKey(request: RefreshKeyRequest): Promise<number> {
    return (await this.#clusterOf(request.walletId)).refreshKey(request);
  }

  async sharesOf(request: WalletKey): Promise<KeyShares> {
    return (await this.#clusterOf(request.walletId)).sharesOf(request);
  }

  async repairShare(command: RepairCommand): Promise<void> {
    return (await this.#clusterOf(repairedWallet(command))).repairShare(command);
  }

  async sign<Verified>(
    request: SignRequest,
    verify: (signature: Signature) => Verified,
    abort?: AbortSignal,
  ): Promise<Verified> {
    return (await this.#clusterOf(request.walletId)).sign(request, verify, abort);
  }

  async close(): Promise<void> {
    await Promise.all([...this.named.values()].map((cluster) => cluster.close()));
  }

  async #clusterOf(walletId: string, purpose = { forNewKey: false }): Promise<Cluster> {
    const name = this.#found.get(walletId) ?? (await this.#lookUp(walletId));
    const cluster = this.named.get(name);
    if (cluster === undefined)
      throw new ClusterError('cluster_not_ready', `this worker knows no cluster ${name}, to which the wallet belongs`);
    await this.#names.assertOwn(name, purpose);
    return cluster;
  }

  async #lookUp(walletId: string): Promise<string> {
    const name = await this.#find(walletId);
    if (name === undefined) throw new ClusterError('mpc_refused', 'there is no such wallet');
    if (this.#found.size >= REMEMBERED_MAX) this.#found.clear();
    this.#found.set(walletId, name);
    return name;
  }
}
