// Goal: no alert and no panel asks for a metric that nobody exports or for a label that it does not have, and an
// operator who is woken finds what to do. Method: the rules, the dashboard and the runbook are read, and compared with
// the metrics that the code makes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createActivities } from '../../../activities/index.ts';
import { clusterFailures } from '../../../domain/failures.ts';
import { curves } from '../../../domain/statuses.ts';
import { sealedKinds } from '../../../drizzle/seals/seals.ts';
import { authenticationFailures } from '../../../src/http/errors.ts';
import { reportBrokenSeals } from '../../../src/observability/broken-seals.ts';
import { installHttpMetrics } from '../../../src/observability/http-metrics.ts';
import { watchersOf } from '../../../src/observability/observe-worker.ts';
import { createProcessRegistry } from '../../../src/observability/registry.ts';
import { StateMetrics } from '../../../src/observability/state-metrics.ts';
import { WorkerMetrics } from '../../../src/observability/worker-metrics.ts';
import * as workflows from '../../../workflows/index.ts';
import { samplesOf } from '../../support/api/metrics.ts';
import { noChains } from '../../support/chains/no-chains.ts';
import { testSeals } from '../../support/rows/seals.ts';

const root = join(import.meta.dirname, '../../..');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

test('the chart for Kubernetes has the same file, which `npm run generate` copies', () => {
  const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8');
  expect(read('helm/countersign/files/alerts.yaml')).toBe(read('alerts/countersign.yaml'));
});

