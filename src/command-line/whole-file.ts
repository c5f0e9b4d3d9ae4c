// Keeps what comes piece by piece as a file that is there whole or not at all.
import { createHash } from 'node:crypto';
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ProblemError, UsageError } from './exit-codes.ts';

/** What breaks off leaves the file as it was, and so does what has another SHA-256 than is given, hex. */
export async function keepWhole(
  pieces: AsyncIterable<string | Uint8Array>,
  path: string,
  sha256?: string,
): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  };
  try {
    await pipeline(hashed(), createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }));
    if (sha256 !== undefined && hash.digest('hex') !== sha256)
      throw new ProblemError('What came is not the file that the service has written: nothing was kept.');
    renameSync(part, path);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === 'open' ? new UsageError(`${path} cannot be written (${code ?? 'no reason is given'}).`) : error;
  } finally {
    rmSync(part, { force: true });
  }
}
