// Writes bench/RESULTS.md: the ratios, how they were measured and how to read them. Names no machine and no path.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { STARTED_SECONDS } from '../accept-signing.ts';
import { WALLETS_AT_ONCE } from '../create-wallets.ts';
import type { Histories } from '../histories.ts';
import { processorTables } from '../processor-tables.ts';
import type { SigningComparison } from '../sign-to-success.ts';
import type { WaitersComparison } from '../waiters.ts';
import {
  type Comparison,
  type MeasuredRound,
  quantile,
  rateOf,
  ratioOf,
  roundsOf,
  type Spread,
  spreadOf,
} from './rounds.ts';
import type { Settings } from './settings.ts';

const WALLETS = `(e) wallets created a second, ${WALLETS_AT_ONCE} at once, against generating their keys`;

export interface Results {
  settings: Settings;
  versions: Readonly<Record<string, string>>;
  acceptSigning: Comparison;
  readStatus: Comparison;
  signToSuccess: readonly SigningComparison[];
  waiters: readonly WaitersComparison[];
  /** Left out of a quick run. */
  createWallets: Comparison | undefined;
  histories: Histories;
}

export function writeResults(path: string, results: Results): void {
  writeFileSync(path, `${render(results).join('\n')}\n`);
}

function render(results: Results): string[] {
  const { settings, acceptSigning, readStatus, signToSuccess, waiters, createWallets, histories } = results;
  return [
    '# Benchmark results',
    '',
    `Written by \`npm run bench${settings.quick ? ' -- --quick' : ''}\` on ${new Date().toISOString().slice(0, 10)}; ${describeMachine(results)}.`,
    'Only ratios mean something: both sides of each were measured in turns in one run, on a machine that did other things too.',
    ...(settings.quick ? ['This was a quick run: its rounds are short and its spreads wide.'] : []),
    '',
    '## Ratios',
    '| | service | limit | ratio | spread |',
    '|---|---|---|---|---|',
    ...acceptRows(acceptSigning),
    line('(b) status read a second, against a bare SELECT', readStatus, 'bare'),
    ...signToSuccess.flatMap(signingRows),
    ...waiters.map((comparison) =>
      line(
        `(d) 1,000 waiters ${onOperations(comparison)}: told a second, against a bare HTTP server`,
        comparison,
        'bare',
      ),
    ),
    ...(createWallets === undefined ? [] : [line(WALLETS, createWallets, 'cluster')]),
    '',
    '## (c) Latency from POST to `success`, milliseconds',
    '| curve, at once | service p50 | p95 | cluster p50 | p95 | no-op workflow p50 | p95 | local no-op p50 | p95 | service p50 / (cluster + local no-op) |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...signToSuccess.map(latencyRow),
    '',
    '## (d) From the commit of a change until the last of 1,000 waiters has heard, milliseconds',
    '| waiting | service least | median | bare server least | median |',
    '|---|---|---|---|---|',
    ...waiters.map(waitersRow),
    '',
    `## One signature in Temporal: ${histories.events} events, ${histories.actions} actions`,
    [...histories.kinds].map(([name, count]) => `${name}${count > 1 ? ` × ${count}` : ''}`).join(', '),
    '',
    '| step, one at a time | median ms |',
    '|---|---|',
    ...histories.steps.map(({ name, medianMs }) => `| ${name} | ${medianMs.toFixed(1)} |`),
    '',
    '## Processor time',
    'It hardly depends on what else the machine does, so that it shows a change before the rates do.',
    '',
    ...processorTables(acceptSigning, readStatus, signToSuccess),
    '',
    ...explanation(settings),
  ];
}

function describeMachine({ versions }: Results): string {
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [`${cpus().length} cores`, ...programs].join(', ');
}

function acceptRows(comparison: Comparison): string[] {
  const startedRate = ({ operations, extra }: MeasuredRound) => operations / (extra?.[STARTED_SECONDS] ?? Number.NaN);
  return [
    line('(a) POST /sign answered 202 a second, against a bare INSERT and start', comparison, 'bare'),
    line('(a) the same until every workflow is started', comparison, 'bare', startedRate),
  ];
}

function signingRows(comparison: SigningComparison): string[] {
  const what = `(c) ${comparison.curve} signatures a second, ${comparison.concurrency} at once`;
  const both = spreadOf(
    roundsOf(comparison, 'service').map((round, index) => {
      const [cluster, noop] = [roundsOf(comparison, 'cluster')[index], roundsOf(comparison, 'noop')[index]];
      if (cluster === undefined || noop === undefined) throw new Error('the sides have different numbers of rounds');
      return rateOf(round) * (1 / rateOf(cluster) + 1 / rateOf(noop));
    }),
  );
  return [
    line(`${what}, against the cluster directly`, comparison, 'cluster'),
    line(`${what}, against a no-op workflow`, comparison, 'noop'),
    `| ${what}, against both one after the other | ${rate(comparison, 'service')} | | ${ratio(both)} |`,
  ];
}

