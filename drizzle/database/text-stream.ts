// Has PostgreSQL write the answer of a query as text (COPY), and hands that on piece by piece: with little memory, as
// of one moment, on a connection of its own. Knows nothing of what is in it.
import type { Readable } from 'node:stream';
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Database } from './connection.ts';
import { connectApart } from './row-stream.ts';

export const TEXT_STREAM_NAME = 'countersign-text-stream';

/** How many bytes wait between the server and whoever takes them. */
const PIECE_BYTES = 256 * 1024;

export interface Snapshot {
  /** Everything that the snapshot shows was written before. */
  at: Date;
  /**
   * The rows of a query as lines that end with a line feed: a cell a column as CSV, or its one column as it is, which
   * must hold no control character. Throws when the query fails or the signal fires, so that a part is never taken for
   * the whole.
   */
  copy(query: SQL, form: 'csv' | 'lines'): AsyncGenerator<Buffer, void>;
}

interface SnapshotOptions {
  signal: AbortSignal;
  statementTimeoutMs: number;
}

/** All that `work` reads is of one moment, however long it takes. */
export async function inSnapshot<Result>(
  db: Database,
  { signal, statementTimeoutMs }: SnapshotOptions,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const client = connectApart(db, { name: TEXT_STREAM_NAME, statementTimeoutMs });
  let end = () => Promise.resolve();
  const cutOff = () => void end();
  signal.addEventListener('abort', cutOff, { once: true });
  try {
    await client.unsafe('begin isolation level repeatable read read only');
    // A text in a query is read as it is written.
    await client.unsafe('set local standard_conforming_strings = on');
    // The first query takes the snapshot, before it asks for the time.
    const [row] = await client.unsafe('select clock_timestamp()::timestamptz(3)::text as at, pg_backend_pid() as pid');
    const pid = Number(row?.['pid']);
    end = () => endBackend(db, pid);
    signal.throwIfAborted();
    const copy: Snapshot['copy'] = async function* (query, form) {
      const stream: Readable = await client.unsafe(copyOf(query, form)).readable();
      // Heard by whoever reads; once nobody does, it is no matter.
      stream.on('error', () => {});
      let isWhole = false;
      try {
        yield* inPieces(stream, signal);
        isWhole = true;
      } finally {
        // The server would wait for ever, with its snapshot, for somebody to take what it has written.
        if (!isWhole) {
          stream.resume();
          await end();
        }
      }
    };
    return await work({ at: new Date(String(row?.['at'])), copy });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cutOff);
    await client.end({ timeout: 0 });
  }
}

/** Of a query that nobody wants any more. Where it cannot be told, the time limit of the statement ends it. */
async function endBackend(db: Database, pid: number): Promise<void> {
  await db
    .execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where pid = ${pid} and application_name = ${TEXT_STREAM_NAME}`,
    )
    .catch(() => {});
}

const dialect = new PgDialect();

/**
 * A statement that copies takes no parameters: those of the query are ids and moments of typed columns, and are written
 * out as quoted text. Lines are told from cells by characters that no line holds.
 */
function copyOf(query: SQL, form: 'csv' | 'lines'): string {
  const { sql: text, params } = dialect.sqlToQuery(sql`${query}`.inlineParams());
  if (params.length > 0) throw new Error('a query that is copied has no parameters');
  const asLines = form === 'lines' ? String.raw`, delimiter E'\x02', quote E'\x01'` : '';
  return `copy (${text}) to stdout (format csv, encoding 'UTF8'${asLines})`;
}

/** The driver hands each row on by itself. */
async function* inPieces(stream: Readable, signal: AbortSignal): AsyncGenerator<Buffer, void> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
  }
  signal.throwIfAborted();
  if (bytes > 0) yield Buffer.concat(waiting, bytes);
}
