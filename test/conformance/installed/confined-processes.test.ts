// Goal: what the units forbid is nothing that the processes need. Method: API and node start with the address families
// of their units, which a filter of system calls enforces as systemd's does, on every address of the machine. Neither
// database nor Temporal is there: who waits for them does.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildNode } from '../../support/cluster/cluster.ts';
import { BUILT_WITHIN_MS, buildGoProgram } from '../../support/processes/go-program.ts';
import { readService } from './unit-files.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

let confine: string;
let directory: string;
beforeAll(async () => {
  await execute(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root });
  directory = mkdtempSync(join(tmpdir(), 'countersign-confined-'));
  confine = await buildGoProgram(join(root, '.local'), {
    name: 'address-families',
    modules: { 'golang.org/x/sys': 'v0.37.0' },
    package: { source: readFileSync(join(import.meta.dirname, 'go/address-families.go'), 'utf8') },
  });
}, BUILT_WITHIN_MS);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const familiesOf = (unit: string) =>
  readService(join(root, 'deploy/systemd', unit))
    .get('RestrictAddressFamilies')
    ?.join(' ') ?? '';

/** What it says until it says `wanted`, or ends. */
async function start(families: string, command: readonly string[], environment: object, wanted: string) {
  const child = spawn(confine, [families, ...command], { cwd: root, env: { ...environment } });
  let said = '';
  const ended = once(child, 'exit');
  const ready = new Promise<void>((done) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes(wanted)) done();
      });
  });
  await Promise.race([ready, ended]);
  child.kill('SIGKILL');
  await ended;
  return said;
}

function startApi(families: string): Promise<string> {
  const key = join(directory, 'key');
  writeFileSync(key, Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)).toString('hex'));
  const environment = {
    SERVICE_ENV: 'production',
    HOST: '0.0.0.0',
    PORT: '0',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    DATABASE_URL: 'postgres://service:example@127.0.0.1:1/countersign',
    KEY_ENCRYPTION_KEY_FILE: key,
  };
  return start(families, [process.execPath, 'dist/server.js'], environment, 'server listening');
}

test('an API listens on every address', async () => {
  const families = familiesOf('countersign-api.service');
  expect(await startApi(families)).toContain('server listening');
  // The filter is one: without what lists the addresses of the machine it could not.
  expect(await startApi(families.replace('AF_NETLINK', ''))).toContain('uv_interface_addresses');
});

test('a node listens on every address', async () => {
  const program = await buildNode();
  const place = (index: number) => [
    '--dir',
    join(directory, `${index}`),
    '--store-key-file',
    join(directory, 'keys', `${index}`),
  ];
  const run = async (...args: string[]) => JSON.parse((await execute(program, args)).stdout) as object;
  mkdirSync(join(directory, 'keys'));
  const nodes = await Promise.all([1, 2].map((index) => run('init', '--index', `${index}`, ...place(index))));
  const orchestrator = await run('init-orchestrator', '--dir', join(directory, 'orchestrator'));
  const enrolment = await run('init-enrolment', '--dir', join(directory, 'enrolment'));
  const cluster = join(directory, 'cluster.json');
  writeFileSync(cluster, JSON.stringify({ threshold: 2, nodes, orchestrator, ...enrolment }));
  const served = ['serve', '--index', '1', '--cluster', cluster, '--listen', '0.0.0.0:0', '--observe', '127.0.0.1:0'];
  const families = familiesOf('mpc-node@.service');
  expect(await start(families, [program, ...served, ...place(1)], {}, 'ready ')).toMatch(/^ready 0\.0\.0\.0:\d+\n/);
});
