// The thread in which the rows of an export become Parquet (in-parquet.ts starts it), so that signatures that the same
// worker makes are not held up. It is told pieces of text and answers each with what of the file can be written.
import { parentPort, workerData } from 'node:worker_threads';
import type { ExportContent } from '../../domain/exports/export-contents.ts';
import { ParquetRows, TooManyRowsError } from './parquet-rows.ts';

/** The text of rows, or null after the last of them. */
export type ToParquetThread = Uint8Array | null;
export type FromParquetThread = { bytes: Uint8Array; rows: number } | 'too_many_rows';

export interface ParquetThreadData {
  content: ExportContent;
}

const rows = new ParquetRows((workerData as ParquetThreadData).content);

function answer(piece: ToParquetThread): FromParquetThread {
  try {
    const bytes = piece === null ? rows.end() : rows.take(piece);
    return { bytes, rows: rows.rows };
  } catch (error) {
    if (error instanceof TooManyRowsError) return 'too_many_rows';
    throw error;
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on('message', (piece: ToParquetThread) => parentPort?.postMessage(answer(piece)));
