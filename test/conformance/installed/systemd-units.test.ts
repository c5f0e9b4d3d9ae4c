// Goal: the units of deploy/systemd are sound and confine what they run, no secret is in an environment, and the
// processes take the variables that they are given. Method: systemd-analyze reads them as systemd would, in a folder
// that stands for a host; the configuration is read by the code of the processes.
import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GLIBC_TUNABLES, YOUNG_HEAP_OPTION } from '../../../src/local/processes/service-processes.ts';
import { assertStarts, exampleSecrets, type Reader } from '../../support/deployment/process-environment.ts';
import { findSystemdAnalyze, type Program } from './systemd-analyze.ts';
import { readService, readVariables } from './unit-files.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const folder = join(root, 'deploy/systemd');
const FETCHED_WITHIN_MS = 600_000;
/** What `systemd-analyze security` calls exposure, from 0 to 10. */
const EXPOSURE_BELOW = 3;

const services = readdirSync(folder).filter((name) => name.endsWith('.service'));
const dropIns = readdirSync(join(folder, 'drop-ins'));
const readDropIn = (name: string) => readFileSync(join(folder, 'drop-ins', name), 'utf8');
/** Each says in its head where it is installed. */
const dropInsOf = (service: string) => dropIns.filter((name) => readDropIn(name).includes(`/${service}.d`));
/** A template is judged as one of its instances. */
const installedName = (service: string) => service.replace('@.', '@main.');

let program: Program;
let host: string;
beforeAll(async () => {
  program = await findSystemdAnalyze(join(root, '.local'));
  host = mkdtempSync(join(tmpdir(), 'countersign-host-'));
  const units = join(host, 'etc/systemd/system');
  mkdirSync(units, { recursive: true });
  for (const service of services) copyFileSync(join(folder, service), join(units, installedName(service)));
  // What every unit stands on.
  for (const target of ['sysinit', 'basic', 'shutdown', 'network-online', 'time-sync'])
    writeFileSync(join(units, `${target}.target`), '[Unit]\n');
  for (const path of ['usr/bin/node', 'usr/local/bin/mpc-node']) {
    mkdirSync(resolve(host, path, '..'), { recursive: true });
    writeFileSync(join(host, path), '');
    chmodSync(join(host, path), 0o755);
  }
}, FETCHED_WITHIN_MS);
afterAll(() => rmSync(host, { recursive: true, force: true }));

async function analyze(...args: string[]): Promise<string> {
  const env = { ...process.env, ...program.environment, SYSTEMD_LOG_LEVEL: 'warning' };
  const { stdout, stderr } = await execute(program.command, ['--no-pager', ...args], { env });
  return stdout + stderr;
}

async function exposureOf(path: string): Promise<number> {
  const answer = await analyze('security', '--offline=true', path);
  return Number(/Overall exposure level for \S+: ([\d.]+)/.exec(answer)?.[1]);
}

test('there is a unit for each kind of process', () => {
  expect(services.toSorted()).toEqual([
    'countersign-api.service',
    'countersign-migrate.service',
    'countersign-worker.service',
    'mpc-node@.service',
  ]);
});

describe.each(services)('%s', (service) => {
  const installed = () => join(host, 'etc/systemd/system', installedName(service));

  test('is what systemd understands, also with what can be added to it', async () => {
    const added = `${installed()}.d`;
    mkdirSync(added, { recursive: true });
    for (const name of dropInsOf(service)) copyFileSync(join(folder, 'drop-ins', name), join(added, name));
    expect(await analyze('verify', `--root=${host}`, installed())).toBe('');
    rmSync(added, { recursive: true });
  });

  test('leaves its process little to do harm with, also with what can be added to it', async () => {
    expect(await exposureOf(installed())).toBeLessThan(EXPOSURE_BELOW);
    const whole = join(host, 'whole', installedName(service));
    mkdirSync(dirname(whole), { recursive: true });
    const texts = [readFileSync(installed(), 'utf8'), ...dropInsOf(service).map(readDropIn)];
    writeFileSync(whole, texts.join('\n'));
    expect(await exposureOf(whole)).toBeLessThan(EXPOSURE_BELOW);
  });

  test('leaves no core dump and no memory in swap, and is started again', () => {
    const unit = readService(join(folder, service));
    const of = (name: string) => unit.get(name);
    expect([of('LimitCORE'), of('MemorySwapMax')]).toEqual([['0'], ['0']]);
    const isOnce = of('Type')?.[0] === 'oneshot';
    expect(of('Restart')).toEqual(isOnce ? undefined : ['always']);
    // V8 could not run.
    expect(of('MemoryDenyWriteExecute')).toEqual(service.startsWith('mpc-node') ? ['yes'] : undefined);
  });
});

