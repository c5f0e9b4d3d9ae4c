// The tables whose rows are sealed, and what an operator does to all of them: sealing what was written before there
// were seals, and sealing anew under another key-encryption key. A row whose seal is wrong is never sealed again: it is
// counted.
import { and, asc, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../database/connection.ts';
import type { SealedContent, SealedKind, Seals } from './seals.ts';

/** How the rows of one table are sealed. `Row` is what `db.select().from(table)` gives. */
export interface SealedTable<Row> {
  kind: SealedKind;
  table: PgTable;
  /** The primary key. */
  key: readonly PgColumn[];
  /** What is sealed beside the table's own columns, such as the workspace of a wallet; by the property of a row. */
  more?: Readonly<Record<string, SQL>>;
  /** The column with the seal, and its property in a row. */
  seal: PgColumn;
  sealOf: (row: Row) => string | null;
  /** Null for a row that has nothing to seal yet. */
  contentOf: (row: Row) => SealedContent | null;
  /**
   * Those that are to be sealed, or sealed anew under another key; all when absent. What has ended shall never go on,
   * so it gets none.
   */
  isDue?: (row: Row) => boolean;
}

/** One that hides its row's type, so that tables of all kinds stand in one list. */
export interface AnySealedTable {
  kind: SealedKind;
  /** Seals rows that have none; answers how many. */
  sealAll(db: Database, seals: Seals): Promise<number>;
  /** Seals anew what holds under an older key; answers how many, and the keys of rows whose seal does not hold. */
  resealAll(db: Database, seals: Seals): Promise<{ resealed: number; broken: string[] }>;
}

/** One for those who write and read its rows. */
export interface RowSeals<Row> extends AnySealedTable {
  /** Throws BrokenSealError, and reports it, when the row does not count. */
  assert(seals: Seals, row: Row): void;
  /** Whether the row counts. One that does not is reported. */
  counts(seals: Seals, row: Row): boolean;
  /** The same, and reports nothing. */
  holds(seals: Seals, row: Row): boolean;
}

const BATCH_ROWS = 500;

export function sealedTable<Row extends Record<string, unknown>>(sealed: SealedTable<Row>): RowSeals<Row> {
  return {
    kind: sealed.kind,
    assert(seals, row) {
      const content = sealed.contentOf(row);
      if (content !== null) seals.assert(sealed.kind, keyOf(sealed, row).join('/'), content, sealed.sealOf(row));
    },
    counts(seals, row) {
      const content = sealed.contentOf(row);
      return content === null || seals.counts(sealed.kind, keyOf(sealed, row).join('/'), content, sealed.sealOf(row));
    },
    holds(seals, row) {
      const content = sealed.contentOf(row);
      return content === null || seals.holds(sealed.kind, content, sealed.sealOf(row));
    },
    async sealAll(db, seals) {
      let count = 0;
      for await (const row of rowsOf(db, sealed, isNull(sealed.seal))) {
        const content = (sealed.isDue?.(row) ?? true) ? sealed.contentOf(row) : null;
        if (content !== null && (await replaceSeal(db, sealed, row, seals.seal(sealed.kind, content)))) count += 1;
      }
      return count;
    },
    async resealAll(db, seals) {
      let resealed = 0;
      const broken: string[] = [];
      for await (const row of rowsOf(db, sealed, undefined)) {
        const content = sealed.contentOf(row);
        const seal = sealed.sealOf(row);
        if (content === null || seals.isCurrent(sealed.kind, content, seal)) continue;
        if (sealed.isDue?.(row) === false) continue;
        if (!seals.holds(sealed.kind, content, seal)) broken.push(keyOf(sealed, row).join('/'));
        else if (await replaceSeal(db, sealed, row, seals.seal(sealed.kind, content))) resealed += 1;
      }
      return { resealed, broken };
    },
  };
}

/** Page after page, in the order of the primary key. */
async function* rowsOf<Row extends Record<string, unknown>>(
  db: Database,
  sealed: SealedTable<Row>,
  where: SQL | undefined,
): AsyncGenerator<Row> {
  const { table, key, more } = sealed;
  const columns = sql.join([...key], sql`, `);
  let after: SQL | undefined;
  for (;;) {
    const rows = (await db
      .select({ ...getTableColumns(table), ...more })
      .from(table)
      .where(and(where, after))
      .orderBy(...key.map((column) => asc(column)))
      .limit(BATCH_ROWS)) as Row[];
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_ROWS) return;
    const values = key.map((column, index) => sql.param(keyOf(sealed, last)[index], column));
    after = sql`(${columns}) > (${sql.join(values, sql`, `)})`;
  }
}

function keyOf<Row extends Record<string, unknown>>({ key, table }: SealedTable<Row>, row: Row): unknown[] {
  const properties = Object.entries(table as unknown as Record<string, PgColumn>);
  return key.map((column) => row[properties.find(([, other]) => other === column)?.[0] ?? '']);
}

/** By compare-and-set on the seal, so that a change meanwhile keeps the seal that it made. */
async function replaceSeal<Row extends Record<string, unknown>>(
  db: Database,
  sealed: SealedTable<Row>,
  row: Row,
  seal: string,
): Promise<boolean> {
  const { table, key } = sealed;
  const values = keyOf(sealed, row);
  const isRow = sql.join(
    key.map((column, index) => sql`${column} = ${sql.param(values[index], column)}`),
    sql` and `,
  );
  const replaced = await db.execute(
    sql`update ${table} set ${sql.identifier(sealed.seal.name)} = ${seal}
      where ${isRow} and ${sealed.seal} is not distinct from ${sealed.sealOf(row)} returning 1 as replaced`,
  );
  return replaced.length === 1;
}
