// Goal: the embedded PostgreSQL keeps its data over restarts and recovers from a killed starter. Method: real servers
// in a temporary folder; the starter that dies is a child process of this test, killed with SIGKILL.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startPostgres } from '../../../src/local/postgres/postgres.ts';
import { identifyProcess } from '../../../src/local/processes/process-identity.ts';

let folder: string;
let directory: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
  chmodSync(folder, 0o755);
  directory = join(folder, 'postgres');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a second start finds the data of the first, and stopping leaves no process', async () => {
  const first = await startPostgres({ directory, fast: true });
  await query(first.url('countersign'), 'create table note (text text)');
  await query(first.url('countersign'), "insert into note values ('kept')");
  await first.stop();
  expect(identifyProcess(first.pid)).toBeUndefined();

  const second = await startPostgres({ directory, fast: true });
  expect(await query(second.url('countersign'), 'select text from note')).toEqual([{ text: 'kept' }]);
  await second.stop();
  expect(identifyProcess(second.pid)).toBeUndefined();
});

test('the password is random, for its owner only, asked for, and in no log or command line', async () => {
  const server = await startPostgres({ directory, fast: true });
  const password = readFileSync(join(directory, 'password'), 'utf8').trim();
  expect(password).toMatch(/^[\w-]{43}$/);
  expect(statSync(join(directory, 'password')).mode & 0o777).toBe(0o600);
  expect(server.output()).not.toContain(password);
  expect(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8')).not.toContain(password);
  await expect(query(server.url('countersign').replace(password, 'wrong'), 'select 1')).rejects.toThrow(/password/);
  await server.stop();
});

test('after SIGKILL of the starter the next start ends the orphan and serves the committed rows', async () => {
  const orphan = await startAndDie(directory);
  expect(identifyProcess(orphan.pid)).toBeDefined();

  const server = await startPostgres({ directory, fast: true });
  expect(identifyProcess(orphan.pid)).toBeUndefined();
  expect(await query(server.url('countersign'), 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
});

test('a postmaster.pid that names another program stops nothing', async () => {
  const first = await startPostgres({ directory, fast: true });
  await first.stop();
  const bystander = spawn('sleep', ['60']);
  writeFileSync(join(directory, 'data/postmaster.pid'), `${bystander.pid}\n${directory}/data\n`);

  const second = await startPostgres({ directory, fast: true });
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  await second.stop();
  bystander.kill();
});

test('no server starts while a session of a killed one still works: two would write the same files', async () => {
  const killed = await startPostgres({ directory, fast: true });
  const session = postgres(killed.url('countersign'), { max: 1, onnotice: () => {}, onclose: () => {} });
  const [row] = await session`select pg_backend_pid() as pid`;
  const pid = (row as unknown as { pid: number }).pid;
  const busy = session`select count(*) from generate_series(1, 1e12::bigint)`.catch((error: Error) => error);
  await expect.poll(() => isBusy(pid)).toBe(true);
  killed.kill('SIGKILL');
  await killed.exited;
  const again = startPostgres({ directory, fast: true });
  await expect(again).rejects.toThrow(/PostgreSQL did not start/);
  expect(readFileSync(join(directory, 'postgres.log'), 'utf8')).toContain('pre-existing shared memory block');
  expect(identifyProcess(pid)).toBeDefined();

  process.kill(pid, 'SIGKILL');
  expect(await busy).toBeInstanceOf(Error);
  await session.end({ timeout: 0 });
  await expect.poll(() => identifyProcess(pid)).toBeUndefined();
  const server = await startPostgres({ directory, fast: true });
  expect(await query(server.url('countersign'), 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
});

test('a taken port is refused with a sentence', async () => {
  const first = await startPostgres({ directory, fast: true });
  const other = startPostgres({ directory: join(folder, 'other'), port: first.port, fast: true });
  await expect(other).rejects.toThrow(/PostgreSQL did not start.*log: /s);
  await first.stop();
});

/** Whether it is running, as Linux sees it: it has begun its statement. */
const isBusy = (pid: number): boolean => / R /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

async function query(url: string, statement: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, connect_timeout: 5 });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.end();
  }
}

async function startAndDie(target: string): Promise<{ pid: number }> {
  const source = join(import.meta.dirname, '../../../src/local/postgres/postgres.ts');
  const script = `const { startPostgres } = await import(${JSON.stringify(source)});
    const { pid } = await startPostgres({ directory: ${JSON.stringify(target)}, fast: true });
    process.stdout.write(String(pid), () => process.kill(process.pid, 'SIGKILL'));`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const signal = await new Promise((resolve) => child.once('close', (_code, how) => resolve(how)));
  expect(signal).toBe('SIGKILL');
  return { pid: Number(output) };
}
