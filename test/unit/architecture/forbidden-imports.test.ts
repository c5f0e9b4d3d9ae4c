// Goal: each rule about imports that is not drawn as an arrow (arrows.test.ts has those) finds an import that breaks
// it, and the list of the node program's modules finds a use that it does not name. Method: a small tree with one
// forbidden import for each rule, and a copy of the crate with one line more.
import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cruise, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import rules from '../../../.dependency-cruiser.mjs';
import { arrows, layers } from '../../../scripts/allowed-arrows.mjs';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** By rule: which file imports what. A name without a slash is of a module, not of a file. */
const forbidden: Record<string, readonly [importer: string, imported: string]> = {
  'no-cycle': ['src/http/circle.ts', 'src/http/other-half.ts'],
  'no-orphan': ['drizzle/networks/alone.ts', ''],
  'domain-is-pure': ['domain/reads-files.ts', 'node:fs'],
  'statuses-import-nothing': ['domain/statuses.ts', 'domain/money.ts'],
  'workflows-know-activities-by-type': ['workflows/runs-an-activity.ts', 'activities/signing/sign.ts'],
  'workflows-run-only-facts': ['workflows/formats-an-amount.ts', 'domain/money.ts'],
  'workflows-know-no-tables': ['workflows/reads-a-table.ts', 'drizzle/wallets/wallets.ts'],
  'only-the-worker-knows-activities': ['src/wallets/signs.ts', 'activities/signing/sign.ts'],
  'client-stands-alone': ['src/client/formats-an-amount.ts', 'domain/money.ts'],
  'console-knows-the-client-alone': ['console/service/knows-the-service.ts', 'src/http/errors.ts'],
  'product-knows-no-local-parts': ['src/wallets/starts-a-chain.ts', 'src/local/chains.ts'],
  'only-drizzle-speaks-sql': ['src/wallets/speaks-sql.ts', 'postgres'],
  'product-runs-no-sandbox-chain': ['activities/chains/runs-a-chain.ts', 'litesvm'],
  'only-mpc-speaks-to-the-cluster': ['activities/signing/opens-a-socket.ts', 'node:net'],
};
/** What else must be there, each with what it imports. */
const innocent: Record<string, string> = {
  'src/http/other-half.ts': "import './circle.ts';",
  'workflows/names-an-activity.ts':
    "import type { sign } from '../activities/signing/sign.ts';\nexport type Sign = typeof sign;",
  'activities/signing/sign.ts': 'export const sign = 1;',
  'domain/money.ts': '',
  'drizzle/wallets/wallets.ts': '',
  'src/local/chains.ts': '',
  'src/http/errors.ts': '',
  'node_modules/postgres/index.js': '',
  'node_modules/litesvm/index.js': '',
};

let directory: string;
let found: string[];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-imports-'));
  const write = (path: string, text: string) => {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    writeFileSync(join(directory, path), `${text}\n`);
  };
  for (const [path, text] of Object.entries(innocent)) write(path, text);
  for (const [importer, imported] of Object.values(forbidden)) write(importer, importOf(importer, imported));
  const { output } = await cruise(Object.keys(layers), {
    baseDir: directory,
    validate: true,
    ruleSet: { forbidden: rules.forbidden } as IFlattenedRuleSet,
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  });
  const { violations } = (output as ICruiseResult).summary;
  found = violations.map(({ rule, from }) => `${rule.name}: ${from}`);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function importOf(importer: string, imported: string): string {
  if (imported === '') return '';
  if (!imported.includes('/')) return `import '${imported}';`;
  const specifier = relative(dirname(importer), imported);
  return `import '${specifier.startsWith('.') ? specifier : `./${specifier}`}';`;
}

test('every rule that is no arrow has a forbidden import here', () => {
  const drawn = [
    ...Object.keys(layers).map((layer) => `${layer}-knows-no-layer-above`),
    ...Object.entries(arrows).flatMap(([layer, folders]) => Object.keys(folders).map((folder) => `${layer}/${folder}`)),
    ...Object.keys(arrows).map((layer) => `${layer}-folder-is-listed`),
  ];
  const others = rules.forbidden.map(({ name }) => name).filter((name) => !drawn.includes(name));
  expect(Object.keys(forbidden).toSorted()).toEqual(others.toSorted());
});

test.each(Object.entries(forbidden))('%s finds its import', (rule, [importer]) =>
  expect(found).toContain(`${rule}: ${importer}`),
);

test('a workflow may name the type of an activity', () =>
  expect(found.filter((violation) => violation.endsWith('names-an-activity.ts'))).toEqual([]));

test('a module of the node program that uses another one which its list does not name is found', async () => {
  const crate = join(directory, 'mpc');
  for (const part of ['src', 'tests', 'examples', 'README.md', 'rustfmt.toml'])
    cpSync(join(root, 'mpc', part), join(crate, part), { recursive: true });
  const check = () => run(process.execPath, [join(root, 'scripts/crate-arrows.mjs'), '--check'], { cwd: directory });
  await expect(check()).resolves.toMatchObject({ stdout: '' });
  appendFileSync(join(crate, 'src/crypto/random.rs'), 'use crate::handlers::answer;\n');
  appendFileSync(join(crate, 'src/keys/mod.rs'), 'use crate::process::serve;\n');
  const found = (sentence: string) => ({ stdout: expect.stringContaining(sentence) as unknown });
  await expect(check()).rejects.toMatchObject(found('crypto must not use handlers: mpc/src/crypto/random.rs'));
  await expect(check()).rejects.toMatchObject(found('keys must not use process: mpc/src/keys/mod.rs'));
});
