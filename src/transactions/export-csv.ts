// Streams transactions as a CSV file: as fast as the caller reads, in constant memory, from one snapshot. A file that cannot be finished is torn off,
// never ended, so that a part does not look like the whole; so is one whose key is revoked meanwhile (control K4).
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Database } from '../../drizzle/database.ts';
import { streamTransactions, type TransactionRow } from '../../drizzle/transactions.ts';
import type { Caller } from '../http/authenticate.ts';
import { csvLine } from '../http/csv.ts';
import { ApiError } from '../http/errors.ts';
import type { ExportSlots } from './export-slots.ts';
import { toTransactionRecord } from './transactions.response.ts';
import { transactionRecord } from './transactions.schema.ts';

/** However slowly the caller reads: the snapshot keeps the database from clearing dead rows. */
const LASTS_AT_MOST_MS = 15 * 60_000;
const RETRY_AFTER_SECONDS = 30;

const columns = Object.keys(transactionRecord.properties) as (keyof ReturnType<typeof toTransactionRecord>)[];

/** Throws what keeps it from starting; from the first line on a failure shows in the connection only. */
export async function exportCsv(
  { db, slots }: { db: Database; slots: ExportSlots },
  reply: FastifyReply,
  filter: Parameters<typeof streamTransactions>[1],
  sortOrder: 'asc' | 'desc',
): Promise<Readable> {
  const leave = slots.enter(filter.workspaceId);
  if (leave === undefined) {
    reply.header('retry-after', RETRY_AFTER_SECONDS);
    throw new ApiError('dependency_unavailable', 'Too many exports are under way: try again when one has ended.');
  }

  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new Error('an export took too long')), LASTS_AT_MOST_MS);
  reply.raw.once('close', () => over.abort(new Error('the caller left')));
  const end = () => {
    clearTimeout(timer);
    leave();
  };
  const batches = whileAdmitted(reply.request.caller, streamTransactions(db, filter, sortOrder, over.signal));
  const first = await batches.next().catch((error: unknown) => {
    end();
    throw error;
  });
  const file = Readable.from(toLines(first, batches), { highWaterMark: 1 });
  // Also when it was closed before anything was read from it.
  file.once('close', () => void batches.return().then(end, end));
  over.signal.addEventListener('abort', () => file.destroy(over.signal.reason as Error), { once: true });
  return file;
}

/** Nothing that the key would no longer be shown, also when its revocation came while the query ran. */
async function* whileAdmitted(
  caller: Caller,
  batches: AsyncGenerator<TransactionRow[], void>,
): AsyncGenerator<TransactionRow[], void> {
  const walletIds = caller.key.walletIds.join();
  for await (const rows of batches) {
    await caller.assertStillAdmitted();
    if (caller.key.walletIds.join() !== walletIds)
      throw new ApiError('wallet_not_allowed', 'The wallets of this key have changed meanwhile: ask again.');
    yield rows;
  }
}

/** One piece of text a batch: the header with the first. */
async function* toLines(
  first: IteratorResult<TransactionRow[], void>,
  others: AsyncGenerator<TransactionRow[], void>,
): AsyncGenerator<string, void> {
  yield csvLine(columns) + toText(first.value ?? []);
  for await (const rows of others) yield toText(rows);
}

const toText = (rows: TransactionRow[]) => rows.map((row) => toLine(toTransactionRecord(row))).join('');

const toLine = (record: ReturnType<typeof toTransactionRecord>) =>
  csvLine(columns.map((column) => String(record[column] ?? '')));
