// Whether the clusters that a worker knows by name are those that the database means: two entries of MPC_CLUSTERS_FILE
// may have changed places. Asks for the key of a wallet that is known to belong to a name, before anything else is
// asked of it. Without a proof that names are swapped nothing is held up.
import { type Cluster, ClusterError } from '../port.ts';

/** Answers a wallet of the cluster of that name that has its keys; undefined when there is none yet. */
export type FindWitness = (cluster: string) => Promise<string | undefined>;

const againAfterMs = 60_000;

/** `unknown`: not all nodes answer. */
type Holds = 'yes' | 'no' | 'unknown';

export class ClusterNames {
  readonly #named: ReadonlyMap<string, Cluster>;
  readonly #findWitness: FindWitness;
  readonly #checks = new Map<string, Promise<boolean>>();
  readonly #readAgainMs = new Map<string, number>();

  constructor(named: ReadonlyMap<string, Cluster>, findWitness: FindWitness) {
    this.#named = named;
    this.#findWitness = findWitness;
  }

  /**
   * Throws `cluster_not_ready` for a name under which there is another cluster. Once for each name; while a node is
   * away that would have to answer, signatures do not wait for the look each time. A new key does: it would be on the
   * wrong nodes for ever.
   */
  async assertOwn(name: string, { forNewKey }: { forNewKey: boolean }): Promise<void> {
    if (this.#named.size < 2) return;
    if (!forNewKey && performance.now() < (this.#readAgainMs.get(name) ?? 0)) return;
    const checking = this.#checks.get(name) ?? this.#check(name);
    this.#checks.set(name, checking);
    const isKnown = await checking.catch((error: unknown) => {
      this.#checks.delete(name);
      throw error;
    });
    if (isKnown) return;
    this.#checks.delete(name);
    this.#readAgainMs.set(name, performance.now() + againAfterMs);
  }

  async #check(name: string): Promise<boolean> {
    const own = await this.#findWitness(name);
    const held = own === undefined ? 'no' : await this.#holds(name, own);
    // Who is away is not asked for anything else either, and is looked at when it is back.
    if (held === 'unknown') return false;
    if (held === 'yes') return true;
    let isKnown = true;
    for (const other of this.#named.keys()) {
      if (other === name) continue;
      // What is lost is nowhere; what is swapped is elsewhere.
      const [witness, at] = own === undefined ? [await this.#findWitness(other), name] : [own, other];
      const heldThere = witness === undefined ? 'no' : await this.#holds(at, witness);
      if (heldThere === 'yes') throw swapped(name, other, witness);
      if (heldThere === 'unknown' && own !== undefined) throw unclear(name, other, own);
      isKnown &&= heldThere === 'no';
    }
    return isKnown;
  }

  async #holds(name: string, walletId: string): Promise<Holds> {
    try {
      await this.#named.get(name)?.sharesOf({ walletId, curve: 'ed25519' });
      return 'yes';
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      return error.code === 'mpc_refused' ? 'no' : 'unknown';
    }
  }
}

function swapped(name: string, other: string, witness: string | undefined): ClusterError {
  const proof = `the key of wallet ${witness} is where it cannot be if they were right`;
  return new ClusterError(
    'cluster_not_ready',
    `this worker has another cluster under the name ${name}, as it seems that of ${other}: ${proof}; see MPC_CLUSTERS_FILE`,
  );
}

function unclear(name: string, other: string, own: string): ClusterError {
  return new ClusterError(
    'cluster_not_ready',
    `the cluster that this worker knows as ${name} has no key of wallet ${own}, and ${other} cannot be asked for it; see MPC_CLUSTERS_FILE`,
  );
}
