// Goal: every workflow that any version started can still be continued by this code. Method: each history in
// histories/<version>/ is replayed against the bundle of the sources; a bundle with small changes must be refused by
// every one of them, so the replay is known to see. How to record: record.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, test } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { bundleWorkflows } from '../support/processes/worker.ts';
import { historyFromJson } from './history-json.ts';
import { textsOf } from './scrub.ts';

const folder = join(import.meta.dirname, 'histories');
const histories = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .sort()
  .map((path) => [path, JSON.parse(readFileSync(join(folder, path), 'utf8'))] as const);

let current: string;
let changed: string;

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => {}),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
  });
  current = await bundleWorkflows(new URL('../../workflows/index.ts', import.meta.url));
  changed = await bundleWorkflows(new URL('changed/workflows.ts', import.meta.url));
});

const replay = (code: string, history: unknown) =>
  Worker.runReplayHistory({ workflowBundle: { code } }, historyFromJson(history));

test.each(histories)('%s replays', async (_path, history) => {
  await replay(current, history);
});

test.each(histories)('%s refuses a workflow that was changed', async (_path, history) => {
  await expect(replay(changed, history)).rejects.toThrow(DeterminismViolationError);
});

test('every workflow has a history', () => {
  const recorded = histories.map(([, history]) => typeOf(history));
  expect(new Set(recorded)).toEqual(new Set(Object.keys(workflows)));
});

function typeOf(history: {
  events: [{ workflowExecutionStartedEventAttributes?: { workflowType?: { name: string } } }];
}) {
  return history.events[0].workflowExecutionStartedEventAttributes?.workflowType?.name;
}

describe('a recorded history shows neither machine nor secret', () => {
  const forbidden = /\/(home|root|work|Users|tmp|var|node_modules)\/|[A-Z]:\\|private|secret|mnemonic|share"|api_?key/i;

  test.each(histories)('%s', (_path, history) => {
    const texts = textsOf(history);
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter(({ text }) => forbidden.test(text))).toEqual([]);
    expect(texts.filter(({ name }) => name === 'stackTrace')).toEqual([]);
    expect(texts.filter(({ name, text }) => name === 'identity' && text !== 'worker')).toEqual([]);
    expect(texts.filter(({ text }) => text.includes(`@${hostname()}`))).toEqual([]);
  });
});
