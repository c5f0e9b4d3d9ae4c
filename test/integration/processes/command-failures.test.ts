// Goal: a command that fails says in one sentence what an operator has to change, and shows neither a statement nor a
// secret. Method: the built commands as processes, each with one thing wrong, on real PostgreSQL.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { startPostgres } from '../../../src/local/postgres/postgres.ts';
import { runCommand } from '../../../src/local/processes/service-processes.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';

const KEY_ENCRYPTION_KEY = randomBytes(32).toString('hex');
let database: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  [database, empty] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
});
afterAll(() => Promise.all([database.drop(), empty.drop()]));

async function failureOf(command: string, args: string[], environment: Record<string, string>): Promise<string> {
  const context = {
    dist: resolve(import.meta.dirname, '../../../dist'),
    logDirectory: '/dev/null',
    environment: { PATH: process.env['PATH'], KEY_ENCRYPTION_KEY, ...environment },
    onStart: () => {},
  };
  const failure = await runCommand(context, command, args).then(
    (said) => new Error(`it went well: ${said}`),
    (error: Error) => error,
  );
  expect(failure.message).not.toMatch(/Failed query|select |insert |params|it went well/i);
  return failure.message;
}

/** Another name, password or database in the address. */
function changed(url: string, change: Partial<Record<'username' | 'password' | 'pathname', string>>): string {
  return Object.assign(new URL(url), change).href;
}

describe('migrate', () => {
  test.each<[string, () => string, RegExp]>([
    ['with a wrong password', () => changed(database.url, { password: 'hunter2' }), /refuses this login/],
    [
      'of a database that is not there',
      () => changed(database.url, { pathname: '/nowhere' }),
      /no database of this name/,
    ],
    ['where nothing listens', () => 'postgres://u:hunter2@127.0.0.1:1/x', /no database answers there/],
    ['with TLS, which the server has not', () => `${database.url}?sslmode=require`, /offers no TLS/],
    ['as the login of the service', () => database.serviceUrl ?? '', /this login may not do that/],
  ])('%s', async (_name, url, sentence) => {
    const said = await failureOf('migrate', [], { DATABASE_URL: url() });
    expect(said).toMatch(/DATABASE_URL: /);
    expect(said).toMatch(sentence);
    expect(said).not.toContain('hunter2');
  });
});

test('migrate by a login that may not make roles says which one is wanting, and ends with an error', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-role-'));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  const postgres = await startPostgres({ directory: join(directory, 'postgres'), fast: true, onStart: () => {} });
  try {
    const owner = connectDatabase(postgres.url('postgres'), { poolSize: 1, name: 'test-command-failures' });
    await owner.db.execute(sql`create role plain login password 'hunter2'`);
    await owner.db.execute(sql`create database plain owner plain`);
    await owner.close();
    const DATABASE_URL = changed(postgres.url('plain'), { username: 'plain', password: 'hunter2' });
    const said = await failureOf('migrate', [], { DATABASE_URL });
    expect(said).toMatch(/The role countersign_app is missing, and this login may not make it: .*CREATE ROLE/s);
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});

describe('a command for findings', () => {
  test.each(['audit-findings', 'outflows'])('%s on a database without tables names migrate', async (command) => {
    expect(await failureOf(command, ['list'], { DATABASE_URL: empty.url })).toMatch(/run `npm run migrate` first/);
  });

  test('audit-findings, as the login of the service, may not resolve', async () => {
    const connection = connectDatabase(database.url, { poolSize: 1, name: 'test-command-failures' });
    const id = '01a20d19-6027-70a5-b467-fbc7802751d6';
    await connection.db.execute(
      sql`insert into set_back_rows (workspace_id, kind, row_id, expected_version, found_version) values (${id}, 'api_key', ${id}, 2, 1)`,
    );
    await connection.close();
    const args = ['resolve', `${id}/api_key/${id}/2/1`, '--note', 'hunter2'];
    const said = await failureOf('audit-findings', args, { DATABASE_URL: database.serviceUrl ?? '' });
    expect(said).toMatch(/this login may not do that/);
    expect(said).not.toContain('hunter2');
  });
});
