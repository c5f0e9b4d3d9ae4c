// The folder in which exports are written: a file comes to stand in it whole or not at all, under a name that is made
// of ids (domain/exports/export-file-names.ts), readable for its owner alone. Knows nothing of what is in it.
import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { type ExportFileIds, partFileName, readExportFileName } from '../../domain/exports/export-file-names.ts';
import { type FailureCode, failures } from '../../domain/failures.ts';
import type { ExportStore, Writing, WrittenPart } from './export-store.ts';

const OWNER_ONLY = 0o600;
const NO_ROOM: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

export class ExportFolder implements ExportStore {
  readonly #path: string;

  /** `path` is empty where there is none. */
  constructor(path: string) {
    this.#path = path;
  }

  async assertThere(): Promise<void> {
    if (this.#path === '') throw unavailable();
    await named(async () => {
      if (!(await stat(this.#path)).isDirectory()) throw unavailable();
    });
  }

  /** Has it on the disk when it resolves. */
  writePart(name: string, pieces: AsyncIterable<Buffer>, { onBytes }: Writing = {}): Promise<WrittenPart> {
    return named(async () => {
      const file = await open(join(this.#path, partFileName(name)), 'wx', OWNER_ONLY);
      try {
        const hash = createHash('sha256');
        let byteCount = 0;
        for await (const piece of pieces) {
          hash.update(piece);
          await writeAll(file, piece);
          byteCount += piece.length;
          onBytes?.(byteCount);
        }
        await file.sync();
        return { byteCount, sha256: hash.digest('hex'), publish: () => this.#publish(name) };
      } finally {
        await file.close();
      }
    });
  }

  /** For good: also after a loss of power. */
  async #publish(name: string): Promise<void> {
    await named(async () => {
      await rename(join(this.#path, partFileName(name)), join(this.#path, name));
      const folder = await open(this.#path, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    });
  }

  async erase(exportId: string): Promise<void> {
    for (const name of await this.#list())
      if (readExportFileName(name)?.exportId === exportId) await rm(join(this.#path, name), { force: true });
  }

  async eraseAttempt({ exportId, fileId }: ExportFileIds): Promise<void> {
    for (const name of await this.#list()) {
      const ids = readExportFileName(name);
      if (ids?.exportId === exportId && ids.fileId === fileId) await rm(join(this.#path, name), { force: true });
    }
  }

  /** What has the name of a file of an export, with when it was written to last. */
  async files(): Promise<{ exportId: string; fileId: string; isPart: boolean; name: string; changedAt: Date }[]> {
    const found = [];
    for (const name of await this.#list()) {
      const ids = readExportFileName(name);
      if (ids === undefined) continue;
      const changedAt = await stat(join(this.#path, name)).then(
        ({ mtime }) => mtime,
        () => undefined,
      );
      if (changedAt !== undefined) found.push({ ...ids, name, changedAt });
    }
    return found;
  }

  async remove(name: string): Promise<void> {
    if (readExportFileName(name) === undefined) throw new Error('this is no file of an export');
    await rm(join(this.#path, name), { force: true });
  }

  #list(): Promise<string[]> {
    return this.#path === '' ? Promise.resolve([]) : named(() => readdir(this.#path));
  }
}

async function writeAll(file: FileHandle, piece: Buffer): Promise<void> {
  let written = 0;
  while (written < piece.length) written += (await file.write(piece, written)).bytesWritten;
}

/** What the disk says becomes a failure that callers may read; anything else goes through as it is. */
async function named<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || typeof syscall !== 'string' || !diskCalls.has(syscall)) throw error;
    throw NO_ROOM.includes(code) ? failureOf('export_store_full', code) : failureOf('export_store_unavailable', code);
  }
}

/** Those of the file system: the connection to the database has others. */
const diskCalls: ReadonlySet<string> = new Set([
  'open',
  'write',
  'fsync',
  'close',
  'rename',
  'stat',
  'scandir',
  'opendir',
  'unlink',
  'rm',
  'lstat',
]);

const unavailable = () => failureOf('export_store_unavailable');

/** Not retried: nobody helps it but an operator, and the caller starts another one then. */
const failureOf = (code: FailureCode, detail?: string) =>
  ApplicationFailure.nonRetryable(failures[code].sentence + (detail === undefined ? '' : ` (${detail})`), code);
