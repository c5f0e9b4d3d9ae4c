// (b) GET /signing-requests/{id}, signed, against the bare route that SELECTs the same row by its key.
import postgres from 'postgres';
import type { Contenders } from './support/contenders.ts';
import type { CpuMeter } from './support/cpu.ts';
import { applyLoad } from './support/load.ts';
import { at, type Comparison, interleave } from './support/rounds.ts';
import type { Settings } from './support/settings.ts';
import { prepareStatusRead } from './support/signed-requests.ts';

const ROWS = 1_000;

export async function measureReadStatus(
  contenders: Contenders,
  { rounds, connections, readsPerRound }: Settings,
  cpu: CpuMeter,
  report: (line: string) => void,
): Promise<Comparison> {
  const { apiUrl, bareUrl, workspace } = contenders;
  const ids = await findFinishedRows(contenders);
  const round = async (baseUrl: string) => {
    const requests = Array.from({ length: readsPerRound }, (_, index) =>
      prepareStatusRead(workspace, at(ids, index % ids.length)),
    );
    return applyLoad({ baseUrl, connections, requests, expectedStatus: 200 });
  };
  const sides = [
    { name: 'service', run: () => round(apiUrl) },
    { name: 'bare', run: () => round(bareUrl) },
  ];
  return interleave(sides, rounds, cpu, report);
}

/** Rows that (c) signed: each with its signature, as a caller reads it last. */
async function findFinishedRows({ databaseUrl }: Contenders): Promise<string[]> {
  const sql = postgres(databaseUrl, { max: 1 });
  try {
    const rows = await sql<{ id: string }[]>`select id from signing_requests where status = 'success' limit ${ROWS}`;
    return rows.map(({ id }) => id);
  } finally {
    await sql.end();
  }
}
