// Prometheus with the alerts of deploy/alerts, on loopback, where this machine has it. Its jobs are named as in
// deploy/prometheus/prometheus.yaml, by which the alerts go.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../atomic-file.ts';
import { MissingProgram } from '../processes/missing-program.ts';
import { startPart } from '../processes/part.ts';
import { findFreePort } from '../processes/ports.ts';
import { findOnPath } from '../processes/programs.ts';
import { type Placement, supervise } from '../processes/supervise.ts';

const NAME = 'Prometheus';
const PORT = 9090;

export type ScrapeTargets = {
  apis: readonly string[];
  workers: readonly string[];
  nodes: ReadonlyMap<number, string>;
  metricsTokenFile: string;
};

/** Returns its base URL. */
export async function startPrometheus(
  { directory, logFile, supervision, onStart }: Placement,
  alertsFile: string,
  targets: ScrapeTargets,
): Promise<string> {
  const program = findOnPath('prometheus');
  if (program === undefined)
    throw new MissingProgram(
      'the program `prometheus` is missing: install Prometheus (on Debian: apt-get install prometheus)',
    );
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'prometheus.yaml');
  writeAtomically(file, JSON.stringify(configurationOf(alertsFile, targets), null, 2), 0o600);
  const host = `127.0.0.1:${await findFreePort(PORT)}`;
  const start = async () => {
    const data = `--storage.tsdb.path=${join(directory, 'data')}`;
    const part = await startPart({
      command: program,
      args: [`--config.file=${file}`, data, `--web.listen-address=${host}`],
      environment: { PATH: process.env['PATH'] },
      logFile,
    });
    onStart(NAME, part);
    return part;
  };
  await supervise({ name: NAME, supervision, start, isReady: () => isReady(host) });
  return `http://${host}`;
}

/** YAML, which JSON is. */
function configurationOf(alertsFile: string, { apis, workers, nodes, metricsTokenFile }: ScrapeTargets): object {
  const authorization = { credentials_file: metricsTokenFile };
  const ofNodes = [...nodes].map(([node, address]) => ({
    targets: [address],
    labels: { cluster: 'main', node: String(node) },
  }));
  return {
    global: { scrape_interval: '15s' },
    rule_files: [alertsFile],
    scrape_configs: [
      { job_name: 'countersign-api', authorization, static_configs: [{ targets: apis }] },
      { job_name: 'countersign-worker', authorization, static_configs: [{ targets: workers }] },
      { job_name: 'countersign-node', static_configs: ofNodes },
    ],
  };
}

async function isReady(host: string): Promise<true | undefined> {
  try {
    const response = await fetch(`http://${host}/-/ready`, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return response.status === 200 || undefined;
  } catch {
    return undefined;
  }
}
