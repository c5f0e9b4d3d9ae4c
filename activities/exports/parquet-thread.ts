// The thread in which the rows of an export become Parquet (in-parquet.ts starts it), so that signatures that the same
// worker makes are not held up. It is told pieces of text and answers each with what of the file can be written.
import { parentPort, workerData } from 'node:worker_threads';
import type { ExportContent } from '../../domain/exports/export-contents.ts';
import { collectAfter } from '../runtime/collect-garbage.ts';
import { ParquetRows, TooManyRowsError } from './parquet-rows.ts';

/** How many bytes of text are in the shared memory now; null after the last of them. */
export type ToParquetThread = number | null;
export type FromParquetThread = { bytes: Uint8Array; rows: number } | 'too_many_rows';

/** Of text. Oftener takes less memory, and as much time as the work itself. */
const COLLECTED_AFTER_BYTES = 3 * 2 ** 20;

export interface ParquetThreadData {
  content: ExportContent;
  /** Copies that are sent would lie outside the heaps of both threads, which hear late that they are garbage. */
  shared: SharedArrayBuffer;
}

// Its file stands beside those of the commands.
if (parentPort === null) {
  process.stderr.write('It is a thread of the worker, which starts it itself, and no command.\n');
  process.exit(1);
}

const { content, shared } = workerData as ParquetThreadData;
const rows = new ParquetRows(content);
const noteGarbage = collectAfter(COLLECTED_AFTER_BYTES, 'major');

function answer(length: ToParquetThread): FromParquetThread {
  try {
    const bytes = length === null ? rows.end() : rows.take(new Uint8Array(shared, 0, length));
    return { bytes, rows: rows.rows };
  } catch (error) {
    if (error instanceof TooManyRowsError) return 'too_many_rows';
    throw error;
  }
}

parentPort?.on('message', (length: ToParquetThread) => {
  const message = answer(length);
  parentPort?.postMessage(message, message === 'too_many_rows' ? [] : [message.bytes.buffer as ArrayBuffer]);
  noteGarbage(length ?? 0);
});