function line(
  what: string,
  comparison: Comparison,
  limit: string,
  of: (round: MeasuredRound) => number = rateOf,
): string {
  const service = shown(spreadOf(roundsOf(comparison, 'service').map(of)).median);
  return `| ${what} | ${service} | ${rate(comparison, limit)} | ${ratio(ratioOf(comparison, 'service', limit, of))} |`;
}

const rate = (comparison: Comparison, side: string) => shown(spreadOf(roundsOf(comparison, side).map(rateOf)).median);
const shown = (rateOfSide: number) => rateOfSide.toFixed(rateOfSide < 20 ? 1 : 0);
const ratio = ({ median, min, max }: Spread) => `**${median.toFixed(2)}** | ${min.toFixed(2)}–${max.toFixed(2)}`;

function latencyRow(comparison: SigningComparison): string {
  const { curve, concurrency } = comparison;
  const latencyMs = (side: string, share: number) =>
    quantile(
      roundsOf(comparison, side).flatMap((round) => round.latenciesMs ?? []),
      share,
    );
  const cells = ['service', 'cluster', 'noop', 'local'].flatMap((side) =>
    [0.5, 0.95].map((share) => latencyMs(side, share).toFixed(1)),
  );
  const share = latencyMs('service', 0.5) / (latencyMs('cluster', 0.5) + latencyMs('local', 0.5));
  return `| ${curve}, ${concurrency} | ${cells.join(' | ')} | **${share.toFixed(2)}** |`;
}

const onOperations = ({ operations }: WaitersComparison) =>
  operations === 1 ? 'on one operation' : `on ${operations.toLocaleString('en')} operations`;

function waitersRow(comparison: WaitersComparison): string {
  const cells = ['service', 'bare'].flatMap((side) => {
    const { min, median } = spreadOf(roundsOf(comparison, side).map(({ seconds }) => seconds * 1000));
    return [min.toFixed(1), median.toFixed(1)];
  });
  return `| ${onOperations(comparison)} | ${cells.join(' | ')} |`;
}

function explanation({ rounds, connections, writesPerRound, readsPerRound, signingRoundMs }: Settings): string[] {
  return [
    '## How it is measured',
    'PostgreSQL (flushing every commit), the Temporal development server and three nodes run with fresh data, as `npm start` embeds them. API, worker, bare server',
    `and no-op worker are processes of their own. The sides take turns for ${rounds} rounds after one that is thrown away; a figure is the median of its rounds, a ratio`,
    'the median of the ratios of neighbouring rounds, and its spread their least and greatest. The driver is one process, the same for all sides.',
    `- (a) ${writesPerRound} signed, different requests a round over ${connections} connections, signed beforehand, to both sides. No worker polls meanwhile, on neither side: signing does`,
    '  not compete. The bare route inserts the same row by one prepared statement and awaits one `workflow.start`; it checks nothing. The service answers before',
    '  its start is confirmed, so that the second line counts until the outbox is empty; a round begins when it is.',
    `- (b) ${readsPerRound} signed reads a round over ${connections} connections, of rows with signatures; the bare route selects the same row by one prepared statement and checks nothing.`,
    `- (c) closed loops of ${signingRoundMs / 1000} s a round: the service from sending the POST until the row says \`success\` (one SELECT by key every 2 ms for all that are waited`,
    '  for); `connectCluster().sign` and `verifySignature` in the driver; and workflows with one empty activity and with one empty local activity, started and',
    '  awaited. One wallet, one path of each curve.',
    '- (d) 1,000 kept-alive connections from the driver, each with one signed read that prefers to wait; after a second one commit ends what they wait for. The bare server',
    '  hears of it over the same LISTEN, holds the requests in a list and answers all with one text that it has ready; it checks nothing and reads no row.',
    `- (e) ${WALLETS_AT_ONCE} wallets at once, closed loops: the service from sending the POST until the row says \`active\`; \`connectCluster().generateKey\` of both curves in the driver.`,
    '',
    '## How to read it',
    'A ratio of 1 means that authentication, validation, replay guard, idempotency and the outbox cost nothing. The first line of (a) may be above it, because the',
    'service answers before its start is confirmed and the bare route after: bursts are accepted at that rate, the second line is the one that lasts.',
    'In (c) the service does what both limits do, on the same cores: "both one after the other" is 1 / (1/cluster + 1/no-op), what can be had when every core is busy.',
    'The driver is the limit of a line only where its own processor time for one operation, times the rate, comes near 1000 ms a second. Events and actions are those of',
    'one history; actions as Temporal Cloud counts them.',
  ];
}
