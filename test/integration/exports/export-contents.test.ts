// Goal: each export says of every row just what the API says of it, in every format, whatever callers wrote into it.
// Method: rows made by the API and in SQL, with amounts as large as a chain can hold and with texts that would break a
// line, a cell, a string of JSON or run in a spreadsheet; the files read by strict parsers, and held against the lists
// and the rows. A second way of writing amounts or moments (drizzle/exports/) that differs from the first fails here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asc } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportColumns, isFreeText } from '../../../domain/exports/export-columns.ts';
import { type ExportContent, type ExportFormat, exportContents } from '../../../domain/exports/export-contents.ts';
import { formatAmount } from '../../../domain/money.ts';
import { deposits } from '../../../drizzle/deposits/deposits.ts';
import { ledgerEntries } from '../../../drizzle/ledger/ledger.ts';
import { insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { type ExportsApi, startExports } from '../../support/api/exports.ts';
import { connectNetwork, credit, sandbox } from '../../support/rows/funded.ts';
import { parseCsv } from '../../support/rows/parse-csv.ts';
import { type ReadParquet, readParquet } from '../../support/rows/read-parquet.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { insertTransaction } from '../../support/rows/transactions.ts';

type Line = Record<string, unknown>;

const HOSTILE = [
  '=HYPERLINK("http://x","y")',
  '+1,2',
  '-3',
  '@SUM(A1)',
  '\t=1',
  '\r\n=2',
  'a "quoted", cell\nof two lines',
  String.raw`\.`,
  String.raw`back\slash \n \u0041`,
  '\u0001 and \u0002 and \u001f',
  '＝full-width',
  'ä 漢字 🙂',
  "'already",
  '[list]',
  '{object}',
  '~1',
  '',
];

/** With and without zeros at the end of their milliseconds, and right before the next second. */
const MOMENTS = ['.006', '.000', '.100', '.010', '.999'].map((fraction) => new Date(`2026-01-02T03:04:05${fraction}Z`));

let setting: ExportsApi;
let walletId: string;
/** Right after what the wallet holds had arrived. */
let funded: Date;
const lines = {} as Record<ExportContent, { json: Line[]; csv: string[][]; parquet: ReadParquet }>;

beforeAll(async () => {
  setting = await startExports();
  const { api } = setting;
  walletId = await api.makeActiveWallet();
  await connectNetwork(api.db, sandbox.ETH.networkId);
  await credit(api.db, walletId, sandbox.ETH, 5n * 10n ** 18n + 1n);
  // In the ledger moments have milliseconds.
  await sleep(5);
  funded = new Date();
  await sleep(5);
  await makeRows();
  await setting.startWorker();
  for (const content of exportContents)
    lines[content] = {
      json: (await read(content, 'jsonl'))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
      csv: parseCsv(await read(content, 'csv')),
      parquet: await readParquet(await written(content, 'parquet')),
    };
}, 180_000);
afterAll(() => setting?.stop());

async function makeRows(): Promise<void> {
  const { api } = setting;
  const owner = { workspaceId: api.workspaceId, walletId };
  const large = [2n ** 256n - 1n, 10n ** 18n, 123_456_789_012_345_678_901_234_567_890n, 1n, 0n];
  for (const [place, text] of HOSTILE.entries())
    await insertTransaction(api.db, {
      ...sandbox.ETH,
      ...owner,
      decimals: 18,
      amountBaseUnits: large[place % large.length] as bigint,
      feeBaseUnits: place % 2 === 0 ? 42_000_000_000_001n : null,
      notes: text,
      externalId: `external ${text}`,
      fromAddress: text,
      gasUsed: 21_000n,
      blockNumber: 9_007_199_254_740_991,
      confirmedAt: MOMENTS[place % MOMENTS.length] as Date,
    });
  for (const [place, text] of HOSTILE.entries()) {
    const fields = { id: uuidv7(), ...sandbox.ETH, ...owner, txHash: `0x${place}`, arrivalIndex: '0', toAddress: text };
    const blockHash = place % 2 === 0 ? '0xab' : '';
    await api.db
      .insert(deposits)
      .values({ ...fields, fromAddress: text, amountBaseUnits: 1n, status: 'pending', blockNumber: 1, blockHash });
  }
  for (const [place, notes] of HOSTILE.entries()) {
    const asked = await api.call('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, {
      asset_id: sandbox.ETH.assetId,
      amount: `0.00000000000000000${(place % 9) + 1}`,
      recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      external_id: `=withdrawal-${place}`,
      ...(notes === ''
        ? {}
        : { notes: notes.replaceAll('\u0001', '').replaceAll('\u0002', '').replaceAll('\u001f', '') }),
    });
    expect([asked.status, asked.body.message]).toEqual([202, 'success']);
  }
  for (const [place, errorReason] of HOSTILE.entries())
    await api.db.transaction((tx) =>
      insertSigningRequest(tx, testSeals, {
        id: uuidv7(),
        ...owner,
        operationType: 'generic',
        networkInternalCode: 'ETHEREUM_SANDBOX',
        keyType: 'secp256k1',
        signingHash: `0x${'ab'.repeat(32)}`,
        unsignedTx: `0x${'ab'.repeat(32)}`,
        derivationPath: 'm/44/60/0/0/0',
        externalId: `=signing-${place}`,
        status: place % 2 === 0 ? 'failed' : 'pending',
        attemptsOpen: place % 4 === 0 ? [1] : [],
        errorReason,
      }),
    );
}

