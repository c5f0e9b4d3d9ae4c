// Which life of the database this is. A backup that was restored, a standby that took over and a server that was
// started again are another life than the one before, and the first two may know less than was done.
import { sql } from 'drizzle-orm';
import type { Database } from './connection.ts';

/** The same as long as one server serves this database without a restart. */
export async function readDatabaseLife(db: Database): Promise<string> {
  const rows = await db.execute<{ life: string }>(
    sql`select oid || ' ' || pg_postmaster_start_time() as life from pg_database where datname = current_database()`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database does not know itself');
  return row.life;
}