const rules = (
  parse(readFileSync(join(root, 'deploy/alerts/countersign.yaml'), 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string }[];
}

const dashboards = readdirSync(join(root, 'deploy/grafana')).map(
  (file) => JSON.parse(readFileSync(join(root, 'deploy/grafana', file), 'utf8')) as { uid: string; panels: Panel[] },
);
const panels = dashboards.flatMap((dashboard) => dashboard.panels).filter(({ type }) => type !== 'row');

/** As at the start of a process, before anything was counted. */
const registry = createProcessRegistry();
installHttpMetrics(Fastify(), registry);
reportBrokenSeals(registry, Fastify().log);
const dependencies = {
  db: undefined as never,
  clusters: undefined as never,
  chains: noChains,
  seals: testSeals,
} as const;
const activityNames = Object.keys(createActivities({ ...dependencies, bitcoinNetwork: 'regtest' }));
const worker = new WorkerMetrics(registry);
worker.expectActivities(activityNames);
watchersOf(worker, undefined, Fastify().log).clusterObserver('main').onNode(1);
expect(new StateMetrics({ db: undefined as never, askTemporal: async () => undefined }, registry)).toBeDefined();

/** Those that a scraper reads, with their labels; a histogram is read by three names. */
function exported(): Map<string, readonly string[]> {
  const metrics = registry.getMetricsAsArray() as unknown as { name: string; type: string; labelNames: string[] }[];
  const suffixes = (type: string) => (type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']);
  return new Map(
    metrics.flatMap(({ name, type, labelNames }) =>
      suffixes(type).map(
        (suffix) => [name + suffix, suffix === '_bucket' ? [...labelNames, 'le'] : labelNames] as const,
      ),
    ),
  );
}

const metrics = exported();
/** What Prometheus adds itself. */
const ofTheScraper = ['job', 'instance'];

/**
 * Every metric of an expression, with the labels that it is selected by, and those by which it is grouped right before.
 */
function selectorsOf(expression: string): { name: string; labels: string[] }[] {
  const pattern = /(?:by \(([^)]*)\)[\s(a-z]*\()?\b((?:countersign|nodejs|process)_\w+)(?:\{([^}]*)\})?/g;
  return [...expression.matchAll(pattern)].map(([, grouped = '', name = '', selector = '']) => ({
    name,
    labels: [...selector.matchAll(/(\w+)\s*[=!]/g), ...grouped.matchAll(/(\w+)/g)].map(([, label = '']) => label),
  }));
}

function assertKnown(expression: string): void {
  for (const { name, labels } of selectorsOf(expression)) {
    const known = metrics.get(name);
    expect(known, name).toBeDefined();
    for (const label of labels) expect([...(known ?? []), ...ofTheScraper]).toContain(label);
  }
}

describe('every alert asks for what is exported', () => {
  test.each(rules.map((rule) => [rule.alert, rule] as const))('%s', (_name, { expr }) => {
    if (!expr.includes('up{job=')) expect(selectorsOf(expr)).not.toEqual([]);
    assertKnown(expr);
  });
});

describe('what an alert counts is there at 0 before the first event, which `increase` and `rate` would not see else', () => {
  /**
   * Every series that must be there, by the selector of a rule. A quantile is over what goes on: it needs no beginning.
   */
  const needed = new Map<string, Record<string, string>[]>([
    [
      'countersign_signatures_total',
      curves.flatMap((curve) =>
        ['success', 'closed_before', 'frozen', ...Object.keys(clusterFailures)].map((outcome) => ({ curve, outcome })),
      ),
    ],
    ['countersign_wrong_signatures_total', curves.map((curve) => ({ curve }))],
    [
      'countersign_workflow_duration_seconds_count',
      Object.keys(workflows).map((workflow) => ({ workflow, outcome: 'error' })),
    ],
    ['countersign_activity_duration_seconds_count', activityNames.map((activity) => ({ activity, outcome: 'error' }))],
    ['countersign_http_responses_total', ['2xx', '4xx', '5xx'].map((status) => ({ status, probe: 'no' }))],
    ['countersign_mpc_node_refusals_total', [{ cluster: 'main', node: '1', code: 'Paused' }]],
    ['countersign_broken_seals_total', sealedKinds.map((kind) => ({ kind }))],
    [
      'countersign_authentication_failures_total',
      authenticationFailures.map((reason) => ({ reason: reason.replaceAll(/[^a-z]+/g, '_') })),
    ],
  ]);
  const counting = rules.flatMap(({ alert, expr }) =>
    [...expr.matchAll(/(?:increase|rate)\((countersign_\w+)/g)]
      .map(([, name = '']) => [alert, name] as const)
      .filter(([, name]) => !name.endsWith('_bucket')),
  );

  test.each(counting)('%s: %s', async (_alert, name) => {
    const samples = samplesOf(await registry.metrics());
    const series = needed.get(name);
    expect(series?.length, `${name} is counted by an alert`).toBeGreaterThan(0);
    for (const labels of series ?? []) {
      const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      const found = [...samples].find(
        ([each]) => each.startsWith(`${name}{`) && wanted.every((one) => each.includes(one)),
      );
      expect(found?.[1], wanted.join()).toBe(0);
    }
  });
});

test('every panel of the dashboard asks for what is exported', () => {
  expect(panels.length).toBeGreaterThan(10);
  for (const { title, targets } of panels) {
    expect(targets ?? [], title).not.toEqual([]);
    for (const { expr } of targets ?? []) {
      expect(selectorsOf(expr), title).not.toEqual([]);
      assertKnown(expr);
    }
  }
});

test('every metric of ours is on the dashboard', () => {
  const shown = new Set(
    panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => selectorsOf(expr).map(({ name }) => name))),
  );
  const bases = new Set([...shown].map((name) => name.replace(/_(bucket|sum|count)$/, '')));
  const ours = [...metrics.keys()].filter((name) => name.startsWith('countersign_'));
  expect(ours.map((name) => name.replace(/_(bucket|sum|count)$/, '')).filter((name) => !bases.has(name))).toEqual([]);
});

test('no two alerts share a name, and each says how urgent it is and where to read on', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, labels, annotations } of rules) {
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.runbook).toBe(`RUNBOOK.md#${alert.toLowerCase()}`);
  }
});

describe('the runbook', () => {
  const text = readFileSync(join(root, 'RUNBOOK.md'), 'utf8');
  const sections = new Map(
    [...text.matchAll(/^### (Countersign\w+)\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)].map(([, name = '', body = '']) => [
      name,
      body,
    ]),
  );

  test('has a section for every alert, and no other', () => {
    expect([...sections.keys()].toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });

  test.each([...sections])('%s: what it means, what to ask, where to look, what to do', (_name, body) => {
    for (const part of ['**Means.**', '**Ask.**', '**Look.**', '**Do.**']) expect(body).toContain(part);
    for (const [, expression = ''] of body.matchAll(/```promql\n([\s\S]*?)```/g)) assertKnown(expression);
  });
});

test('a metric that nobody exports, and a label that a metric does not have, are noticed', () => {
  expect(() => assertKnown('max(countersign_no_such_metric) > 0')).toThrow();
  expect(() => assertKnown('max(countersign_nonce_gaps{node="1"})')).toThrow();
  expect(() => assertKnown('max by (node) (countersign_nonce_gaps)')).toThrow();
  expect(() => assertKnown('sum by (le, node) (rate(countersign_nonce_gaps[5m]))')).toThrow();
});