async function read(content: ExportContent, format: 'csv' | 'jsonl'): Promise<string> {
  const text = (await written(content, format)).toString();
  const rows = format === 'csv' ? parseCsv(text).length - 1 : text.split('\n').length - 1;
  expect([content, format, rowsOf.get(`${content} ${format}`)]).toEqual([content, format, rows]);
  return text;
}

/** As their records say it. */
const rowsOf = new Map<string, number>();

async function written(content: ExportContent, format: ExportFormat): Promise<Buffer> {
  const done = await setting.run({ content, format });
  expect([content, format, done.status, done.error_reason]).toEqual([content, format, 'completed', undefined]);
  rowsOf.set(`${content} ${format}`, done.file.rows);
  return readFileSync(join(setting.directory, done.file.file_name));
}

/** Everything of a list, oldest first. */
async function listed(path: string): Promise<Line[]> {
  const url = `/api/v1/workspaces/${setting.api.workspaceId}/${path}?limit=200${path === 'balances' ? '' : '&sort_order=asc'}`;
  return (await setting.api.call('GET', url)).body.data;
}

/** Without what has no value, as the API shows it, and only these fields where some are named. */
const present = (line: Line, names: readonly string[] = Object.keys(line)) =>
  Object.fromEntries(
    names.flatMap((name) => (line[name] === null || line[name] === undefined ? [] : [[name, line[name]]])),
  );

/** Of what both have. */
function agree(content: ExportContent, records: readonly Line[], own: readonly string[] = []): void {
  const names = Object.keys(exportColumns[content]).filter((name) => !own.includes(name));
  const shown = new Map(records.map((record) => [record['id'], present(record, names)]));
  expect(lines[content].json.length).toBeGreaterThanOrEqual(HOSTILE.length);
  expect(lines[content].json.map((line) => present(line, names))).toEqual(
    lines[content].json.map(({ id }) => shown.get(id)),
  );
  expect(new Set(lines[content].json.map(({ id }) => id))).toEqual(new Set(shown.keys()));
}

test('transactions are as their list has them, every column', async () => {
  const records = await listed('transactions');
  const exported = lines.transactions.json.map((line) => present(line));
  expect(exported.toSorted(byId)).toEqual(records.toSorted(byId));
  const moments = exported.map((line) => line['created_at'] as string);
  expect(moments).toEqual(moments.toSorted((one, other) => one.localeCompare(other)));
});

const byId = (one: Line, other: Line) => String(one['id']).localeCompare(String(other['id']));

test('withdrawals are as their list has them', async () => {
  agree('withdrawals', await listed('withdrawals'), ['symbol', 'fee_symbol']);
  for (const line of lines.withdrawals.json) expect(line).toMatchObject({ symbol: 'ETH', fee_symbol: 'ETH' });
});

test('signing requests are as their list has them', async () => {
  agree('signing_requests', await listed('signing-requests'));
});

