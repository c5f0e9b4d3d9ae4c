// A PostgreSQL server of a test's own, which it may kill and start again. Unlike the one that test files share, it
// loses no commit by that.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateDatabase } from '../../../drizzle/migrate.ts';
import { type Postgres, startPostgres } from '../../../src/local/postgres/postgres.ts';
import { stopWhenKilled } from './stop-when-killed.ts';

export interface KillablePostgres {
  /** Migrated; the same after a restart. */
  url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const RESTART_TRIES_MAX = 20;

export async function startKillablePostgres(): Promise<KillablePostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  const start = (port?: number) =>
    startPostgres({
      directory: join(directory, 'postgres'),
      ...(port === undefined ? {} : { port }),
      onStart: (part) => stopWhenKilled(part, directory),
    });
  let server = await start();
  const { port } = server;
  const url = server.url('countersign');
  await migrateDatabase(url);
  /** Until the killed server's sessions have noticed, and let go of its memory. */
  const startAgain = async (): Promise<Postgres> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await start(port);
      } catch (error) {
        if (tries === RESTART_TRIES_MAX) throw error;
        await sleep(100);
      }
    }
  };
  const kill = async () => {
    server.kill('SIGKILL');
    await server.exited;
  };
  return {
    url,
    kill,
    restart: async () => {
      server = await startAgain();
    },
    stop: async () => {
      server.kill('SIGQUIT');
      await server.exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
