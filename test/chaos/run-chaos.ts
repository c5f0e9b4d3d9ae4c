// One run from its first line to the last: start, load and faults for some minutes, quiet, and the judgement.
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Database } from '../../drizzle/database/connection.ts';
import { drawFaults, type Fault } from './faults/draw-faults.ts';
import { type Injected, injectFaults } from './faults/inject-faults.ts';
import { collectFacts, type Run } from './invariants/collect-facts.ts';
import { findBroken } from './invariants/invariants.ts';
import { countEvents, findOpenRows, findUnreadNetworks } from './invariants/open-rows.ts';
import { LoadRecord } from './load/record.ts';
import { startLoad } from './load/run-load.ts';
import { provideSetting, rejectWhatWaits } from './load/setting.ts';
import { describeEnds, describeProgress, describeVerdict } from './report.ts';
import { readOwnerUrl, startTopology } from './topology/topology.ts';

export interface ChaosOptions {
  root: string;
  directory: string;
  seed: number;
  minutes: number;
  callers: number;
  withFaults: boolean;
  /** Without, a run is over sooner: see STUCK_AFTER_MS. */
  paysOnSolana: boolean;
}

const MINUTE_MS = 60_000;
const PAYERS = 3;
const PROGRESS_EVERY_MS = 15_000;
/**
 * With faults over, so long may nothing that is open come to its end before it counts as stuck: a payment on Solana
 * whose signature a node may have kept waits for ten minutes by design (domain/withdrawals/abandonment.ts).
 */
const STUCK_AFTER_MS = 12 * MINUTE_MS;
const LOOK_EVERY_MS = 2_000;
const SHOWN_OPEN = 10;

export async function runChaos(options: ChaosOptions): Promise<void> {
  const startedMs = Date.now();
  const report = (line: string) =>
    console.log(`[${((Date.now() - startedMs) / 1000).toFixed(1).padStart(6)} s] ${line}`);
  const { root, directory, seed } = options;
  report(`seed ${seed}: the topology starts`);
  const topology = await startTopology({ root, directory, report });
  const connection = connectDatabase(readOwnerUrl(topology), { poolSize: 2, name: 'countersign-chaos' });
  try {
    report('wallets get their keys and their money');
    const setting = await provideSetting(topology, { payerCount: PAYERS, paysOnSolana: options.paysOnSolana });
    const run: Run = { topology, setting, record: new LoadRecord(), db: connection.db, root };
    const injected = await trouble(run, options, report);
    await rejectWhatWaits(setting);
    report('load and faults are over; what is open comes to its end');
    const stuck = await untilQuiet(connection.db, report);
    report(stuck.length === 0 ? 'nothing is open any more' : `${stuck.length} are stuck`);
    const facts = await collectFacts(run);
    const findings = await findBroken(facts);
    console.log(describeEnds(facts, run.record, topology.receiver.deliveries));
    console.log(describeVerdict({ ...options, injected, record: run.record, findings }));
    await connection.close();
    topology.receiver.stop();
    await topology.stop(findings.length === 0 ? undefined : `Seed ${seed} broke ${findings.length} invariants.`);
  } catch (error) {
    await topology.stop((error as Error).stack);
  }
}

/** Load of every kind, and faults beside it, for the minutes that were asked for. */
async function trouble(
  { topology, setting, record }: Run,
  { seed, minutes, callers, withFaults }: ChaosOptions,
  report: (line: string) => void,
): Promise<Injected> {
  const durationMs = minutes * MINUTE_MS;
  const faults: Fault[] = withFaults ? drawFaults(seed, durationMs) : [];
  report(`${callers} callers for ${minutes} minutes, ${faults.length} faults`);
  const stopLoad = startLoad({ setting, record, seed, callers });
  const injection = injectFaults(topology, faults, report);
  const endMs = Date.now() + durationMs;
  while (Date.now() < endMs && !topology.signal.aborted) {
    await sleep(Math.min(PROGRESS_EVERY_MS, Math.max(0, endMs - Date.now())));
    report(describeProgress(record, injection.injected));
  }
  await injection.stop();
  await stopLoad();
  return injection.injected;
}

/**
 * What is open when nothing has come to its end for long; nothing as soon as nothing is open. On a busy machine many
 * rows are open for long, and each signature that ends leaves an event and a delivery: as long as events happen, it
 * goes on. What chains have to tell of before is read first, since payments become deposits then.
 */
async function untilQuiet(db: Database, report: (line: string) => void): Promise<string[]> {
  const overSince = new Date();
  let [fewest, events, sinceMs, shownMs] = [Number.POSITIVE_INFINITY, 0, Date.now(), Date.now()];
  for (;;) {
    const open = [...(await findOpenRows(db)), ...(await findUnreadNetworks(db, overSince))];
    const happened = await countEvents(db);
    if (open.length === 0) return [];
    if (open.length < fewest || happened > events) [fewest, events, sinceMs] = [open.length, happened, Date.now()];
    if (Date.now() - shownMs > PROGRESS_EVERY_MS) {
      shownMs = Date.now();
      report(`${open.length} are open, such as: ${open[0]}`);
    }
    if (Date.now() - sinceMs > STUCK_AFTER_MS) {
      for (const what of open.slice(0, SHOWN_OPEN)) report(what);
      return open;
    }
    await sleep(LOOK_EVERY_MS);
  }
}
