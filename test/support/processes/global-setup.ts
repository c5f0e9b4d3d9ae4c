// Once a test run: one PostgreSQL with a migrated template database, one Temporal development server and a built dist/,
// in a temporary folder on free ports. Ends them by pid, also when the run is killed. Vitest calls it only when a
// selected test belongs to the project "served".
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { provideServiceLogin } from '../../../drizzle/database/service-login.ts';
import { migrateDatabase } from '../../../drizzle/migrate.ts';
import { startPostgres } from '../../../src/local/postgres/postgres.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { startTemporal } from '../../../src/local/temporal/temporal.ts';
import { findTemporal } from '../../../src/local/temporal/temporal-binary.ts';
import { stopWhenKilled } from './stop-when-killed.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server's address with {database} in the place of the name. */
    postgresUrl: string;
    /** The same for the login of the service. */
    servicePostgresUrl: string;
    temporalAddress: string;
  }
}

const root = resolve(import.meta.dirname, '../../..');

export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  const watch = (part: Part) => stopWhenKilled(part, directory);
  const [postgres, temporal] = await Promise.all([
    servePostgres(directory, watch),
    serveTemporal(directory, watch),
    promisify(execFile)(process.execPath, [join(root, 'scripts/build.mjs')]),
  ]);
  const login = { name: 'countersign_service', password: randomBytes(16).toString('hex') };
  await provideServiceLogin(postgres.url('countersign'), login);
  project.provide('postgresUrl', postgres.url('{database}'));
  project.provide(
    'servicePostgresUrl',
    postgres.url('{database}').replace(/\/\/.*@/, `//${login.name}:${login.password}@`),
  );
  project.provide('temporalAddress', temporal.address);
  return async () => {
    postgres.kill('SIGQUIT'); // nothing here is worth flushing
    temporal.kill('SIGKILL');
    await Promise.all([postgres.exited, temporal.exited]);
    rmSync(directory, { recursive: true, force: true });
  };
}

type OnStart = (part: Part) => void;

async function servePostgres(directory: string, onStart: OnStart) {
  const postgres = await startPostgres({ directory: join(directory, 'postgres'), fast: true, onStart });
  await migrateDatabase(postgres.url('countersign'));
  return postgres;
}

async function serveTemporal(directory: string, onStart: OnStart) {
  const binary = await findTemporal(join(root, '.local'), {
    report: console.log,
    signal: new AbortController().signal,
  });
  return startTemporal({ binary, directory: join(directory, 'temporal'), onStart });
}
