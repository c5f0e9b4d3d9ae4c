// A database of its own for a test file, cloned from the migrated template in some 60 ms. Shared by nobody, dropped at
// the end.
import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { inject } from 'vitest';

export type TestDatabase = {
  url: string;
  /** For the login of the service, which cannot change what is only added to. */
  serviceUrl?: string;
  drop(): Promise<void>;
};

const TEMPLATE = 'countersign';
const IDENTIFIER = /^[a-z_][a-z0-9_]*$/;

export const createTestDatabase = (): Promise<TestDatabase> =>
  createDatabase(`template ${TEMPLATE} strategy file_copy`);

/** Without a table, for who tries migrations. */
export const createEmptyDatabase = () => createDatabase('');

async function createDatabase(like: string) {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} ${like}`);
  const serviceUrl = inject('servicePostgresUrl').replace('{database}', name);
  return { url: urlOf(name), serviceUrl, drop: () => administer(`drop database if exists ${name} with (force)`) };
}

function urlOf(database: string): string {
  if (!IDENTIFIER.test(database)) throw new Error(`${database} is no plain identifier`);
  return inject('postgresUrl').replace('{database}', database);
}

async function administer(statement: string): Promise<void> {
  const sql = postgres(urlOf('postgres'), { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
