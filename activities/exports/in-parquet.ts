// Has a thread make a Parquet file of the text of an export, piece by piece: one is under way at a time, so that the
// database is not read faster than the file is written. Writes nothing itself.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { ApplicationFailure } from '@temporalio/common';
import type { ExportContent } from '../../domain/exports/export-contents.ts';
import { failures } from '../../domain/failures.ts';
import type { FromParquetThread, ParquetThreadData, ToParquetThread } from './parquet-thread.ts';
import { startThread } from './start-thread.ts';

/** The values of a row group, its encoded form, and what the footer will say. */
const resourceLimits = { maxOldGenerationSizeMb: 80, maxYoungGenerationSizeMb: 4 };
/** Of the text that the thread is told at once, and of what is written at once. */
const PIECE_BYTES = 256 * 1024;

export class InParquet {
  rows = 0;
  readonly #shared = new SharedArrayBuffer(PIECE_BYTES);
  readonly #thread: Worker;
  readonly #signal: AbortSignal;
  #error: Error | undefined;

  constructor(content: ExportContent, signal: AbortSignal) {
    this.#signal = signal;
    const isSource = import.meta.url.endsWith('.ts');
    const file = new URL(`./parquet-thread.${isSource ? 'ts' : 'js'}`, import.meta.url);
    this.#thread = startThread(isSource ? fromSource(file) : file, {
      eval: isSource,
      workerData: { content, shared: this.#shared } satisfies ParquetThreadData,
      resourceLimits,
      execArgv: [],
      // It needs none of the secrets that the worker was started with.
      env: {},
    });
    this.#thread.on('error', (error) => {
      this.#error = error;
    });
  }

  /** What of the file can be written after this text. */
  async *take(text: Buffer): AsyncGenerator<Buffer, void> {
    for (let at = 0; at < text.length; at += PIECE_BYTES) {
      const piece = text.subarray(at, at + PIECE_BYTES);
      new Uint8Array(this.#shared).set(piece);
      yield* this.#ask(piece.length);
    }
  }

  /** The rest of the file. Throws when the text does not end with a whole row. */
  end(): AsyncGenerator<Buffer, void> {
    return this.#ask(null);
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  async *#ask(length: ToParquetThread): AsyncGenerator<Buffer, void> {
    if (this.#error !== undefined) throw failureOf(this.#error);
    const answered = once(this.#thread, 'message', { signal: this.#signal });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread.postMessage(length);
    const [answer] = (await answered.catch((error: unknown) => {
      throw failureOf(error);
    })) as [FromParquetThread];
    if (answer === 'too_many_rows') throw tooLarge();
    this.rows = answer.rows;
    const { buffer, byteOffset, byteLength } = answer.bytes;
    for (let at = 0; at < byteLength; at += PIECE_BYTES)
      yield Buffer.from(buffer, byteOffset + at, Math.min(PIECE_BYTES, byteLength - at));
  }
}

const failureOf = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error;

/** Not retried: it would not fit the next time either. */
const tooLarge = () => ApplicationFailure.nonRetryable(failures.export_too_large.sentence, 'export_too_large');

/** Node.js 20 reads no TypeScript, and heeds no `--import` for a thread. */
const fromSource = (file: URL) =>
  `import('tsx/esm/api').then(({ register }) => { register(); return import('${file.href}'); });`;
