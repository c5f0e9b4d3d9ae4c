// Which version the tables have, and which programs may run on them. A version is the number of a migration. `migrate`
// writes the row; API and workers read it when they start and while they run, and the login of the service may not
// change it.
import { integer, pgTable, smallint } from 'drizzle-orm/pg-core';
import type { Database } from './connection.ts';
import { failureCode } from './failure-code.ts';

/** The number of the newest migration, which is that of this program. */
export const SCHEMA_VERSION = 45;

/**
 * One row. A migration after which programs of before cannot go on raises `oldest_program` itself, to the first version
 * that can.
 */
export const schemaVersion = pgTable('schema_version', {
  id: smallint('id').primaryKey().default(1),
  version: integer('version').notNull(),
  oldestProgram: integer('oldest_program').notNull(),
});

export interface TablesVersion {
  version: number;
  oldestProgram: number;
}

const NO_TABLE = '42P01';

/** Undefined where the tables are from before they had a version, or there are none. */
export async function findTablesVersion(db: Database): Promise<TablesVersion | undefined> {
  try {
    const [row] = await db.select().from(schemaVersion);
    return row;
  } catch (error) {
    if (failureCode(error) === NO_TABLE) return undefined;
    throw error;
  }
}

/** One sentence about why this program must not run on these tables; undefined when it may. */
export function describeMisfit(tables: TablesVersion | undefined, program = SCHEMA_VERSION): string | undefined {
  if (tables === undefined || tables.version < program) {
    const are = tables === undefined ? 'have no version' : `are of version ${tables.version}`;
    return (
      `The tables of the database ${are}; this program needs version ${program}: run \`npm run migrate\` of this program as the ` +
      'owner of the database, then start it again.'
    );
  }
  if (tables.oldestProgram <= program) return undefined;
  return (
    `This program is of version ${program}, and the tables of the database are of version ${tables.version}, on which ` +
    `no program before version ${tables.oldestProgram} may run: start the version that migrated them, or a later one ` +
    '(docs/upgrading.md).'
  );
}
