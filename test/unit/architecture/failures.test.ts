// Goal: every code by which something fails stands in the registry, none stands there that nothing fails with, and
// the API's document has them. Method: the sources as text, in which failures are made with the code as their last
// word; openapi.json.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  apiErrors,
  clusterFailures,
  failures,
  lostWorkflowFailures,
  statusReasonOf,
} from '../../../domain/failures.ts';
import { signingStatusReasons } from '../../../domain/statuses.ts';

const root = join(import.meta.dirname, '../../..');
const textsOf = (...layers: string[]) =>
  layers.flatMap((layer) =>
    readdirSync(join(root, layer), { recursive: true })
      .map((path) => join(layer, String(path)))
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.gen.ts'))
      .map((path) => readFileSync(join(root, path), 'utf8')),
  );

/** The code is the last argument, or a property; what is computed the compiler knows. */
const madeIn = (text: string) =>
  [
    /ApplicationFailure\.(?:nonRetryable|retryable)\((?:[^()]|\([^()]*\))*?,\s*'(\w+)',?\s*\)/g,
    /(?:\btype|errorCode): '([a-z]+(?:_[a-z]+)+)'/g,
    /const [A-Z_]+ = '([a-z]+(?:_[a-z]+)+)';/g,
  ].flatMap((pattern) => [...text.matchAll(pattern)].map(([, code]) => code as string));

const made = new Set(textsOf('activities', 'drizzle', 'src/worker').flatMap(madeIn));
const quoted = (text: string) => [...text.matchAll(/'([a-z_]+)'/g)].map(([, code]) => code as string);
const named = new Set(textsOf('activities', 'drizzle', 'workflows', 'src').flatMap(quoted));

test('the search finds codes in calls of every form', () => {
  expect(madeIn("throw ApplicationFailure.nonRetryable(`the (old) one ${id(1)} is gone`, 'not_there');")).toEqual([
    'not_there',
  ]);
  expect(madeIn("ApplicationFailure.retryable(\n  'it waits',\n  'not_yet',\n)")).toEqual(['not_yet']);
  expect(made.size).toBeGreaterThan(15);
});

test('every code that something fails with is in the registry', () => {
  expect([...made].filter((code) => !Object.hasOwn(failures, code))).toEqual([]);
});

test('nothing is in the registry that the code does not name', () => {
  const codes = [...Object.keys(failures), ...Object.keys(apiErrors)];
  expect(codes.filter((code) => !named.has(code))).toEqual([]);
});

test("the API's document lists the errors with their status", () => {
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  const { description } = document.components.schemas.Error.properties.code;
  const listed = [...description.matchAll(/`(\w+)` \((\d+)\)/g)].map(([, code, status]) => [code, Number(status)]);
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries(Object.entries(apiErrors).map(([code, { status }]) => [code, status])),
  );
});

test('docs/error-codes.md has exactly the codes of the API, with their status, and a reason for each that is its own', () => {
  const text = readFileSync(join(root, 'docs/error-codes.md'), 'utf8');
  const [, contract = '', beyond = ''] = text.split(/^## .*$/m);
  const rowsOf = (part: string) =>
    [...part.matchAll(/^\| (?!-|Status|Code)(.+?) \| (.+?) \|(?: (.+) \|)?$/gm)].map(([, ...cells]) => cells);
  const codesIn = (cell: string | undefined) =>
    [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, code]) => code as string);
  const agreed = rowsOf(contract).flatMap(([status, codes]) =>
    codesIn(codes).map((code) => [code, Number(status)] as const),
  );
  const own = rowsOf(beyond).map(([code, status, why]) => {
    expect(why).toMatch(/\.$/);
    return [codesIn(code)[0] ?? '', Number(status)] as const;
  });
  expect([agreed.length, own.length]).toEqual([26, 1]);
  expect(new Set([...agreed, ...own].map(([code]) => code)).size).toBe(agreed.length + own.length);
  expect(Object.fromEntries([...agreed, ...own])).toEqual(
    Object.fromEntries(Object.entries(apiErrors).map(([code, { status }]) => [code, status])),
  );
});

test('what a signing operation says of each is a reason that callers know', () => {
  const reasons = Object.keys(failures).map((code) => statusReasonOf(code as keyof typeof failures));
  expect(reasons.filter((reason) => !signingStatusReasons.includes(reason))).toEqual([]);
  expect(statusReasonOf('cluster_not_ready')).toBe('mpc_error');
  expect(statusReasonOf('cluster_not_ready', true)).toBe('mpc_timeout');
  expect(statusReasonOf('frozen', true)).toBe('frozen');
});

test('one code stands in one place', () => {
  const groups = [...Object.keys(clusterFailures), ...Object.keys(lostWorkflowFailures)];
  expect(new Set(groups).size).toBe(groups.length);
  const source = readFileSync(join(root, 'domain/failures.ts'), 'utf8');
  const operations = source.slice(source.indexOf('export const clusterFailures'));
  const keys = [...operations.matchAll(/^ {2}(\w+): \{/gm)].map(([, code]) => code);
  expect(keys).toEqual(Object.keys(failures));
});
