// Brings the drawn faults about, each at its time, and takes back what has to be taken back. When it is stopped,
// everything runs and answers as it should again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { GateState } from '../topology/gate.ts';
import type { Lie } from '../topology/lying-node.ts';
import type { Topology } from '../topology/topology.ts';
import type { Fault, FaultKind } from './draw-faults.ts';
import { raiseFees, reorganise } from './ethereum-faults.ts';

/** How many of each kind came about. */
export type Injected = Map<string, number>;

/** Returns what takes it back. Undefined when it could not be brought about, because its target is away. */
type Bring = (topology: Topology, fault: Fault) => Promise<(() => void | Promise<void>) | undefined>;

const nothing = () => {};

/** The process may have been started again meanwhile: then there is nothing to take back, and no harm in it. */
const sends =
  (signal: NodeJS.Signals, after?: NodeJS.Signals): Bring =>
  async ({ parts }, { target }) => {
    const part = parts.get(target);
    if (part === undefined || part.hasExited()) return undefined;
    part.kill(signal);
    return after === undefined ? nothing : () => part.kill(after);
  };

const SLOWEST_MS = 300;
const SKEW_MAX_MS = 60_000;

const sets =
  (stateOf: (fault: Fault) => GateState): Bring =>
  async ({ gates }, fault) => {
    const gate = gates.get(fault.target);
    gate?.set(stateOf(fault));
    return gate && (() => gate.set('open'));
  };

const bring: Readonly<Record<FaultKind, Bring>> = {
  kill: sends('SIGKILL'),
  freeze: sends('SIGSTOP', 'SIGCONT'),
  restart: (topology, fault) => sends(topology.parts.get(fault.target)?.stopSignal ?? 'SIGTERM')(topology, fault),
  // PostgreSQL: all of its processes at once, without a checkpoint; a killed postmaster would leave the others behind.
  crash: (topology, fault) => sends(fault.target === 'PostgreSQL' ? 'SIGQUIT' : 'SIGKILL')(topology, fault),
  cut: sets(() => 'cut'),
  silence: sets(() => 'silent'),
  slow: sets(({ size }) => ({ delayMs: Math.ceil(size * SLOWEST_MS) })),
  lie: async ({ ethereumFront }, { target }) => {
    ethereumFront.set(target as Lie);
    return () => ethereumFront.set(undefined);
  },
  reorganise: async ({ chains }, { size }) => {
    await reorganise(chains.ETHEREUM_SANDBOX, size);
    return nothing;
  },
  'raise fees': async ({ chains }, { size }) => {
    await raiseFees(chains.ETHEREUM_SANDBOX, size);
    return nothing;
  },
  'fill disk': async ({ smallDisk }) => smallDisk?.fill(),
  'skew clock': async ({ clocks, parts }, { target, size }) => {
    const part = parts.get(target);
    return part && clocks.skew(part.pid, Math.round((2 * size - 1) * SKEW_MAX_MS));
  },
};

export function injectFaults(
  topology: Topology,
  faults: readonly Fault[],
  report: (line: string) => void,
): { injected: Injected; stop: () => Promise<void> } {
  const injected: Injected = new Map();
  const ending = new AbortController();
  const startedMs = Date.now();
  const carryOut = async (fault: Fault) => {
    const takeBack = await bring[fault.kind](topology, fault);
    if (takeBack === undefined) return;
    injected.set(fault.kind, (injected.get(fault.kind) ?? 0) + 1);
    await sleep(fault.forMs, undefined, { signal: ending.signal }).catch(() => {});
    await takeBack();
  };
  const running = (async () => {
    const under: Promise<void>[] = [];
    for (const fault of faults) {
      const waitMs = Math.max(0, startedMs + fault.atMs - Date.now());
      await sleep(waitMs, undefined, { signal: ending.signal }).catch(() => {});
      if (ending.signal.aborted) break;
      const failed = (error: Error) =>
        report(`${fault.kind} of ${fault.target} could not be brought about: ${error.message}`);
      under.push(carryOut(fault).catch(failed));
    }
    await Promise.all(under);
  })();
  return {
    injected,
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}
