// Goal: an answer never denies what was stored, and one request gives way to another without a 500. Method: a proxy
// before PostgreSQL swallows the answer of COMMIT and cuts the connection; a trigger raises what PostgreSQL raises when
// it breaks a tie.
import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { buildApp } from '../../../src/app.ts';
import { type Credentials, signRequest } from '../../../src/client/sign-request.ts';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { temporalClient } from '../../../src/process/temporal.ts';
import { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';

const PATH = '/api/v1/wallets';

let database: TestDatabase;
let direct: DatabaseConnection;
let proxied: DatabaseConnection;
let app: FastifyInstance;
let admin: Credentials;
let proxy: Server;
const sockets = new Set<Socket>();
let swallowsCommit = false;

beforeAll(async () => {
  database = await createTestDatabase();
  direct = connectDatabase(database.url, { poolSize: 1, name: 'test-direct' });
  proxy = await startProxy(new URL(database.url));
  const url = new URL(database.url);
  url.port = String((proxy.address() as AddressInfo).port);
  proxied = connectDatabase(url.href, { poolSize: 2, name: 'test-proxied' });
  const keyEncryptionKey = randomBytes(32).toString('hex');
  admin = await createWorkspace(direct.db, 'test', keyEncryptionKey);
  const temporal = testTemporal('lost-commit');
  const client = temporalClient(temporal);
  const { db } = proxied;
  const starter = new WorkflowStarter({ client, taskQueue: temporal.taskQueue, db, log: { warn: () => {} } });
  const settings = { keyEncryptionKeys: [keyEncryptionKey], signRawEnabled: true, logLevel: 'silent' };
  app = await buildApp({ db, client, starter, settings });
  app.addHook('onClose', () => client.connection.close());
});
afterAll(async () => {
  await app.close();
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await proxied.close();
  await direct.close();
  await database.drop();
});
beforeEach(() => direct.db.execute(sql`truncate wallets cascade`).then(() => {}));

/** Passes everything on; once `swallowsCommit`, the answer of the next COMMIT is lost together with its connection. */
async function startProxy({ hostname, port }: URL): Promise<Server> {
  const server = createServer((caller) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [caller, upstream]) sockets.add(socket.on('error', () => {}));
    caller.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (!swallowsCommit || !bytes.includes('COMMIT\0')) return caller.write(bytes);
      swallowsCommit = false;
      return caller.resetAndDestroy();
    });
    caller.on('close', () => upstream.destroy());
    upstream.on('close', () => caller.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function makeWallet(name: string, idempotencyKey?: string, at = app) {
  const body = JSON.stringify({ name, wallet_type: 'mpc' });
  const headers = {
    ...signRequest(admin, { method: 'POST', path: PATH, body }, Math.floor(Date.now() / 1000)),
    'content-type': 'application/json',
    ...(idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyKey }),
  };
  return at.inject({ method: 'POST', url: PATH, headers, payload: body });
}

const stored = async () => (await direct.db.select({ id: wallets.id }).from(wallets)).map(({ id }) => id);

test('503 says that nobody knows, and the same idempotency key finds what was stored', async () => {
  swallowsCommit = true;
  const lost = await makeWallet('known', 'order-1');
  expect(lost.statusCode).toBe(503);
  expect(lost.json()).toMatchObject({ code: 'dependency_unavailable', data: null });
  expect(lost.json().message).toContain('not known whether this was stored');
  expect(lost.json().message).toContain('the same X-Idempotency-Key');
  const [id] = await stored();
  const repeated = await makeWallet('known', 'order-1');
  expect(repeated.json()).toMatchObject({ success: true, data: { wallet_id: id } });
  expect(await stored()).toEqual([id]);
});

test('503 without an idempotency key tells to look first', async () => {
  swallowsCommit = true;
  const lost = await makeWallet('unknown');
  expect(lost.statusCode).toBe(503);
  expect(lost.json().message).toContain('not known whether this was stored: look it up');
  expect(await stored()).toHaveLength(1);
});

test.each(['40P01', '40001'])(
  '503 and Retry-After when PostgreSQL breaks a tie with %s: nothing was stored',
  async (code) => {
    // From the second time on statements are prepared and sent together: those behind the failing one fail too.
    await Promise.all([1, 2, 3, 4].map((number) => makeWallet(`${number} before ${code}`)));
    await direct.db.execute(sql`truncate wallets cascade`);
    await direct.db.execute(
      sql.raw(`create function give_way() returns trigger language plpgsql as $$
      begin raise exception 'tie' using errcode = '${code}'; end $$`),
    );
    await direct.db.execute(sql`create trigger give_way before insert on wallets execute function give_way()`);
    try {
      const refused = await makeWallet(code);
      expect(refused.statusCode).toBe(503);
      expect(refused.headers['retry-after']).toBe('1');
      expect(refused.json()).toMatchObject({ code: 'dependency_unavailable', data: null });
      expect(refused.json().message).toContain('nothing was stored');
      expect(await stored()).toEqual([]);
    } finally {
      await direct.db.execute(sql`drop function give_way cascade`);
    }
  },
);

test('503 says that nothing was stored when the database could not be reached at all', async () => {
  const port = await new Promise<string>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const taken = String((server.address() as AddressInfo).port);
      server.close(() => resolve(taken));
    });
  });
  const url = new URL(database.url);
  url.port = port;
  const away = connectDatabase(url.href, { poolSize: 1, name: 'test-away' });
  const { db } = away;
  const temporal = testTemporal('away');
  const client = temporalClient(temporal);
  const starter = new WorkflowStarter({ client, taskQueue: temporal.taskQueue, db, log: { warn: () => {} } });
  const settings = { keyEncryptionKeys: ['ab'.repeat(32)], signRawEnabled: true, logLevel: 'silent' };
  const another = await buildApp({ db, client, starter, settings });
  const refused = await makeWallet('away', undefined, another);
  expect(refused.statusCode).toBe(503);
  expect(refused.json().message).toContain('nothing was stored');
  await another.close();
  await client.connection.close();
  await away.close();
});