test('audit entries are as their list has them, what callers sent as the text that is hashed', async () => {
  const records = await listed('audit-logs');
  const texts = ['body', 'before', 'after', 'sealed'];
  const exported: Line[] = lines.audit.json.map((line) => ({
    ...line,
    ...Object.fromEntries(texts.map((name) => [name, line[name] === null ? null : JSON.parse(line[name] as string)])),
  }));
  const byShownId = new Map(records.map((record) => [record['id'], record]));
  const unsealed = ({ seq: _seq, hash: _hash, ...rest }: Line) => present(rest);
  for (const line of exported) expect(unsealed(line)).toEqual(unsealed(byShownId.get(line['id']) ?? {}));
  expect(exported.length).toBeGreaterThanOrEqual(HOSTILE.length);
});

test('balances are as their list has them, and at a moment as they were then', async () => {
  const [shown] = await listed('balances');
  const [line] = lines.balances.json;
  const names = ['wallet_id', 'asset_id', 'network_id', 'symbol', 'total', 'available', 'held', 'pending_in'];
  expect(lines.balances.json).toHaveLength(1);
  expect(present(line ?? {}, names)).toEqual(present(shown ?? {}, names));
  const then = await setting.run({ content: 'balances', format: 'jsonl', to: funded.toISOString() });
  const text = readFileSync(join(setting.directory, then.file.file_name), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ total: '5.000000000000000001', held: '0', at: then.to });
});

test('ledger entries and deposits are as their rows have them', async () => {
  const { db } = setting.api;
  const entries = await db.select().from(ledgerEntries).orderBy(asc(ledgerEntries.id));
  const signed = (amount: bigint) => (amount < 0n ? `-${formatAmount(-amount, 18)}` : formatAmount(amount, 18));
  expect(lines.ledger_entries.json.map(({ id, account, amount }) => ({ id, account, amount }))).toEqual(
    entries.map(({ id, kind, amount }) => ({ id: Number(id), account: kind, amount: signed(amount) })),
  );
  const rows = await db.select().from(deposits).orderBy(asc(deposits.createdAt), asc(deposits.id));
  expect(
    lines.deposits.json.map(({ id, amount, from_address, block_hash, created_at }) => [
      id,
      amount,
      from_address,
      block_hash,
      created_at,
    ]),
  ).toEqual(
    rows.map((row) => [
      row.id,
      formatAmount(row.amountBaseUnits, 18),
      row.fromAddress,
      row.blockHash || null,
      row.createdAt.toISOString(),
    ]),
  );
});

describe.each(exportContents)('%s as CSV', (content) => {
  test('has the columns as its first row, and the lines of the JSONL file, no cell of a caller a formula', () => {
    const [head, ...rows] = lines[content].csv;
    const columns = Object.entries(exportColumns[content]);
    expect(head).toEqual(columns.map(([name]) => name));
    const expected = lines[content].json
      // The two were written one after the other: what the asking of the second added is not in the first.
      .slice(0, rows.length)
      .map((line) => columns.map(([name, type]) => cellOf(line[name], isFreeText(type))));
    const at = columns.findIndex(([name]) => name === 'at');
    const stable = (row: string[]) => row.filter((_cell, place) => place !== at);
    // Places in the chain of the audit log come a second later.
    const shown = content === 'audit' ? (row: string[]) => row.slice(2) : stable;
    expect(rows.slice(0, expected.length).map(shown)).toEqual(expected.map(shown));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      for (const [place, [, type]] of columns.entries())
        if (isFreeText(type)) expect(row[place]).not.toMatch(/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/);
  });
});

test.each(exportContents)('%s as Parquet has the columns, and the lines of the JSONL file as they are', (content) => {
  const { parquet, json } = lines[content];
  expect(parquet.columns.map(({ name }) => name)).toEqual(Object.keys(exportColumns[content]));
  expect(rowsOf.get(`${content} parquet`)).toBe(parquet.rows.length);
  // What was written later than the other is not compared: the moment of balances, and places in the audit log.
  const { at: _at, seq: _seq, hash: _hash, ...compared } = exportColumns[content] as Line;
  const shown = (row: Line) => Object.fromEntries(Object.keys(compared).map((name) => [name, row[name]]));
  expect(parquet.rows.slice(0, json.length).map(shown)).toEqual(json.map(shown));
  expect(json.length).toBeGreaterThan(0);
});

function cellOf(value: unknown, isText: boolean): string {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const text = value === null ? '' : shown;
  return isText && /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
}
