// (a) POST /sign answered 202 a second, against the bare route with one INSERT and one workflow.start. No worker polls,
// so no signing competes. The service answers before the workflow is started, so that the time until all are started is
// measured too, and the next round waits for it.
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import type { Contenders } from './support/contenders.ts';
import type { CpuMeter } from './support/cpu.ts';
import { applyLoad } from './support/load.ts';
import { type Comparison, interleave } from './support/rounds.ts';
import type { Settings } from './support/settings.ts';
import { prepareSign } from './support/signed-requests.ts';

const DRAINED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 10;
/** In `extra`: seconds until every workflow of the round was started. */
export const STARTED_SECONDS = 'startedSeconds';

export async function measureAcceptSigning(
  contenders: Contenders,
  { rounds, connections, writesPerRound }: Settings,
  cpu: CpuMeter,
  report: (line: string) => void,
): Promise<Comparison> {
  const { apiUrl, bareUrl, databaseUrl, walletId, workspace } = contenders;
  const sql = postgres(databaseUrl, { max: 1 });
  const round = async (baseUrl: string) => {
    const requests = Array.from({ length: writesPerRound }, () => prepareSign(workspace, walletId));
    const measured = await applyLoad({ baseUrl, connections, requests, expectedStatus: 202 });
    const drainingFromMs = performance.now();
    await waitUntilStarted(sql);
    const drainSeconds = (performance.now() - drainingFromMs) / 1000;
    return { ...measured, extra: { [STARTED_SECONDS]: measured.seconds + drainSeconds } };
  };
  try {
    const sides = [
      { name: 'service', run: () => round(apiUrl) },
      { name: 'bare', run: () => round(bareUrl) },
    ];
    return await interleave(sides, rounds, cpu, report);
  } finally {
    await sql.end();
  }
}

/** An outbox row goes once its workflow's start is confirmed. */
async function waitUntilStarted(sql: Sql): Promise<void> {
  const deadline = Date.now() + DRAINED_WITHIN_MS;
  for (;;) {
    const waiting = await sql`select 1 from outbox limit 1`;
    if (waiting.length === 0) return;
    if (Date.now() > deadline) throw new Error('The accepted workflows were not started in a minute.');
    await sleep(LOOK_EVERY_MS);
  }
}
