// A queueing model of one signature's way: API, PostgreSQL, Temporal, worker, two of three nodes. Every part has some
// cores and a queue; what arrives together for one workspace goes in one workflow, by the rules of
// src/writes/grouped-starts.ts. Time is in milliseconds. It knows processor time alone: no disks, no locks, no network
// but a fixed delay.

/** Of each part: for a workflow, and for each signature in it. Nodes: for one of the two that sign. */
export interface Costs {
  api: Cost;
  postgres: Cost;
  temporal: Cost;
  worker: Cost;
  node: number;
}

interface Cost {
  workflow: number;
  signature: number;
}

export interface Deployment {
  /** All parts run on so many cores together: the numbers below are how many each may use at once. */
  shared?: number;
  /** Processes that each fill one core at most. */
  api: number;
  worker: number;
  /** Cores. */
  postgres: number;
  temporal: number;
  /** Cores of each node. */
  nodes: number;
  /** Of three nodes each. */
  clusters: number;
  /** Workspaces that sign, each as often as another. */
  tenants: number;
}

export interface Outcome {
  /** Signatures a second that were made. */
  made: number;
  p50Ms: number;
  p99Ms: number;
  /** The part that was busiest, and how busy. */
  busiest: string;
}

const MEMBERS_MAX = 48;
const UNDER_WAY_MAX = 2;
/** Between processes of one site, there and back, all steps together. */
const NETWORK_MS = 8;

type Done = () => void;

export function simulate(deployment: Deployment, costs: Costs, rate: number, seconds: number): Outcome {
  const clock = new Clock();
  const shared = deployment.shared === undefined ? undefined : new Part(clock, 'the host', deployment.shared);
  const part = (name: string, cores: number) => shared ?? new Part(clock, name, cores);
  const api = part('API', deployment.api);
  const postgres = part('PostgreSQL', deployment.postgres);
  const temporal = part('Temporal', deployment.temporal);
  const worker = part('worker', deployment.worker);
  const nodes = Array.from({ length: deployment.clusters }, () =>
    Array.from({ length: 3 }, () => part('nodes', deployment.nodes)),
  );
  const chance = seeded(1);
  const latencies: number[] = [];
  const endMs = seconds * 1_000;

  const signByNodes = (tenant: number, done: Done) => {
    const cluster = nodes[tenant % nodes.length] ?? [];
    // The two with the shortest queues: quorums go by measured latency.
    const pair = cluster.toSorted((one, other) => one.waiting - other.waiting).slice(0, 2);
    let left = pair.length;
    for (const node of pair) node.work(costs.node, () => (left -= 1) === 0 && done());
  };
  const tenants = Array.from({ length: deployment.tenants }, (_, tenant) => {
    const queue: number[] = [];
    let underWay = 0;
    const next = () => {
      while (underWay < UNDER_WAY_MAX && queue.length > 0) {
        underWay += 1;
        run(queue.splice(0, underWay < UNDER_WAY_MAX ? 1 : MEMBERS_MAX));
      }
    };
    const run = (members: number[]) => {
      const of = ({ workflow, signature }: Cost) => workflow + members.length * signature;
      const carryOut = () =>
        worker.work(of(costs.worker), () => {
          let left = members.length;
          const end = () => {
            underWay -= 1;
            const now = clock.nowMs;
            for (const since of members) latencies.push(now - since + NETWORK_MS);
            next();
          };
          for (const _ of members)
            signByNodes(tenant, () => {
              left -= 1;
              if (left === 0) postgres.work(of(costs.postgres), end);
            });
        });
      // Each request was worked on when it came; what is left for the API is to start the workflow.
      api.work(costs.api.workflow, () => temporal.work(of(costs.temporal), carryOut));
    };
    return (since: number) => {
      queue.push(since);
      next();
    };
  });
  const arrive = () => {
    const since = clock.nowMs;
    if (since >= endMs) return;
    const tenant = Math.floor(chance() * tenants.length);
    api.work(costs.api.signature, () => tenants[tenant]?.(since));
    clock.after((-Math.log(1 - chance()) * 1_000) / rate, arrive);
  };
  arrive();
  clock.runUntil(endMs);
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const parts = shared === undefined ? [api, postgres, temporal, worker, ...nodes.flat()] : [shared];
  const [busiest] = parts.toSorted((one, other) => other.busyShare(endMs) - one.busyShare(endMs));
  return {
    made: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    busiest: busiest === undefined ? '' : `${busiest.name} ${Math.round(100 * busiest.busyShare(endMs))} %`,
  };
}

/** Cores before one queue. */
class Part {
  readonly name: string;
  readonly #clock: Clock;
  readonly #cores: number;
  readonly #queue: { ms: number; done: Done }[] = [];
  #working = 0;
  #busyMs = 0;

  constructor(clock: Clock, name: string, cores: number) {
    this.name = name;
    this.#clock = clock;
    this.#cores = cores;
  }

  get waiting(): number {
    return this.#queue.length + this.#working;
  }

  work(ms: number, done: Done): void {
    this.#queue.push({ ms, done });
    this.#next();
  }

  busyShare(overMs: number): number {
    return Math.min(1, this.#busyMs / (overMs * this.#cores));
  }

  #next(): void {
    const job = this.#working < this.#cores ? this.#queue.shift() : undefined;
    if (job === undefined) return;
    this.#working += 1;
    this.#clock.after(job.ms, () => {
      this.#working -= 1;
      this.#busyMs += job.ms;
      job.done();
      this.#next();
    });
  }
}

/** What happens, in order: a binary heap by time. */
class Clock {
  nowMs = 0;
  readonly #heap: { atMs: number; done: Done }[] = [];

  after(ms: number, done: Done): void {
    const heap = this.#heap;
    heap.push({ atMs: this.nowMs + ms, done });
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#isEarlier(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  runUntil(endMs: number): void {
    for (let first = this.#take(); first !== undefined && first.atMs <= endMs; first = this.#take()) {
      this.nowMs = first.atMs;
      first.done();
    }
  }

  #take(): { atMs: number; done: Done } | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    heap[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && this.#isEarlier(left, least)) least = left;
      if (right < heap.length && this.#isEarlier(right, least)) least = right;
      if (least === at) return first;
      this.#swap(at, least);
      at = least;
    }
  }

  #isEarlier(one: number, other: number): boolean {
    return (this.#heap[one]?.atMs ?? 0) < (this.#heap[other]?.atMs ?? 0);
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap;
    const [a, b] = [heap[one], heap[other]];
    if (a !== undefined && b !== undefined) [heap[one], heap[other]] = [b, a];
  }
}

/** Numbers in [0, 1) (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
