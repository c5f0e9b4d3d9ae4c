// `tsx bench/capacity.ts`: how many signatures a second a deployment makes, and how long one takes, by a simulation of
// the way of a signature (support/capacity-simulation.ts) with the processor times that were measured. Writes the
// picture and the table of docs/capacity/README.md. Its chance is seeded: two runs are the same.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { drawChart } from './support/capacity-chart.ts';
import { type Costs, type Deployment, simulate } from './support/capacity-simulation.ts';

const folder = resolve(import.meta.dirname, '../docs/capacity');
const SIMULATED_SECONDS = 20;
const RATES = [10, 20, 50, 100, 200, 300, 400, 600, 800, 1_000, 1_250, 1_500, 2_000];
/** A deployment that makes less of what is asked of it does not keep up. */
const KEEPS_UP = 0.93;
const TABLE = /(<!-- made by bench\/capacity\.ts -->\n).*?(<!-- end -->)/s;

/** Of secp256k1, as docs/capacity/README.md says how they were measured. */
const COSTS_MS: Costs = {
  api: { workflow: 6.2, signature: 3.1 },
  postgres: { workflow: 4.8, signature: 3.1 },
  temporal: { workflow: 15, signature: 1.8 },
  worker: { workflow: 15.4, signature: 4.9 },
  node: 7.9,
};

/** Cores, but for API and worker: these are processes that each fill one. */
const deployments: Readonly<Record<string, Deployment>> = {
  'one host of two cores': {
    shared: 2,
    api: 1,
    worker: 1,
    postgres: 2,
    temporal: 2,
    nodes: 2,
    clusters: 1,
    tenants: 10,
  },
  'two APIs, four workers': { api: 2, worker: 4, postgres: 2, temporal: 4, nodes: 4, clusters: 1, tenants: 20 },
  'for 1,000 a second': { api: 8, worker: 12, postgres: 8, temporal: 16, nodes: 8, clusters: 1, tenants: 50 },
  'the same and a second cluster': {
    api: 12,
    worker: 18,
    postgres: 12,
    temporal: 24,
    nodes: 8,
    clusters: 2,
    tenants: 50,
  },
};

const lines = Object.entries(deployments).map(([name, deployment]) => ({
  name,
  points: RATES.map((rate) => ({ rate, ...simulate(deployment, COSTS_MS, rate, SIMULATED_SECONDS) })),
}));

const rows = lines.flatMap(({ name, points }) => {
  const kept = points.filter(({ rate, made }) => made >= KEEPS_UP * rate);
  const [best, half] = [kept.at(-1), kept.at(Math.floor(kept.length / 2))];
  const beyond = points[kept.length];
  if (best === undefined || half === undefined) return [];
  const latency = ({ rate, p50Ms, p99Ms }: typeof best) => `${rate}: ${p50Ms.toFixed(0)}, ${p99Ms.toFixed(0)} ms`;
  return [`| ${name} | ${latency(half)} | ${latency(best)} | ${best.busiest} | ${beyond?.busiest ?? '–'} |`];
});
const table = [
  '| deployment | a second: p50, p99 | the most a second of these: p50, p99 | busiest then | what is short at the next |',
  '|---|---|---|---|---|',
  ...rows,
];
const readme = join(folder, 'README.md');
writeFileSync(
  readme,
  readFileSync(readme, 'utf8').replace(TABLE, (_, begin, end) => `${begin}${table.join('\n')}\n${end}`),
);
const label = 'signatures asked for a second → p50 in milliseconds, while it keeps up';
writeFileSync(
  join(folder, 'latency.svg'),
  drawChart(lines, { label, ticksX: [10, 100, 1_000, 2_000], ticksY: [10, 100, 1_000] }),
);
console.log(table.join('\n'));
