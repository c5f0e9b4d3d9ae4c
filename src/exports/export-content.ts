// Opens the file of a completed export and streams it, whole or from where a download broke off. Which file that is
// follows from ids (domain/exports/export-file-names.ts); nothing that a caller sends or that a row says is a path.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { exportMediaTypes } from '../../domain/exports/export-contents.ts';
import { exportFileName } from '../../domain/exports/export-file-names.ts';
import type { ExportRow } from '../../drizzle/exports/exports.ts';
import type { FileSlots } from '../files/file-slots.ts';
import { takeSlot } from '../files/stream-file.ts';
import { ApiError } from '../http/errors.ts';
import { type ByteRange, readRange } from './byte-range.ts';
import { assertMayReadExport } from './may-read-export.ts';

const PIECE_BYTES = 64 * 1024;

interface Opening {
  directory: string;
  slots: FileSlots;
}

/** Answers what to send, with the status and the headers of the reply set. */
export async function openContent(
  request: FastifyRequest,
  reply: FastifyReply,
  row: ExportRow,
  { directory, slots }: Opening,
): Promise<Readable> {
  const { status, fileId, sha256, byteCount } = row;
  if (status !== 'completed' || fileId === null || sha256 === null)
    throw new ApiError('invalid_state', `The export is ${status}, and there is a file only once it is completed.`);
  const name = exportFileName({ exportId: row.id, fileId }, row.format);
  const file = await openWhole(join(directory, name), byteCount);
  try {
    const { signal, end } = takeSlot(reply, slots);
    const etag = `"${sha256}"`;
    const range = readRange(request.headers, { bytes: byteCount, etag });
    const pieces = whileAllowed(request, row, piecesOf(file, range, range.isWhole ? sha256 : undefined));
    const stream = Readable.from(pieces, { highWaterMark: 1, objectMode: true });
    const release = async () => {
      await pieces.return();
      await file.close();
    };
    stream.once('close', () => void release().then(end, end));
    signal.addEventListener('abort', () => stream.destroy(signal.reason as Error), { once: true });
    reply
      .header('etag', etag)
      .header('accept-ranges', 'bytes')
      .header('content-length', range.end - range.start);
    reply.header('content-disposition', `attachment; filename="${row.content}-${row.id}.${row.format}"`);
    if (!range.isWhole) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${byteCount}`);
    reply.type(exportMediaTypes[row.format]);
    return stream;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A plain file of that length, or none: never what a link leads to. */
async function openWhole(path: string, bytes: number): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  const found = await file?.stat();
  if (file !== undefined && found?.isFile() === true && found.size === bytes) return file;
  await file?.close();
  throw new ApiError(
    'dependency_unavailable',
    'The file of this export is not in the folder of exports as it was written: the operator has to see to EXPORT_DIRECTORY.',
  );
}

/** Of a whole file that is not what was written, the end is never sent, so that nobody takes it for it. */
async function* piecesOf(
  file: FileHandle,
  { start, end }: ByteRange,
  sha256: string | undefined,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  for (let at = start; at < end; ) {
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at)),
      0,
      Math.min(PIECE_BYTES, end - at),
      at,
    );
    if (bytesRead === 0) throw new Error('the file of an export is shorter than it was');
    const piece = buffer.subarray(0, bytesRead);
    at += bytesRead;
    if (sha256 !== undefined) hash.update(piece);
    if (at === end && sha256 !== undefined && hash.digest('hex') !== sha256)
      throw new Error('the file of an export is not what was written');
    yield piece;
  }
}

/** Nothing more once the key is revoked or may no longer read it (control K4). */
async function* whileAllowed(
  { caller }: FastifyRequest,
  row: ExportRow,
  pieces: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  for await (const piece of pieces) {
    await caller.assertStillAdmitted();
    assertMayReadExport(caller.key, row);
    yield piece;
  }
}
