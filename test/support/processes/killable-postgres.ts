// A PostgreSQL server of a test's own, which it may kill and start again. Unlike the one that test files share, it
// loses no commit by that.
import { execFileSync } from 'node:child_process';
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
  /** A copy of its files as they stand, for which it is stopped and started again. */
  backUp(): Promise<void>;
  /** Puts the copy in the place of what is there; it is down before, and up afterwards. */
  restoreBackup(): Promise<void>;
  stop(): Promise<void>;
}

const RESTART_TRIES_MAX = 20;

/** With the owner that PostgreSQL asks for. */
const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

export async function startKillablePostgres(): Promise<KillablePostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
  chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
  const files = join(directory, 'postgres');
  const backup = join(directory, 'backup');
  const start = (port?: number) =>
    startPostgres({
      directory: files,
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
    backUp: async () => {
      server.kill('SIGINT');
      await server.exited;
      copy(files, backup);
      server = await startAgain();
    },
    restoreBackup: async () => {
      rmSync(files, { recursive: true });
      copy(backup, files);
      server = await startAgain();
    },
    stop: async () => {
      server.kill('SIGQUIT');
      await server.exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
