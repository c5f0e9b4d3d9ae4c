// Goal: while processes of the former version run beside new ones, and while the database is migrated under them, what
// each commits is started by either under one id, and no operation is closed because its workflow was looked for under
// the wrong id. The former version knows bare ids alone, in a column of the type uuid. Method: its statements as they
// were, as the login of the service, prepared on connections that outlive the migration.
import { sql } from 'drizzle-orm';
import { migrate } from 'drizzle-orm/postgres-js/migrator';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { connectDatabase, type Database, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { migrateDatabase } from '../../../drizzle/migrate.ts';
import { listOpenOperations } from '../../../drizzle/operations/open-operations.ts';
import { wakeOverdueWebhooks } from '../../../drizzle/webhooks/webhook-deliveries.ts';
import { insertOutboxEntry, listOverdueOutboxEntries } from '../../../drizzle/writes/workflow-outbox.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { formerMigrations } from '../../support/rows/former-migrations.ts';

/** The last migration of the former version. */
const { folder, remove } = formerMigrations('0029_reasons_shortages_fees');
afterAll(remove);

let database: TestDatabase & { serviceUrl: string };
let connections: DatabaseConnection[];
/** A process of the former version, and one of this. */
let old: Database;
let present: Database;
let workspaceId: string;
let walletId: string;
let webhookId: string;
beforeEach(async () => {
  database = await createEmptyDatabase();
  const owner = connectDatabase(database.url, { poolSize: 1, name: 'test-owner' });
  await migrate(owner.db, { migrationsFolder: folder });
  await owner.db.execute(sql`select grant_service_rights()`);
  const service = () => connectDatabase(database.serviceUrl, { poolSize: 1, name: 'test-service' });
  connections = [owner, service(), service()];
  [, old, present] = connections.map(({ db }) => db) as [Database, Database, Database];
  [workspaceId, walletId, webhookId] = [uuidv7(), uuidv7(), uuidv7()];
  await old.execute(sql`insert into workspaces (id, name) values (${workspaceId}, 'former')`);
  await old.execute(
    sql`insert into wallets (id, workspace_id, name, wallet_type) values (${walletId}, ${workspaceId}, 'former', 'mpc')`,
  );
  await old.execute(sql`insert into webhooks (id, workspace_id, url, events, encrypted_secret)
    values (${webhookId}, ${workspaceId}, 'https://receiver.example', '{}', '')`);
  return async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await database.drop();
  };
});

const former = {
  accept: (db: Database, id: string) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`insert into signing_requests (id, workspace_id, wallet_id, operation_type,
          network_internal_code, key_type, signing_hash, unsigned_tx, derivation_path)
        values (${id}, ${workspaceId}, ${walletId}, 'generic', 'ETHEREUM_SANDBOX', 'secp256k1', '0x', '0x', 'm')`);
      const input = JSON.stringify({ signingId: id, workspaceId });
      await tx.execute(sql`insert into outbox (id, workflow, workflow_id, input)
        values (default, 'sign', ${id}, ${input}::text::jsonb) returning id`);
    }),
  overdue: async (db: Database): Promise<string[]> => {
    const rows = await db.execute<{ workflow_id: string }>(
      sql`select id, workflow, workflow_id, input from outbox order by id`,
    );
    return rows.map(({ workflow_id }) => workflow_id);
  },
  wake: (db: Database) =>
    db.transaction((tx) =>
      tx.execute<{ workflow_id: string }>(sql`insert into outbox (workflow, workflow_id, input, signal)
        select 'deliverWebhooks', webhooks.id,
          jsonb_build_object('webhookId', webhooks.id, 'workspaceId', webhooks.workspace_id), 'changed'
        from webhooks returning id, workflow_id, input`),
    ),
  open: (db: Database) =>
    db.execute(sql`select id from signing_requests where status in ('pending', 'submitted')
      and not exists (select id from outbox where outbox.workflow_id = signing_requests.id) order by id`),
};

const overdue = async () =>
  (await listOverdueOutboxEntries(present, { olderThanMs: -1_000, limit: 100 })).map(({ workflowId }) => workflowId);
const open = () => listOpenOperations(present, 'signing_request', { openForMs: -1_000, afterId: walletId, limit: 100 });

test('what the former version commits, before and after, is started under its bare id by both', async () => {
  const [before, after] = [uuidv7(), uuidv7()];
  await former.accept(old, before);
  expect(await former.overdue(old)).toEqual([before]);
  await former.wake(old);
  await migrateDatabase(database.url);
  await former.accept(old, after);
  const expected = [before, webhookId, after];
  expect(await former.overdue(old)).toEqual(expected);
  expect((await overdue()).toSorted()).toEqual(expected.toSorted());
  // Whoever wakes meets a changed column once, and again a second later.
  await former.wake(old).catch(() => {});
  expect((await former.wake(old)).map(({ workflow_id }) => workflow_id)).toEqual([webhookId]);
  expect(await open()).toEqual([]);
  await present.execute(sql`delete from outbox`);
  expect(await open()).toEqual([before, after].map((id) => ({ id, workflowId: id })));
  await present.execute(sql`insert into events (id, workspace_id, seq, type, data, created_at)
    values (${after}, ${workspaceId}, 1, 'wallet.frozen', '{}', now())`);
  await present.execute(sql`insert into webhook_deliveries (id, webhook_id, event_id, event_type, event_seq, next_attempt_at)
    values (${after}, ${webhookId}, ${after}, 'wallet.frozen', 1, now() - interval '1 hour')`);
  expect(await wakeOverdueWebhooks(present, 1_000, 10)).toMatchObject([{ workflowId: webhookId }]);
});

test('what this version commits is started by the former one too, under the id that carries the type', async () => {
  await migrateDatabase(database.url);
  const workflowId = workflowIdOf('createWallet', walletId);
  const entry = { workflow: 'createWallet', workflowId, input: { walletId, workspaceId } } as const;
  await present.transaction((tx) => insertOutboxEntry(tx, entry));
  expect(await former.overdue(old)).toEqual([workflowId]);
});

test('the former search for orphaned operations fails from the migration on, and so closes nothing', async () => {
  const id = uuidv7();
  await former.accept(old, id);
  await old.execute(sql`delete from outbox`);
  expect(await former.open(old)).toEqual([{ id }]);
  await migrateDatabase(database.url);
  await expect(former.open(old)).rejects.toThrow();
  await expect(former.open(old)).rejects.toMatchObject({ cause: { message: expect.stringMatching(/text = uuid/) } });
});
