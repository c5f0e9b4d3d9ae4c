// Goal: a Parquet file says of every row just what its line of JSON says, in every type of column and however the text
// is cut; it is a file also without a row and with many row groups; and what cannot be one is refused. Method: lines as
// PostgreSQL writes them, with texts that are hard to keep; the files read by Apache Arrow's own reader.
import { expect, test } from 'vitest';
import { ParquetRows, TooManyRowsError } from '../../../activities/exports/parquet-rows.ts';
import { columnsOf } from '../../../domain/exports/export-columns.ts';
import { exportContents } from '../../../domain/exports/export-contents.ts';
import { readParquet } from '../../support/rows/read-parquet.ts';

const MANY = 1_000;
const SMALL_GROUPS = { groupTextBytes: 16 * 1024 };

const sample = {
  id: '0198c0de-0000-7000-8000-000000000001',
  text: 'ä 漢字 🙂 "quoted"\r\n\u0001 and \\n',
  enum: 'completed',
  amount: '115792089237316195423570985008687907853269984665640564039457.584007913129639935',
  json: '{"a":[1,"é"]}',
  integer: 9_007_199_254_740_991,
  boolean: false,
  moment: '2026-01-02T03:04:05.006Z',
} as const;

function makeFile(rows: ParquetRows, lines: string, pieceBytes = 1_000): Buffer {
  const text = Buffer.from(lines);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < text.length; at += pieceBytes) pieces.push(rows.take(text.subarray(at, at + pieceBytes)));
  return Buffer.concat([...pieces, rows.end()]);
}

const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

test.each(exportContents)('%s: every type of column, nothing, and what is not there', async (content) => {
  const columns = columnsOf(content);
  const full = Object.fromEntries(columns.map(({ name, type }) => [name, sample[type]]));
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const blank = Object.fromEntries(columns.map(({ name, type }) => [name, type === 'text' ? '' : sample[type]]));
  const rows = new ParquetRows(content);
  const read = await readParquet(makeFile(rows, linesOf([full, empty, blank, full]), 7));
  expect(read.columns).toEqual(columns.map(({ name, type }) => ({ name, type: typeNames[type] })));
  expect(read.rows).toEqual([full, empty, blank, full]);
  expect(rows.rows).toBe(4);
});

const typeNames = {
  id: 'Utf8',
  text: 'Utf8',
  enum: 'Utf8',
  amount: 'Utf8',
  json: 'Utf8',
  integer: 'Int64',
  boolean: 'Bool',
  moment: 'Timestamp<MILLISECOND, UTC>',
};

test.each(exportContents)('%s without a row is a file with its columns', async (content) => {
  const read = await readParquet(makeFile(new ParquetRows(content), ''));
  expect(read.columns.map(({ name }) => name)).toEqual(columnsOf(content).map(({ name }) => name));
  expect([read.rows, read.rowGroups]).toEqual([[], 0]);
});

const entries = Array.from({ length: MANY }, (_, place) => ({
  ...Object.fromEntries(columnsOf('ledger_entries').map(({ name }) => [name, null])),
  id: place,
  amount: `-${place}.5`,
  created_at: new Date(1_700_000_000_000 + place).toISOString(),
}));

test('many row groups are one file, in the order of the rows', async () => {
  const read = await readParquet(makeFile(new ParquetRows('ledger_entries', SMALL_GROUPS), linesOf(entries)));
  expect(read.rowGroups).toBeGreaterThan(10);
  expect(read.rows).toEqual(entries);
});

test('the file is written as it grows, and no row group waits for the end', () => {
  const rows = new ParquetRows('ledger_entries', SMALL_GROUPS);
  const written = entries.map((entry) => rows.take(Buffer.from(linesOf([entry]))).length);
  expect(written.filter((bytes) => bytes > 4).length).toBeGreaterThan(10);
  expect(rows.end().length).toBeLessThan(64 * 1024);
});

test('more rows than the footer can tell of are refused', () => {
  const rows = new ParquetRows('ledger_entries', { ...SMALL_GROUPS, groupsMax: 2 });
  expect(() => makeFile(rows, linesOf(entries))).toThrow(TooManyRowsError);
});

test.each([
  ['within a row', linesOf(entries).slice(0, -1)],
  ['within the first one', '{"id":'],
])('a text that ends %s is no file', (_where, text) => {
  expect(() => makeFile(new ParquetRows('ledger_entries'), text)).toThrow('ends within a row');
});
