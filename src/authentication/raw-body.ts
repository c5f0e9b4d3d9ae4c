// Keeps a body as the bytes that came in, because the signature covers exactly those, and parses it only after the
// request is authenticated. One that was not admitted (admit-body.ts) is not read.

import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../http/errors.ts';
import { parseStrictJson, StrictJsonError } from '../http/strict-json.ts';
import { announcedBytes } from './admit-body.ts';
import type { BodiesUnderWay, BodyPlace } from './unverified-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as received; empty when there was none. */
    rawBody: Buffer;
    /**
     * Why the body could not be had. Thrown once it is time: what Fastify is told here would close the connection
     * before the answer is read.
     */
    bodyRefusal: Error | undefined;
  }
}

export const BODY_MAX_BYTES = 1024 * 1024;
const EMPTY = Buffer.alloc(0);

export function installRawBody(app: FastifyInstance, bodies: BodiesUnderWay): void {
  app.decorateRequest('bodyRefusal', undefined);
  app.decorateRequest('rawBody', undefined as unknown as Buffer);
  app.addHook('onRequest', (request, _reply, done) => {
    request.rawBody = EMPTY;
    done();
  });
  // Fastify would not read the body of these, and a body that nobody read could not be covered by the signature.
  for (const method of ['GET', 'HEAD']) app.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const { bodyPlace } = request;
    if (bodyPlace === undefined) return;
    try {
      request.rawBody = await readBody(payload, announcedBytes(request), bodyPlace, bodies);
    } catch (error) {
      request.bodyRefusal = error as Error;
    }
  });
}

/**
 * Into one buffer: a body that comes byte by byte would otherwise hold hundreds of bytes for each. What is refused
 * holds nothing from then on.
 */
async function readBody(
  payload: Readable,
  announced: number | undefined,
  place: BodyPlace,
  bodies: BodiesUnderWay,
): Promise<Buffer> {
  if ((announced ?? 0) > BODY_MAX_BYTES) throw tooLarge();
  let buffer: Buffer = EMPTY;
  let length = 0;
  const append = (chunk: Buffer) => {
    bodies.countAllocated(chunk.length);
    const needed = length + chunk.length;
    if (needed > BODY_MAX_BYTES) throw tooLarge();
    if (length === 0) buffer = chunk;
    else {
      if (needed > buffer.length) {
        const grown = Buffer.allocUnsafeSlow(Math.max(needed, announced ?? Math.min(2 * needed, BODY_MAX_BYTES)));
        bodies.countAllocated(grown.length);
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      chunk.copy(buffer, length);
    }
    length = needed;
    bodies.hold(place, buffer.length);
  };
  const all = new Promise<Buffer>((resolve, reject) => {
    payload.on('data', (chunk: Buffer) => {
      try {
        append(chunk);
      } catch (error) {
        reject(error);
      }
    });
    payload.on('end', () =>
      (announced ?? length) === length ? resolve(buffer.subarray(0, length)) : reject(cutOff()),
    );
    payload.on('error', () => reject(cutOff()));
    payload.on('close', () => reject(cutOff()));
  });
  try {
    return await Promise.race([all, place.evicted]);
  } finally {
    payload.removeAllListeners('data');
    all.catch(() => {});
    // What still comes is thrown away.
    payload.on('data', ({ length }: Buffer) => bodies.countAllocated(length)).resume();
    buffer = EMPTY;
  }
}

const tooLarge = () => new ApiError('payload_too_large', 'The body is larger than 1 MiB: send less in one request.');

const cutOff = () =>
  new ApiError('invalid_request', 'The request line, its headers or the length of its body are malformed.');

/** Runs after authentication and before validation. */
export async function parseBody(request: FastifyRequest): Promise<void> {
  request.body = undefined;
  if (request.rawBody.length === 0) return;
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new ApiError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  const body = parse(request.rawBody);
  if (request.routeOptions.schema?.body !== undefined) request.body = body;
  else if (!isEmptyObject(body)) throw new ApiError('invalid_request', 'This request takes no body.');
}

function parse(bytes: Buffer): unknown {
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (error instanceof StrictJsonError) throw new ApiError('invalid_request', error.message);
    throw error;
  }
}

const isEmptyObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
