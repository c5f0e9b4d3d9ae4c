// Transactions as a CSV file, streamed from one snapshot (../http/stream-file.ts).
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { csvLine } from '../../domain/csv.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { streamTransactions, type TransactionRow } from '../../drizzle/transactions/transactions.ts';
import type { AssetCatalog } from '../catalog/assets.ts';
import type { FileSlots } from '../files/file-slots.ts';
import { streamFile } from '../files/stream-file.ts';
import { readUnits } from './asset-units.ts';
import { toTransactionRecord } from './transactions.response.ts';
import { allColumns, specifiedColumns } from './transactions.schema.ts';

export interface ExportOptions {
  filter: Parameters<typeof streamTransactions>[1];
  sortOrder: 'asc' | 'desc';
  columns: 'specified' | 'all';
}

export async function exportCsv(
  { db, assets, slots }: { db: Database; assets: AssetCatalog; slots: FileSlots },
  reply: FastifyReply,
  { filter, sortOrder, columns }: ExportOptions,
): Promise<Readable> {
  const units = await readUnits(assets);
  const names = columns === 'all' ? allColumns : specifiedColumns;
  const toLine = (row: TransactionRow) => {
    const record = toTransactionRecord(row, units.get(row.assetId));
    return csvLine(names.map((name) => String(record[name] ?? '')));
  };
  return streamFile<TransactionRow>(reply, {
    slots,
    open: (signal) => streamTransactions(db, filter, sortOrder, signal),
    head: csvLine(names),
    toText: (rows) => rows.map(toLine).join(''),
  });
}
