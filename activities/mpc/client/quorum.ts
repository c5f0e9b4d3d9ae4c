// Chooses which nodes sign, and limits how many sessions are live at once. Prefers nodes that are connected and fast,
// spreads the rest evenly, avoids quorums that a node has refused as banned. Its memory is a preference only: the nodes
// themselves enforce bans and limits.
import { ClusterError } from '../port.ts';
import type { NodeTransport } from '../transport/node-transport.ts';
import { NodeTimes } from './node-times.ts';

/**
 * Below the node's limit of 16 for a (root key, peer), so that it is met only when several workers sign with one key.
 */
const maxLiveForKey = 12;
/** Below the node's 256: every session takes a place at two nodes, and other workers use them too. */
const maxLiveInAll = 96;
const maxWaiting = 4_096;
const maxWaitMs = 15_000;
/** A refused quorum is tried again after this, in case an operator has lifted the ban. */
const banMemoryMs = 60_000;
const maxRememberedBans = 10_000;

/** Against choosing a node: one that is down cannot sign, one that is slow can. */
const doubts = { fine: 0, untried: 1, slow: 8, silent: 16, down: 32 } as const;

export interface Quorum {
  readonly name: string;
  /** Ascending. */
  readonly nodes: readonly NodeTransport[];
}

export interface Lease {
  readonly quorum: Quorum;
  /**
   * Whether another quorum that is as good could still be tried in the place of this one. A node that is known to be
   * slow was chosen because there is no better one: then it is waited for.
   */
  readonly hasOther: boolean;
  release(): void;
}

interface Waiter {
  key: string;
  tried: ReadonlySet<Quorum>;
  grant(lease: Lease | undefined): void;
}

export class Quorums {
  readonly all: readonly Quorum[];
  readonly #live = new Map<string, number>();
  readonly #refusedUntilMs = new Map<string, number>();
  readonly times = new NodeTimes();
  readonly #waiting = new Set<Waiter>();
  #liveInAll = 0;
  #turn = 0;

  constructor(nodes: readonly NodeTransport[], threshold: number) {
    this.all = subsets(nodes, threshold).map((members) => ({
      name: members.map(({ index }) => index).join('+'),
      nodes: members,
    }));
  }

  /**
   * `undefined` when no quorum is left that was neither tried nor banned; waits when the rest is at its limit. `key`
   * stands for wallet and curve.
   */
  async acquire(key: string, tried: ReadonlySet<Quorum>, abort?: AbortSignal): Promise<Lease | undefined> {
    if (this.#allowed(key, tried).length === 0) return undefined;
    const quorum = this.#waiting.size === 0 ? this.#choose(key, tried) : undefined;
    return quorum === undefined ? this.#wait(key, tried, abort) : this.#lease(key, tried, quorum);
  }

  /** Remembers that this quorum refused to sign with this key. */
  ban(key: string, quorum: Quorum): void {
    if (this.#refusedUntilMs.size >= maxRememberedBans) this.#refusedUntilMs.clear();
    this.#refusedUntilMs.set(`${key} ${quorum.name}`, Date.now() + banMemoryMs);
  }

  #hasOther(key: string, tried: ReadonlySet<Quorum>, quorum: Quorum): boolean {
    if (quorum.nodes.some(({ index }) => this.times.stateOf(index) === 'slow')) return false;
    const doubt = this.#doubtAbout(quorum);
    return this.#allowed(key, tried).some((other) => other !== quorum && this.#doubtAbout(other) <= doubt);
  }

  #allowed(key: string, tried: ReadonlySet<Quorum>): Quorum[] {
    const nowMs = Date.now();
    return this.all.filter(
      (quorum) => !tried.has(quorum) && (this.#refusedUntilMs.get(`${key} ${quorum.name}`) ?? 0) <= nowMs,
    );
  }

  #choose(key: string, tried: ReadonlySet<Quorum>): Quorum | undefined {
    if (this.#liveInAll >= maxLiveInAll) return undefined;
    this.#turn = (this.#turn + 1) % this.all.length;
    const ranked = this.#allowed(key, tried)
      .filter((quorum) => this.#liveOf(`${key} ${quorum.name}`) < maxLiveForKey)
      .map((quorum) => ({
        quorum,
        doubt: this.#doubtAbout(quorum),
        live: this.#liveOf(quorum.name),
        turn: (this.all.indexOf(quorum) + this.#turn) % this.all.length,
      }));
    ranked.sort((a, b) => a.doubt - b.doubt || a.live - b.live || a.turn - b.turn);
    return ranked[0]?.quorum;
  }

  #lease(key: string, tried: ReadonlySet<Quorum>, quorum: Quorum): Lease {
    const hasOther = this.#hasOther(key, tried, quorum);
    this.#count(key, quorum, 1);
    for (const { index } of quorum.nodes) this.times.noteChosen(index);
    let released = false;
    return {
      quorum,
      hasOther,
      release: () => {
        if (released) return;
        released = true;
        this.#count(key, quorum, -1);
        this.#serveWaiting();
      },
    };
  }

  #wait(key: string, tried: ReadonlySet<Quorum>, abort?: AbortSignal): Promise<Lease | undefined> {
    if (abort?.aborted) return Promise.reject(withdrawn());
    if (this.#waiting.size >= maxWaiting) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        abort?.removeEventListener('abort', aborted);
        this.#waiting.delete(waiter);
      };
      const waiter: Waiter = {
        key,
        tried,
        grant: (lease) => {
          leave();
          resolve(lease);
        },
      };
      const aborted = () => {
        leave();
        reject(withdrawn());
      };
      const timer = setTimeout(() => {
        leave();
        reject(busy());
      }, maxWaitMs);
      abort?.addEventListener('abort', aborted);
      this.#waiting.add(waiter);
      this.#serveWaiting();
    });
  }

  /** As they came, but a key at its own limit holds up nobody else. */
  #serveWaiting(): void {
    const fullKeys = new Set<string>();
    for (const waiter of this.#waiting) {
      if (this.#liveInAll >= maxLiveInAll) return;
      if (fullKeys.has(waiter.key)) continue;
      const quorum = this.#choose(waiter.key, waiter.tried);
      if (quorum !== undefined) waiter.grant(this.#lease(waiter.key, waiter.tried, quorum));
      else if (this.#allowed(waiter.key, waiter.tried).length === 0) waiter.grant(undefined);
      else if (waiter.tried.size === 0) fullKeys.add(waiter.key);
    }
  }

  /** Asks nodes that are not connected to try again meanwhile, so that finding out costs no signature its time. */
  #doubtAbout({ nodes }: Quorum): number {
    let doubt = 0;
    for (const node of nodes) {
      doubt += doubts[this.times.stateOf(node.index)];
      if (node.readiness === 'open') continue;
      node.warm();
      doubt += node.readiness === 'down' ? doubts.down : doubts.untried;
    }
    return doubt;
  }

  #liveOf(name: string): number {
    return this.#live.get(name) ?? 0;
  }

  #count(key: string, quorum: Quorum, change: 1 | -1): void {
    this.#liveInAll += change;
    for (const name of [quorum.name, `${key} ${quorum.name}`]) {
      const live = this.#liveOf(name) + change;
      if (live === 0) this.#live.delete(name);
      else this.#live.set(name, live);
    }
  }
}

function subsets<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, position) => subsets(items.slice(position + 1), size - 1).map((rest) => [item, ...rest]));
}

function busy(): ClusterError {
  return new ClusterError('cluster_busy', 'too many signatures are being made at once');
}

function withdrawn(): ClusterError {
  return new ClusterError('aborted', 'the caller withdrew the call');
}
