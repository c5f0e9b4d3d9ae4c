// Draws the faults of a run from its seed: what, to whom, when and for how long. Pure.
import { type Chance, chanceOf } from '../chance.ts';
import { lies } from '../topology/lying-node.ts';

/** The names under which the parts of the topology run, and those of its gates. */
const services = ['API 1', 'API 2', 'worker 1', 'worker 2'];
const nodes = ['MPC node 1', 'MPC node 2', 'MPC node 3'];
const connections = ['database', 'Temporal', 'node 1', 'node 2', 'node 3', 'Solana', 'Bitcoin'];
/** Whose shares lie on a disk of its own, which can be full. */
export const NODE_WITH_OWN_DISK = 'MPC node 3';

export interface Fault {
  atMs: number;
  kind: FaultKind;
  /** A process, a connection, or how a chain misbehaves. */
  target: string;
  /** Until it is taken back; 0 for what needs no taking back. */
  forMs: number;
  /** From 0 to 1: how much of it, where it has a size. */
  size: number;
}

interface KindOfFault {
  weight: number;
  targets: readonly string[];
  leastMs: number;
  mostMs: number;
}

const MEAN_PAUSE_MS = 2_500;
/** In the last part of a run none begins that would outlast it. */
const QUIET_END_MS = 1_000;

export const kindsOfFaults = {
  /** SIGKILL; its supervisor starts it again. */
  kill: { weight: 10, targets: [...services, ...services, ...nodes, 'The proxy'], leastMs: 0, mostMs: 0 },
  /** SIGSTOP, and SIGCONT when it is over. */
  freeze: { weight: 6, targets: [...services, ...nodes, 'The proxy'], leastMs: 500, mostMs: 8_000 },
  /** As an operator's restart; the databases' own kill is `crash`. */
  restart: { weight: 1, targets: ['PostgreSQL', 'Temporal'], leastMs: 0, mostMs: 0 },
  /** Without a word to whoever is connected. */
  crash: { weight: 1, targets: ['PostgreSQL', 'Temporal'], leastMs: 0, mostMs: 0 },
  /** Every connection ends, and none is made. */
  cut: { weight: 5, targets: connections, leastMs: 300, mostMs: 4_000 },
  /** Connections stand, and nothing arrives. */
  silence: { weight: 3, targets: connections, leastMs: 500, mostMs: 8_000 },
  /** Everything arrives late. */
  slow: { weight: 3, targets: connections, leastMs: 2_000, mostMs: 10_000 },
  /** One of the two nodes of Ethereum does not tell the truth. */
  lie: { weight: 3, targets: lies, leastMs: 2_000, mostMs: 15_000 },
  /** The newest block is replaced by one without its transactions. */
  reorganise: { weight: 3, targets: ['Ethereum'], leastMs: 0, mostMs: 0 },
  /** A block costs many times what the ones before cost; it falls again by itself. */
  'raise fees': { weight: 2, targets: ['Ethereum'], leastMs: 0, mostMs: 0 },
  'fill disk': { weight: 1, targets: [NODE_WITH_OWN_DISK], leastMs: 2_000, mostMs: 10_000 },
  /** By up to a minute, either way. */
  'skew clock': { weight: 3, targets: services, leastMs: 3_000, mostMs: 20_000 },
} as const satisfies Record<string, KindOfFault>;

export type FaultKind = keyof typeof kindsOfFaults;

const kinds = Object.entries(kindsOfFaults).map(([kind, how]) => ({ kind: kind as FaultKind, ...how }));

/** In the order in which they begin; each is over before `durationMs` is. */
export function drawFaults(seed: number, durationMs: number): Fault[] {
  const chance = chanceOf(seed);
  const faults: Fault[] = [];
  let atMs = 0;
  for (;;) {
    atMs += chance.between(MEAN_PAUSE_MS / 5, (MEAN_PAUSE_MS * 9) / 5);
    if (atMs > durationMs - QUIET_END_MS) return faults;
    faults.push(drawFault(chance, atMs, durationMs));
  }
}

function drawFault(chance: Chance, atMs: number, durationMs: number): Fault {
  const { kind, targets, leastMs, mostMs } = chance.pickWeighted<(typeof kinds)[number]>(kinds);
  const forMs = Math.min(chance.between(leastMs, mostMs), durationMs - atMs);
  return { atMs, kind, target: chance.pick<string>(targets), forMs, size: chance.draw() };
}
