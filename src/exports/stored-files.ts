// Opens the files of exports where workers have written them, a folder or a bucket, and reads pieces of one. Which file
// that is follows from ids (domain/exports/export-file-names.ts); nothing that a caller sends or that a row says is a
// path. Writes nothing.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { bucketClientOptions, type ExportBucketSettings } from '../../domain/exports/export-bucket.ts';
import { ApiError } from '../http/errors.ts';

const PIECE_BYTES = 64 * 1024;

export interface StoredFile {
  /** From the first to before the last. Ends early where the file does. */
  pieces(start: number, end: number): AsyncGenerator<Buffer, void>;
  close(): Promise<void>;
}

export interface StoredFiles {
  /** Undefined where there is none of that name and length. */
  open(name: string, bytes: number): Promise<StoredFile | undefined>;
}

/** Where an API finds files; one of both, or none. */
export interface ExportPlaces {
  directory?: string;
  bucket?: ExportBucketSettings | undefined;
}

/** Undefined where the operator has named no place. */
export function storedFilesOf({ directory = '', bucket }: ExportPlaces): StoredFiles | undefined {
  if (bucket !== undefined) return filesInBucket(bucket);
  return directory === '' ? undefined : filesInFolder(directory);
}

/** Throws where there is none. */
export function requireFiles(files: StoredFiles | undefined): StoredFiles {
  if (files === undefined)
    throw new ApiError(
      'route_disabled',
      'This deployment has no place for exports: its operator sets EXPORT_DIRECTORY or EXPORT_S3_BUCKET.',
    );
  return files;
}

/** Plain files: never what a link leads to. */
function filesInFolder(directory: string): StoredFiles {
  return {
    open: async (name, bytes) => {
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const file = await open(join(directory, name), flags).catch(() => undefined);
      const found = await file?.stat();
      if (file !== undefined && found?.isFile() === true && found.size === bytes)
        return { pieces: (start, end) => piecesOfFile(file, start, end), close: () => file.close() };
      await file?.close();
      return undefined;
    },
  };
}

async function* piecesOfFile(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer, void> {
  for (let at = start; at < end; ) {
    const wanted = Math.min(PIECE_BYTES, end - at);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function filesInBucket(settings: ExportBucketSettings): StoredFiles {
  const client = new S3Client(bucketClientOptions(settings));
  return {
    open: async (name, bytes) => {
      const object = { Bucket: settings.bucket, Key: settings.prefix + name };
      const found = await client.send(new HeadObjectCommand(object)).catch(() => undefined);
      if (found?.ContentLength !== bytes) return undefined;
      // What is put in its place meanwhile is another object.
      const same = found.ETag === undefined ? object : { ...object, IfMatch: found.ETag };
      return { pieces: (start, end) => piecesOfObject(client, same, { start, end }), close: async () => {} };
    },
  };
}

/** Whoever stops taking pieces ends the request, too. */
async function* piecesOfObject(
  client: S3Client,
  object: { Bucket: string; Key: string; IfMatch?: string },
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer, void> {
  if (start >= end) return;
  const ending = new AbortController();
  try {
    const Range = `bytes=${start}-${end - 1}`;
    const { Body } = await client.send(new GetObjectCommand({ ...object, Range }), { abortSignal: ending.signal });
    if (Body !== undefined) yield* Body as unknown as AsyncIterable<Buffer>;
  } finally {
    ending.abort();
  }
}
