// Goal: whatever ends, hangs, lies or is late in the topology of a production while it is under load of every kind,
// everything that was accepted ends once, is paid once, and stands in the books (docs/reliability.md). Method: a short
// run of `npm run chaos`, whose own invariants judge; longer ones, with other seeds, are a developer's.
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { invariants } from '../../chaos/invariants/invariants.ts';
import { BUILT_WITHIN_MS } from '../../support/processes/go-program.ts';
import { type Starter, startProgram } from '../../support/processes/local-start.ts';

const root = resolve(import.meta.dirname, '../../..');
const MINUTE_MS = 60_000;
/** On a busy machine most of it is the start, and what is open coming to its end. */
const OVER_WITHIN_MS = 20 * MINUTE_MS;

const directory = mkdtempSync(join(tmpdir(), 'countersign-chaos-'));
chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
let run: Starter | undefined;

afterAll(async () => {
  run?.process.kill('SIGTERM');
  await run?.exit;
  rmSync(directory, { recursive: true, force: true });
}, MINUTE_MS);

test('three minutes of load and faults break nothing', { timeout: BUILT_WITHIN_MS + OVER_WITHIN_MS }, async () => {
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.mjs')]);
  const main = ['--import', 'tsx', join(root, 'test/chaos/main.ts'), '--folder', directory];
  // Payments on Solana may wait for ten minutes by design.
  const options = ['--seed', '1', '--minutes', '3', '--callers', '8', '--no-solana-payments'];
  const { PATH, HOME } = process.env;
  run = startProgram([...main, ...options], root, { PATH, HOME });
  const end = await run.exit;
  const output = run.output();
  expect({ end, output: end === 0 ? '' : output }).toEqual({ end: 0, output: '' });
  for (const name of Object.keys(invariants)) expect(output).toContain(`holds  ${name}`);
  console.log(output.slice(output.indexOf('Seed 1,')));
});
