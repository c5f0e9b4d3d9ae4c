// Goal: a row that an event recorded is read back as the table has it, to the last digit of an amount and the
// millisecond of a moment, whatever the connection's time zone; bytes are never recorded. Method: a table with each
// kind of column that ours have, rows at the limits and at random, read both ways.
import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordedResource } from '../../../domain/events/event-data.ts';
import { baseUnits, bytes, moment } from '../../../drizzle/database/columns.ts';
import { connectDatabase, type DatabaseConnection } from '../../../drizzle/database/connection.ts';
import { recordedReader, rowAsJson } from '../../../drizzle/events/recorded-rows.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';

const samples = pgTable('samples', {
  id: uuid('id').primaryKey(),
  amount: baseUnits('amount'),
  decimals: smallint('decimals').notNull(),
  block: bigint('block', { mode: 'number' }),
  count: integer('count').notNull(),
  words: text('words'),
  names: text('names').array().notNull(),
  walletIds: uuid('wallet_ids').array().notNull(),
  reasons: jsonb('reasons').$type<readonly string[]>(),
  isOpen: boolean('is_open').notNull(),
  at: moment('at'),
});
const { id, amount, decimals, block, count, words, names, walletIds, reasons, isOpen, at } = samples;
const columns = { id, amount, decimals, block, count, words, names, walletIds, reasons, isOpen, at };

let database: TestDatabase;
let connection: DatabaseConnection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase(database.url, { poolSize: 1, name: 'test-recorded-rows' });
  await connection.db.execute(sql`create table samples (id uuid primary key, amount numeric(78), decimals smallint not null,
    block bigint, count integer not null, words text, names text[] not null, wallet_ids uuid[] not null, reasons jsonb,
    is_open boolean not null, at timestamp (3) with time zone)`);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

const chance = (): boolean => Math.random() < 0.5;
const digits = (length: number): string => Array.from({ length }, () => Math.floor(Math.random() * 10)).join('');
const oneOf = <Value>(...values: Value[]): Value => values[Math.floor(Math.random() * values.length)] as Value;

const sample = (_: unknown, index: number): typeof samples.$inferInsert => ({
  id: uuidv7(),
  amount: oneOf(null, 0n, 2n ** 256n - 1n, BigInt(`1${digits(index % 77)}`)),
  decimals: index % 19,
  block: oneOf(null, 0, Number.MAX_SAFE_INTEGER),
  count: oneOf(0, -1, 2 ** 31 - 1),
  words: oneOf(null, '', '12', 'null', '{"a": 1}', "née “Ωmega” \\ ' \n"),
  names: oneOf([], ['a,b', '"', '{}', 'null', '']),
  walletIds: chance() ? [] : [uuidv7(), uuidv7()],
  reasons: oneOf(null, [], ['A reason.', '7']),
  isOpen: chance(),
  at: oneOf(null, new Date(0), new Date('2026-11-30T23:59:59.999Z'), new Date(Date.now() - 1_000_000 * index)),
});

test.each(['UTC', 'Asia/Kathmandu', 'America/St_Johns'])('as it is selected, in %s', async (zone) => {
  const { db } = connection;
  await db.execute(sql`set time zone ${sql.raw(`'${zone}'`)}`);
  const inserted = await db
    .insert(samples)
    .values(Array.from({ length: 300 }, sample))
    .returning({ ...columns, recorded: sql<RecordedResource>`${rowAsJson({ ...columns, more: sql`'fact'` })}` });
  for (const { recorded, ...row } of inserted) {
    expect(recordedReader(columns)(recorded)).toEqual(row);
    expect(recordedReader({ more: sql<string>`unused` })(recorded).more).toBe('fact');
  }
});

test('a column that the process did not know which recorded the row is null', () => {
  expect(recordedReader({ id, amount, at })({ id: 'x' })).toEqual({ id: 'x', amount: null, at: null });
});

test('bytes are refused', () => {
  const secrets = pgTable('secrets', { secret: bytes('secret') });
  expect(() => rowAsJson({ secret: secrets.secret })).toThrow('the column secret is never recorded in an event');
});
