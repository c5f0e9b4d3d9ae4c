// When what an operator does again and again was done last: backups, by the operator's word, and refreshes of all keys
// of a cluster, by the worker's. Only the age is of use, so that nobody forgets it.
import { sql } from 'drizzle-orm';
import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '../database/columns.ts';
import type { Database } from '../database/connection.ts';
import { arrayOf } from '../database/page.ts';

export const maintenance = pgTable(
  'maintenance',
  {
    kind: text('kind', { enum: ['backup', 'refresh'] }).notNull(),
    /** Of a backup what it is of, of a refresh the name of the cluster. */
    subject: text('subject').notNull(),
    doneAt: moment('done_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subject] })],
);

/** Of one that is older than what is recorded nothing is kept. */
export async function recordBackup(db: Database, subject: string, doneAt: Date): Promise<void> {
  await db
    .insert(maintenance)
    .values({ kind: 'backup', subject, doneAt })
    .onConflictDoUpdate({
      target: [maintenance.kind, maintenance.subject],
      set: { doneAt: sql`greatest(${maintenance.doneAt}, excluded.done_at)` },
    });
}

/** Every key of these clusters has new shares. */
export async function recordRefresh(db: Database, clusters: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into ${maintenance} (kind, subject, done_at)
    select 'refresh', cluster, now() from unnest(${arrayOf('text', clusters)}) as cluster
    on conflict (kind, subject) do update set done_at = excluded.done_at`);
}

/** A cluster that is seen for the first time has new shares, as far as anybody knows. */
export async function expectRefreshes(db: Database, clusters: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into ${maintenance} (kind, subject, done_at)
    select 'refresh', cluster, now() from unnest(${arrayOf('text', clusters)}) as cluster
    on conflict do nothing`);
}
