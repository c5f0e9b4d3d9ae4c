// Transactions as a CSV file, streamed from one snapshot (../http/stream-file.ts).
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Database } from '../../drizzle/database/connection.ts';
import { streamTransactions, type TransactionRow } from '../../drizzle/transactions/transactions.ts';
import { csvLine } from '../files/csv.ts';
import type { FileSlots } from '../files/file-slots.ts';
import { streamFile } from '../files/stream-file.ts';
import { toTransactionRecord } from './transactions.response.ts';
import { transactionRecord } from './transactions.schema.ts';

const columns = Object.keys(transactionRecord.properties) as (keyof ReturnType<typeof toTransactionRecord>)[];

export function exportCsv(
  { db, slots }: { db: Database; slots: FileSlots },
  reply: FastifyReply,
  filter: Parameters<typeof streamTransactions>[1],
  sortOrder: 'asc' | 'desc',
): Promise<Readable> {
  return streamFile<TransactionRow>(reply, {
    slots,
    open: (signal) => streamTransactions(db, filter, sortOrder, signal),
    head: csvLine(columns),
    toText: (rows) => rows.map((row) => toLine(toTransactionRecord(row))).join(''),
  });
}

const toLine = (record: ReturnType<typeof toTransactionRecord>) =>
  csvLine(columns.map((column) => String(record[column] ?? '')));