test('a unit that confines nothing would be found', async () => {
  const path = join(host, 'etc/systemd/system/loose.service');
  writeFileSync(path, '[Service]\nExecStart=/usr/bin/node dist/server.js\nNoNewPrivileges=yes\n');
  expect(await exposureOf(path)).toBeGreaterThan(2 * EXPOSURE_BELOW);
  rmSync(path);
});

describe.each<[string, string, Reader]>([
  ['countersign-api.service', 'api.env.example', 'API'],
  ['countersign-worker.service', 'worker.env.example', 'worker'],
  ['countersign-migrate.service', 'migrate.env.example', 'database commands'],
])('the environment of %s', (service, variables, reader) => {
  const unit = readService(join(folder, service), ...dropInsOf(service).map((name) => join(folder, 'drop-ins', name)));
  const environment = {
    ...readVariables(readFileSync(join(folder, variables), 'utf8').split('\n')),
    ...readVariables(unit.get('Environment') ?? []),
  };

  test('is one that the process starts with, and has secrets in files only', () => {
    const secrets = exampleSecrets();
    try {
      expect(() => assertStarts(reader, environment, secrets.fileOf)).not.toThrow();
      const leaked = { ...environment, DATABASE_URL: 'postgres://service:example@db.internal/countersign' };
      expect(() => assertStarts(reader, leaked, secrets.fileOf)).toThrow(/DATABASE_URL is a secret/);
      expect(() => assertStarts(reader, { ...environment, PROT: '1' }, secrets.fileOf)).toThrow(/PROT is no variable/);
    } finally {
      rmSync(secrets.directory, { recursive: true });
    }
  });

  test('names files that systemd hands over', () => {
    const handed = (unit.get('LoadCredential') ?? []).map((credential) => credential.split(':', 1)[0]);
    const named = Object.values(environment).flatMap((value) => /^%d\/(.+)$/.exec(value)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !handed.includes(name))).toEqual([]);
  });
});

test.each(['api', 'worker'])('the %s keeps as little memory as `npm start` has it keep', (process) => {
  const unit = readService(join(folder, `countersign-${process}.service`));
  expect(unit.get('Environment')).toContain(`NODE_OPTIONS=${YOUNG_HEAP_OPTION}`);
  expect(unit.get('Environment')).toContain(`GLIBC_TUNABLES=${GLIBC_TUNABLES}`);
});

test('what the worker writes of an export the API may read: one user, and one folder that both may write to', () => {
  const dropIn = 'exports.conf';
  const of = (name: string) => readService(join(folder, 'drop-ins', dropIn)).get(name) ?? [];
  for (const service of ['countersign-api.service', 'countersign-worker.service'])
    expect(dropInsOf(service)).toContain(dropIn);
  expect([of('DynamicUser'), of('User')]).toEqual([['no'], ['countersign']]);
  expect(readFileSync(join(folder, 'countersign.sysusers.conf'), 'utf8')).toMatch(/^u countersign /m);
  expect(readVariables(of('Environment'))).toEqual({ EXPORT_DIRECTORY: of('ReadWritePaths')[0] });
});

test('a worker finds its keys among its credentials, by the names that `mpc-node init-orchestrator` gives them', () => {
  const unit = readService(join(folder, 'countersign-worker.service'));
  const handed = (unit.get('LoadCredential') ?? []).map((credential) => credential.split(':', 1)[0]);
  expect(handed).toEqual(expect.arrayContaining(['command.key', 'tls.key', 'tls.crt']));
  expect(unit.get('Environment')).toContain('MPC_CREDENTIALS_DIR=%d');
});

test('a node has its store key from a file, and every variable that its command names', () => {
  const unit = readService(join(folder, 'mpc-node@.service'));
  const command = unit.get('ExecStart')?.join(' ') ?? '';
  const variables = readVariables(readFileSync(join(folder, 'node.env.example'), 'utf8').split('\n'));
  const named = [...command.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => variables[name] === undefined)).toEqual([]);
  expect(command).toContain('--store-key-file %d/store-key');
  expect(Object.keys(variables)).not.toContain('MPC_NODE_STORE_KEY');
});
