// Goal: whoever waits is told, however often the listening connection was lost before, also while its LISTEN was under
// way. Method: backends are terminated in a tight loop, most of them before LISTEN has answered; then a NOTIFY must be
// heard.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { listenForFinals } from '../../../drizzle/database/notifications.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';

const NAME = 'test-listener';
let database: TestDatabase;
let connection: DatabaseConnection;
let operator: DatabaseConnection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 2, name: NAME });
  operator = connectDatabase(database.url, { poolSize: 1, name: 'test-operator' });
});
afterAll(async () => {
  await connection.close();
  await operator.close();
  await database.drop();
});

const terminate = () =>
  operator.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${NAME}`);
const countListeners = async () =>
  (await operator.db.execute(sql`select pid from pg_stat_activity where application_name = ${NAME}`)).length;

test('heard again after a storm of losses, and everyone is woken then', async () => {
  const heard: string[] = [];
  let listening = 0;
  for (let index = 0; index < 8; index += 1)
    listenForFinals(connection.db, { onFinal: (id) => heard.push(id), onListening: () => (listening += 1) });
  const endMs = Date.now() + 4_000;
  while (Date.now() < endMs) await terminate();
  const before = listening;
  await expect.poll(() => listening - before, { timeout: 60_000 }).toBeGreaterThanOrEqual(8);
  expect(await countListeners()).toBe(8);
  await operator.db.execute(sql`select pg_notify('operations', 'the-one')`);
  await expect.poll(() => heard.filter((id) => id === 'the-one').length).toBe(8);
});

test('nobody listens any more once the database connection is closed, also when it is lost just then', async () => {
  await terminate();
  await connection.close();
  await sleep(1_500);
  expect(await countListeners()).toBe(0);
});
