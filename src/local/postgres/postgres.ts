// Starts a PostgreSQL server of our own on the loopback interface, with its data in a folder that outlives it, and ends
// one that a killed starter left behind. Creates no tables; speaks to no database that it did not make.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeAtomically } from '../atomic-file.ts';
import { type Part, startPart, waitUntilReady } from '../processes/part.ts';
import { findFreePort } from '../processes/ports.ts';
import { commandLineOf, identifyProcess, stopProcess } from '../processes/process-identity.ts';
import { readOrMakeSecret } from '../secret-file.ts';
import { findPostgresBinaries, isReachableByAll, type PostgresBinaries } from './postgres-binaries.ts';

export type PostgresOptions = {
  directory: string;
  port?: number;
  logFile?: string;
  /** For tests: nothing is flushed to the disk. */
  fast?: boolean;
  /** In PEM. With it nobody is let in without TLS. */
  certificate?: { certificate: string; key: string };
  /** Called as soon as there is a process to stop. */
  onStart?: (part: Part) => void;
};
export type Postgres = Part & { port: number; url(database: string): string };

type Home = { data: string; password: string; binaries: PostgresBinaries; user?: { uid: number; gid: number } };

const USER = 'countersign';
/** PostgreSQL refuses to run as root: root's server runs as `nobody`. */
const NOBODY = { uid: 65534, gid: 65534 };
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const home = prepareHome(resolve(options.directory));
  await stopAbandonedServer(home);
  if (!existsSync(join(home.data, 'PG_VERSION'))) initialise(home, options.fast === true);

  const port = options.port ?? (await findFreePort());
  const part = await startPart({
    command: home.binaries.postgres,
    args: [
      '-D',
      home.data,
      '-p',
      String(port),
      ...settings(options.fast === true),
      ...protect(home, options.certificate),
    ],
    environment: ENVIRONMENT,
    logFile: options.logFile ?? join(resolve(options.directory), 'postgres.log'),
    stopSignal: 'SIGINT', // "fast": ends open sessions, then flushes
    ...(home.user && { user: home.user }),
  });
  options.onStart?.(part);
  await waitUntilReady(part, 60_000, () => (isServing(home.data, part.pid) ? true : undefined)).catch(
    (error: unknown) => {
      throw new Error(`PostgreSQL did not start, ${(error as Error).message} (log: ${part.logFile})`, { cause: error });
    },
  );
  return { ...part, port, url: (database) => `postgres://${USER}:${home.password}@127.0.0.1:${port}/${database}` };
}

function settings(fast: boolean): string[] {
  const values = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'log_min_error_statement=panic', // statements and row values stay out of the log
    'log_error_verbosity=terse',
    ...(fast ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=4GB'] : []),
  ];
  return values.flatMap((value) => ['-c', value]);
}

/** What the certificate needs lies among the data, since the server's user can read little else. */
function protect({ data, user }: Home, certificate: PostgresOptions['certificate']): string[] {
  if (certificate === undefined) return [];
  const files = {
    'server.crt': certificate.certificate,
    'server.key': certificate.key,
    'tls_hba.conf': 'hostssl all all 127.0.0.1/32 scram-sha-256\n',
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(data, name);
    writeAtomically(path, content, 0o600);
    if (user) chownSync(path, user.uid, user.gid);
  }
  const values = ['ssl=on', 'ssl_min_protocol_version=TLSv1.3', `hba_file=${join(data, 'tls_hba.conf')}`];
  return values.flatMap((value) => ['-c', value]);
}

/**
 * As root, data and programs must lie where `nobody` can walk to; under a private folder (mode 0700) they move to
 * /var/lib.
 */
function prepareHome(directory: string): Home {
  const isNew = !existsSync(directory);
  mkdirSync(directory, { recursive: true });
  const password = () => readOrMakeSecret(join(directory, 'password'), 'base64url');
  if (process.getuid?.() !== 0)
    return { data: join(directory, 'data'), password: password(), binaries: findPostgresBinaries() };

  let place = directory;
  if (!isReachableByAll(directory)) {
    place = join('/var/lib/countersign', createHash('sha256').update(directory).digest('hex').slice(0, 16));
    if (isNew) rmSync(place, { recursive: true, force: true }); // the project's folder was removed: so is what belongs to it
    mkdirSync(place, { recursive: true });
    writeFileSync(join(directory, 'data-moved-to.txt'), `${place}\n`);
  }
  return { data: join(place, 'data'), password: password(), binaries: findPostgresBinaries(place), user: NOBODY };
}

/** Into a folder beside, then renamed: an interrupted initdb leaves nothing that looks like a database. */
function initialise(home: Home, fast: boolean): void {
  const next = `${home.data}.next`;
  const passwordFile = join(dirname(home.data), 'password.initdb');
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { mode: 0o700 });
  writeFileSync(passwordFile, `${home.password}\n`, { mode: 0o600 });
  if (home.user) {
    chownSync(next, home.user.uid, home.user.gid);
    chownSync(passwordFile, home.user.uid, home.user.gid);
  }
  try {
    run(home, home.binaries.initdb, [
      '-D',
      next,
      '-U',
      USER,
      '--pwfile',
      passwordFile,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      ...(fast ? ['--no-sync'] : []),
    ]);
    run(home, home.binaries.postgres, ['--single', '-D', next, 'postgres'], `CREATE DATABASE ${USER}\n`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(next, home.data);
}

function run(home: Home, command: string, args: string[], input = ''): void {
  const result = spawnSync(command, args, { ...home.user, cwd: '/', env: ENVIRONMENT, input, encoding: 'utf8' });
  if (result.status === 0) return;
  throw new Error(`${command} failed: ${result.error?.message ?? result.stderr.trim()}`);
}

/**
 * `postmaster.pid` may name a pid that another program has by now: only a server of this very data folder is stopped.
 */
async function stopAbandonedServer(home: Home): Promise<void> {
  const lockFile = join(home.data, 'postmaster.pid');
  if (!existsSync(lockFile)) return;
  const identity = identifyProcess(Number(readFileSync(lockFile, 'utf8').split('\n')[0]));
  const isOurs = identity && commandLineOf(identity.pid)?.includes(` -D ${home.data} `);
  if (isOurs) await stopProcess(identity, 'SIGINT', 30_000);
  rmSync(lockFile, { force: true });
}

/** The server writes its state into the eighth line, as `pg_ctl -w` reads it. */
function isServing(data: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}
