// Streams the file of a completed export, whole or from where a download broke off. Where files are, stored-files.ts
// knows.
import { createHash } from 'node:crypto';
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
import type { StoredFile, StoredFiles } from './stored-files.ts';

interface Opening {
  files: StoredFiles;
  slots: FileSlots;
}

/** Answers what to send, with the status and the headers of the reply set. */
export async function openContent(
  request: FastifyRequest,
  reply: FastifyReply,
  row: ExportRow,
  { files, slots }: Opening,
): Promise<Readable> {
  const { status, fileId, sha256, byteCount } = row;
  if (status !== 'completed' || fileId === null || sha256 === null)
    throw new ApiError('invalid_state', `The export is ${status}, and there is a file only once it is completed.`);
  const name = exportFileName({ exportId: row.id, fileId }, row.format);
  const file = await openWhole(files, name, byteCount);
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

async function openWhole(files: StoredFiles, name: string, bytes: number): Promise<StoredFile> {
  const file = await files.open(name, bytes);
  if (file !== undefined) return file;
  throw new ApiError(
    'dependency_unavailable',
    'The file of this export is not there as it was written: the operator has to see to EXPORT_DIRECTORY or EXPORT_S3_BUCKET.',
  );
}

/** Of a whole file that is not what was written, the end is never sent, so that nobody takes it for it. */
async function* piecesOf(
  file: StoredFile,
  { start, end }: ByteRange,
  sha256: string | undefined,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  let at = start;
  for await (const piece of file.pieces(start, end)) {
    at += piece.length;
    if (at > end) throw new Error('the file of an export is longer than it was');
    if (sha256 !== undefined) hash.update(piece);
    if (at === end && sha256 !== undefined && hash.digest('hex') !== sha256)
      throw new Error('the file of an export is not what was written');
    yield piece;
  }
  if (at !== end) throw new Error('the file of an export is shorter than it was');
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
