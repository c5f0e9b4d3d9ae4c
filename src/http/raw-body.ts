// Keeps a body as the bytes that came in, because the signature covers exactly those, and parses it only after the request is authenticated.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';
import { parseStrictJson, StrictJsonError } from './strict-json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as received; empty when there was none. */
    rawBody: Buffer;
  }
}

const EMPTY = Buffer.alloc(0);

export function installRawBody(app: FastifyInstance): void {
  app.decorateRequest('rawBody', undefined as unknown as Buffer);
  app.addHook('onRequest', async (request) => {
    request.rawBody = EMPTY;
  });
  // Fastify would not read the body of these, and a body that nobody read could not be covered by the signature.
  for (const method of ['GET', 'HEAD']) app.addHttpMethod(method, { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    request.rawBody = body;
    done(null, undefined);
  });
}

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
