// The bucket in which exports are written: a file is an upload in parts that is completed when it is published, so that
// an object comes to be there whole or not at all, under a name that is made of ids
// (domain/exports/export-file-names.ts). Holds one part of a file in memory. Knows nothing of what is in it.
import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { ApplicationFailure } from '@temporalio/common';
import { bucketClientOptions, type ExportBucketSettings } from '../../domain/exports/export-bucket.ts';
import { type ExportFileIds, partFileName, readExportFileName } from '../../domain/exports/export-file-names.ts';
import { type FailureCode, failures } from '../../domain/failures.ts';
import type { ExportStore, Writing, WrittenPart } from './export-store.ts';

const MIB = 2 ** 20;
/** A file has 10,000 parts at most; so it may have some 290 GB. */
const partBytes = (number: number) => (number <= 1_000 ? 8 : 32) * MIB;

export class ExportBucket implements ExportStore {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor(settings: ExportBucketSettings) {
    this.#client = new S3Client(bucketClientOptions(settings));
    this.#bucket = settings.bucket;
    this.#prefix = settings.prefix;
  }

  async assertThere(): Promise<void> {
    await named(() => this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket })));
  }

  /** What fits into one part is held until it is published. */
  writePart(name: string, pieces: AsyncIterable<Buffer>, { onBytes, signal }: Writing = {}): Promise<WrittenPart> {
    return named(async () => {
      const upload = new Upload(this.#client, this.#object(name), signal);
      const hash = createHash('sha256');
      let byteCount = 0;
      for await (const piece of pieces) {
        hash.update(piece);
        await upload.push(piece);
        byteCount += piece.length;
        onBytes?.(byteCount);
      }
      await upload.end();
      return { byteCount, sha256: hash.digest('hex'), publish: () => named(() => upload.complete()) };
    });
  }

  erase(exportId: string): Promise<void> {
    return this.#eraseAll(`${exportId}.`);
  }

  eraseAttempt({ exportId, fileId }: ExportFileIds): Promise<void> {
    return this.#eraseAll(`${exportId}.${fileId}.`);
  }

  /** What has the name of a file of an export, with when it was begun. An upload that is not complete is a part. */
  async files(): Promise<{ exportId: string; fileId: string; isPart: boolean; name: string; changedAt: Date }[]> {
    const found = [...(await this.#objects('')), ...(await this.#uploads(''))];
    return found.flatMap(({ name, changedAt }) => {
      const ids = readExportFileName(name);
      return ids === undefined ? [] : [{ ...ids, name, changedAt }];
    });
  }

  async remove(name: string): Promise<void> {
    const ids = readExportFileName(name);
    if (ids === undefined) throw new Error('this is no file of an export');
    if (!ids.isPart) return named(() => this.#delete(name));
    for (const upload of await this.#uploads(name.slice(0, -partFileName('').length)))
      await named(() => this.#abort(upload));
  }

  async #eraseAll(begin: string): Promise<void> {
    // What is being uploaded goes first: completed meanwhile, it is among the objects.
    for (const upload of await this.#uploads(begin)) await named(() => this.#abort(upload));
    for (const { name } of await this.#objects(begin))
      if (readExportFileName(name) !== undefined) await named(() => this.#delete(name));
  }

  #objects(begin: string): Promise<{ name: string; changedAt: Date }[]> {
    return named(async () => {
      const found = [];
      const asked = { Bucket: this.#bucket, Prefix: this.#prefix + begin };
      for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#client }, asked))
        for (const { Key = '', LastModified = new Date() } of Contents)
          found.push({ name: Key.slice(this.#prefix.length), changedAt: LastModified });
      return found;
    });
  }

  #uploads(begin: string): Promise<{ name: string; key: string; uploadId: string; changedAt: Date }[]> {
    return named(async () => {
      const found = [];
      const from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
      for (;;) {
        const page = await this.#client.send(
          new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: this.#prefix + begin, ...from }),
        );
        for (const { Key: key = '', UploadId: uploadId = '', Initiated: changedAt = new Date() } of page.Uploads ??
          []) {
          const name = partFileName(key.slice(this.#prefix.length));
          // Whatever else is uploaded into this bucket is not ours.
          if (readExportFileName(name) !== undefined) found.push({ name, key, uploadId, changedAt });
        }
        if (page.IsTruncated !== true) return found;
        from.KeyMarker = page.NextKeyMarker;
        from.UploadIdMarker = page.NextUploadIdMarker;
      }
    });
  }

  async #abort({ key, uploadId }: { key: string; uploadId: string }): Promise<void> {
    const asked = { Bucket: this.#bucket, Key: key, UploadId: uploadId };
    await this.#client.send(new AbortMultipartUploadCommand(asked)).catch(unlessGone);
  }

  async #delete(name: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(name))).catch(unlessGone);
  }

  #object(name: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + name };
  }
}

/** One file on its way. */
class Upload {
  readonly #client: S3Client;
  readonly #object: { Bucket: string; Key: string };
  readonly #options: { abortSignal?: AbortSignal };
  readonly #parts: CompletedPart[] = [];
  #uploadId: string | undefined;
  /** One for all parts of a size, each written over the one before: buffers of their own would be garbage. */
  #part = Buffer.alloc(0);
  #bytes = 0;

  constructor(client: S3Client, object: { Bucket: string; Key: string }, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#object = object;
    this.#options = signal === undefined ? {} : { abortSignal: signal };
  }

  /** Waits while a part is sent, so that whoever reads the database waits too. */
  async push(piece: Buffer): Promise<void> {
    for (let taken = 0; taken < piece.length; ) {
      if (this.#bytes === 0) this.#beginPart();
      const copied = piece.copy(this.#part, this.#bytes, taken);
      this.#bytes += copied;
      taken += copied;
      if (this.#bytes === this.#part.length) await this.#send();
    }
  }

  /** A file of one part waits for `complete`. */
  async end(): Promise<void> {
    if (this.#uploadId !== undefined && this.#bytes > 0) await this.#send();
  }

  async complete(): Promise<void> {
    if (this.#uploadId === undefined) {
      await this.#client.send(new PutObjectCommand({ ...this.#object, Body: this.#filled() }));
      return;
    }
    const asked = { ...this.#object, UploadId: this.#uploadId, MultipartUpload: { Parts: this.#parts } };
    await this.#client.send(new CompleteMultipartUploadCommand(asked));
  }

  async #send(): Promise<void> {
    if (this.#uploadId === undefined) {
      const begun = await this.#client.send(new CreateMultipartUploadCommand(this.#object), this.#options);
      if (begun.UploadId === undefined) throw new Error('an upload has no id');
      this.#uploadId = begun.UploadId;
    }
    const PartNumber = this.#parts.length + 1;
    const asked = { ...this.#object, UploadId: this.#uploadId, PartNumber, Body: this.#filled() };
    const { ETag } = await this.#client.send(new UploadPartCommand(asked), this.#options);
    if (ETag === undefined) throw new Error('a part of an upload has no ETag');
    this.#parts.push({ PartNumber, ETag });
    this.#bytes = 0;
  }

  #beginPart(): void {
    const size = partBytes(this.#parts.length + 1);
    if (this.#part.length !== size) this.#part = Buffer.allocUnsafe(size);
  }

  #filled(): Buffer {
    return this.#part.subarray(0, this.#bytes);
  }
}

const GONE: readonly string[] = ['NoSuchUpload', 'NoSuchKey', 'NotFound'];
const FULL: readonly string[] = ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'EntityTooLarge'];
const NO_MORE_ROOM = 507;

function unlessGone(error: unknown): void {
  if (!(error instanceof S3ServiceException && GONE.includes(error.name))) throw error;
}

/** Codes of a network that does not lead to the store now. */
const AWAY =
  /^(ECONN|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)|^(TimeoutError|RequestTimeout|NetworkingError)/;

/**
 * What the store says becomes a failure that callers may read; anything else goes through as it is. What it refuses is
 * not tried again: nobody helps that but an operator. What it cannot do now is.
 */
async function named<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof S3ServiceException) throw failureOf(error);
    const { code, name } = error as NodeJS.ErrnoException;
    if (AWAY.test(code ?? '') || AWAY.test(name ?? '')) throw retried('export_store_unavailable', code ?? name);
    throw error;
  }
}

function failureOf({ name, $metadata: { httpStatusCode: status = 0 } }: S3ServiceException): ApplicationFailure {
  if (FULL.includes(name) || status === NO_MORE_ROOM) return forGood('export_store_full', name);
  // The next attempt begins anew.
  if (name === 'NoSuchUpload') return retried('export_store_unavailable', name);
  if (status >= 300 && status < 500 && status !== 408 && status !== 429) return forGood('export_store_refused', name);
  return retried('export_store_unavailable', name);
}

const sentenceOf = (code: FailureCode, detail: string | undefined) => `${failures[code].sentence} (${detail})`;
const forGood = (code: FailureCode, detail: string | undefined) =>
  ApplicationFailure.nonRetryable(sentenceOf(code, detail), code);
const retried = (code: FailureCode, detail: string | undefined) =>
  ApplicationFailure.retryable(sentenceOf(code, detail), code);
