// Whether the time that a refusal takes tells an unknown key from a known one, by hand: `npx tsx bench/auth-timing.ts`.
// The real authentication in this process on a real PostgreSQL; requests of the three kinds in random order, so that
// nothing else differs. Welch's t between two kinds must stay below 4.5.
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import Fastify, { type FastifyInstance } from 'fastify';
import { changeApiKey } from '../drizzle/api-keys/api-key-steps.ts';
import { apiKeys } from '../drizzle/api-keys/api-keys.ts';
import { connectDatabase, type Database } from '../drizzle/database/connection.ts';
import { migrateDatabase } from '../drizzle/migrate.ts';
import { Seals } from '../drizzle/seals/seals.ts';
import { installRefusals } from '../src/audit/record-refusals.ts';
import { RefusedAttempts } from '../src/audit/refused-attempts.ts';
import { installAuthentication } from '../src/authentication/authenticate.ts';
import { FailedAuthentications } from '../src/authentication/failed-authentications.ts';
import { generateApiKey } from '../src/authentication/generate-secrets.ts';
import { KeyRing } from '../src/authentication/key-ring.ts';
import { LastUses } from '../src/authentication/last-uses.ts';
import { RateLimit } from '../src/authentication/rate-limit.ts';
import { installRawBody } from '../src/authentication/raw-body.ts';
import { Connections } from '../src/authentication/unproven-connections.ts';
import { BodiesUnderWay } from '../src/authentication/unverified-bodies.ts';
import { createWorkspace } from '../src/commands/create-workspace.ts';
import { installErrorHandlers } from '../src/http/errors.ts';
import { RequestsUnderWay } from '../src/http/overload.ts';
import { startPostgres } from '../src/local/postgres/postgres.ts';

const SAMPLES = 25_000;
const WARM_UP_SAMPLES = 3_000;
const T_MAX = 4.5;
const PATH = '/api/v1/api-keys/self';

const kinds = ['unknown key', 'wrong signature', 'revoked key'] as const;
type Kind = (typeof kinds)[number];

const directory = mkdtempSync(join(tmpdir(), 'countersign-timing-'));
chmodSync(directory, 0o755); // as root, PostgreSQL runs as another user
const postgres = await startPostgres({ directory: join(directory, 'postgres'), fast: true });
try {
  const url = postgres.url('countersign');
  await migrateDatabase(url);
  const connection = connectDatabase(url, { poolSize: 1, name: 'countersign-timing' });
  const failed = await measure(connection.db);
  await connection.close();
  process.exitCode = failed ? 1 : 0;
} finally {
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function measure(db: Database): Promise<boolean> {
  const keyEncryptionKey = randomBytes(32).toString('hex');
  const usable = await createWorkspace(db, 'usable', keyEncryptionKey);
  const revoked = await createWorkspace(db, 'revoked', keyEncryptionKey);
  const sealing = { seals: new Seals([Buffer.from(keyEncryptionKey, 'hex')]), note: () => {} };
  const [row] = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.apiKey, revoked.apiKey));
  await db.transaction((tx) => changeApiKey(tx, sealing, row?.id ?? '', { revokedAt: new Date() }));
  const identifiers: Record<Kind, string> = {
    'unknown key': generateApiKey(),
    'wrong signature': usable.apiKey,
    'revoked key': revoked.apiKey,
  };
  const keys = [Buffer.from(keyEncryptionKey, 'hex')];
  const keyRing = new KeyRing(db, keys, new Seals(keys));
  const app = await buildAuthentication(db, keyRing);
  let failed = false;
  for (const [state, invalidate] of [
    ['remembered', false],
    ['first request', true],
  ] as const) {
    const times = await sample(app, identifiers, (apiKey) => invalidate && keyRing.invalidate(apiKey));
    for (const [one, other] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const t = welch(times[kinds[one]], times[kinds[other]]);
      failed ||= Math.abs(t) >= T_MAX;
      console.log(`${state}: ${kinds[one]} against ${kinds[other]}: t = ${t.toFixed(2)} (${SAMPLES} samples each)`);
    }
    for (const kind of kinds) console.log(`  ${kind}: median ${(median(times[kind]) * 1000).toFixed(1)} µs`);
  }
  await app.close();
  return failed;
}

async function buildAuthentication(db: Database, keyRing: KeyRing): Promise<FastifyInstance> {
  const app = Fastify();
  installErrorHandlers(app);
  const bodies = new BodiesUnderWay(0);
  installRawBody(app, bodies);
  const lastUses = new LastUses(db, { warn: () => {} });
  app.addHook('onClose', () => lastUses.close());
  const attempts = new RefusedAttempts(db, { warn: () => {} });
  app.addHook('onClose', () => attempts.close());
  installRefusals(app, attempts);
  installAuthentication(app, {
    keyRing,
    sessions: undefined,
    lastUses,
    rateLimit: new RateLimit(0),
    failures: new FailedAuthentications(0),
    underWay: new RequestsUnderWay(0, { waiting: 0 }),
    bodies,
    connections: new Connections(0),
  });
  app.get(PATH, { config: { rule: 'GET /api-keys/self' } }, async () => 'authenticated');
  await app.ready();
  return app;
}

async function sample(
  app: FastifyInstance,
  identifiers: Record<Kind, string>,
  prepare: (apiKey: string) => void,
): Promise<Record<Kind, number[]>> {
  const times: Record<Kind, number[]> = { 'unknown key': [], 'wrong signature': [], 'revoked key': [] };
  for (let round = 0; round < WARM_UP_SAMPLES + SAMPLES; round += 1)
    for (const kind of shuffled(kinds)) {
      const apiKey = identifiers[kind];
      prepare(apiKey);
      const headers = {
        'access-api-key': apiKey,
        'access-timestamp': String(Math.floor(Date.now() / 1000)),
        'access-sign': 'ab'.repeat(32),
      };
      const startedAt = performance.now();
      const { statusCode } = await app.inject({ method: 'GET', url: PATH, headers });
      const ms = performance.now() - startedAt;
      if (statusCode !== 401) throw new Error(`${kind} was answered ${statusCode}`);
      if (round >= WARM_UP_SAMPLES) times[kind].push(ms);
    }
  return times;
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/**
 * Of two samples whose variances may differ. The slowest hundredth of both is left out: a pause of the machine is no
 * signal.
 */
function welch(one: readonly number[], other: readonly number[]): number {
  const limit = quantile([...one, ...other], 0.99);
  const [a, b] = [one, other].map((times) => moments(times.filter((ms) => ms <= limit)));
  if (a === undefined || b === undefined) throw new Error('there are no samples');
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

function moments(times: readonly number[]) {
  const count = times.length;
  const mean = times.reduce((sum, ms) => sum + ms, 0) / count;
  const variance = times.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / (count - 1);
  return { count, mean, variance };
}

function median(times: readonly number[]): number {
  return quantile(times, 0.5);
}

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}
