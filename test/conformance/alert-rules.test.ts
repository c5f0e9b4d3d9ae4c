// Goal: each alert wakes somebody for what its runbook says, and nobody for what only looks like it. Method: promtool
// evaluates the rules over series that are made up for the case, minute by minute for an hour and a half.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BUILT_WITHIN_MS } from '../support/processes/go-program.ts';
import { findPrometheusProgram } from '../support/processes/prometheus-programs.ts';
import { cases } from './alert-rules/cases.ts';
import type { Case } from './alert-rules/series.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const rulesFile = join(root, 'deploy/alerts/countersign.yaml');

interface Rule {
  alert: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
const rules = (parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);

const directory = mkdtempSync(join(tmpdir(), 'countersign-alerts-'));
let promtool: string;
beforeAll(async () => {
  promtool = await findPrometheusProgram(join(root, '.local'), 'promtool');
}, BUILT_WITHIN_MS);
afterAll(() => rmSync(directory, { recursive: true }));

/** As Prometheus writes them: our annotations have labels in them and nothing else. */
function expected({ alert }: Case, labels: Record<string, string>) {
  const rule = rules.find((each) => each.alert === alert);
  const written = (text: string) =>
    text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '');
  const annotations = Object.entries(rule?.annotations ?? {}).map(([name, text]) => [name, written(text)]);
  return { exp_labels: { ...rule?.labels, ...labels }, exp_annotations: Object.fromEntries(annotations) };
}

const titleOf = (one: Case) => `${one.alert} ${one.fires === undefined ? 'is quiet' : 'fires'}: ${one.when}`;

/** What promtool reads: JSON is YAML. */
const writeYaml = (name: string, content: object): string => {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify(content));
  return file;
};

/** The cases of one alert, with its rule alone: promtool evaluates all that it is given, half minute by half minute. */
function writeCases(alert: string, those: readonly Case[]): string {
  const own = rules.filter((rule) => rule.alert === alert);
  return writeYaml(`${alert}-cases`, {
    rule_files: [writeYaml(`${alert}-rule`, { groups: [{ name: alert, rules: own }] })],
    evaluation_interval: '30s',
    tests: those.map((one) => ({
      name: titleOf(one),
      interval: '1m',
      input_series: Object.entries(one.series).map(([series, values]) => ({ series, values })),
      alert_rule_test: [
        {
          alertname: alert,
          eval_time: `${one.atMinutes ?? 80}m`,
          exp_alerts: one.fires === undefined ? [] : one.fires.map((labels) => expected(one, labels)),
        },
      ],
    })),
  });
}

/** What promtool says of these cases. */
async function judge(those: readonly Case[]): Promise<string> {
  const alerts = [...new Set(those.map(({ alert }) => alert))];
  const files = alerts.map((name) =>
    writeCases(
      name,
      those.filter(({ alert }) => alert === name),
    ),
  );
  const answer = await execute(promtool, ['test', 'rules', ...files], { maxBuffer: 1 << 26 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  return answer.stdout + answer.stderr;
}

test('the rules are rules', async () => {
  await expect(execute(promtool, ['check', 'rules', rulesFile])).resolves.toBeDefined();
});

test('what Prometheus scrapes is a configuration, with the rules, and names the jobs as the rules do', async () => {
  const file = join(root, 'deploy/prometheus/prometheus.yaml');
  await expect(execute(promtool, ['check', 'config', '--syntax-only', file])).resolves.toBeDefined();
  const { rule_files, scrape_configs } = parse(readFileSync(file, 'utf8')) as {
    rule_files: string[];
    scrape_configs: { job_name: string }[];
  };
  expect(rule_files.map((path) => resolve(file, '..', path))).toEqual([rulesFile]);
  const jobs = scrape_configs.map(({ job_name }) => job_name);
  const selectors = [...readFileSync(rulesFile, 'utf8').matchAll(/job=~?"([^"]+)"/g)].map(([, pattern]) => pattern);
  expect(selectors.length).toBeGreaterThan(0);
  for (const selector of selectors) expect(jobs.filter((job) => new RegExp(`^${selector}$`).test(job))).not.toEqual([]);
});

test('each alert has a case in which it fires and one in which it does not', () => {
  for (const { alert } of rules) {
    const own = cases.filter((one) => one.alert === alert);
    expect([own.some(({ fires }) => fires !== undefined), own.some(({ fires }) => fires === undefined)], alert).toEqual(
      [true, true],
    );
  }
});

describe('promtool', () => {
  let ofAll: string;
  beforeAll(async () => {
    ofAll = await judge(cases);
  }, 5 * 60_000);

  // What stands among the failures goes by itself once more, and says why.
  test.each(cases.map((one) => [titleOf(one), one] as const))('%s', async (title, one) => {
    if (/FAILED/.test(ofAll) && ofAll.includes(title)) expect(await judge([one])).not.toContain('FAILED');
  });

  test('fails no case of all, and would', async () => {
    expect(ofAll.match(/SUCCESS/g)).toHaveLength(rules.length);
    expect(ofAll).not.toContain('FAILED');
    for (const one of cases.slice(0, 2)) {
      const { fires, ...quiet } = one;
      expect(await judge([fires === undefined ? { ...one, fires: [{ made: 'up' }] } : quiet])).toContain('FAILED');
    }
  });
});
