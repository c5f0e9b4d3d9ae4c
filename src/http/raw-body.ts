// Keeps a body as the bytes that came in, because the signature covers exactly those, and parses it only after the request is authenticated.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

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
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    request.rawBody = body;
    done(null, undefined);
  });
}

/** Runs after authentication and before validation. */
export async function parseBody(request: FastifyRequest): Promise<void> {
  if (request.rawBody.length === 0) {
    if (request.body === undefined || request.body === null) request.body = undefined;
    return;
  }
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new ApiError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  try {
    request.body = JSON.parse(request.rawBody.toString('utf8'));
  } catch {
    throw new ApiError('invalid_request', 'The body is not valid JSON.');
  }
}
