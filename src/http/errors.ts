// Every error that a caller can meet, by the codes of domain/failures.ts: its status and its one sentence. No other
// shape of error leaves the service.
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { type ApiErrorCode, apiErrors } from '../../domain/failures.ts';
import { describeDatabaseTlsFailure } from '../../drizzle/database/database-url.ts';
import { AllowedMethods } from './allowed-methods.ts';
import { describeAttempt } from './describe-attempt.ts';
import { type DescribedSchema, describeValidation } from './describe-validation.ts';
import { failure } from './envelope.ts';

/**
 * An answer other than success. The message is one plain sentence that says what to change, and never repeats a
 * secret.
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;

  readonly retryAfterSeconds: number | undefined;

  constructor(code: ApiErrorCode, message: string, retryAfterSeconds?: number) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = apiErrors[code].status;
  }
}

export interface ExceededQuota {
  name: string;
  max: number;
  /** Of a quota that begins anew. */
  windowSeconds?: number;
  retryAfterSeconds: number;
}

/** A workspace has as much of something as it may have. */
export class QuotaExceeded extends ApiError {
  readonly #quota: ExceededQuota;

  constructor(quota: ExceededQuota, message: string) {
    super('rate_limited', message);
    this.#quota = quota;
  }

  /** Beside what the key itself has left (rate-limit.ts), as the draft writes lists. */
  describeIn(reply: FastifyReply): void {
    const { name, max, windowSeconds, retryAfterSeconds } = this.#quota;
    const add = (header: string, item: string) =>
      reply.header(header, [reply.getHeader(header), item].filter((part) => part !== undefined).join(', '));
    add('ratelimit-policy', `"${name}";q=${max}${windowSeconds === undefined ? '' : `;w=${windowSeconds}`}`);
    add('ratelimit', `"${name}";r=0;t=${retryAfterSeconds}`);
    reply.header('retry-after', retryAfterSeconds);
  }
}

/** Why a request does not authenticate. A metric has one series for each. */
export const authenticationFailures = [
  'missing or repeated header access-api-key',
  'missing or repeated header access-timestamp',
  'missing or repeated header access-sign',
  'malformed timestamp',
  'malformed signature',
  'timestamp skew',
  'unknown, revoked or expired key',
  'wrong signature',
  'address not allowed',
  'request from another page',
  'unknown or ended session',
  'passkey not verified',
] as const;

export type AuthenticationFailure = (typeof authenticationFailures)[number];

/** One body for every failed authentication: nothing in it tells which check failed. The reason is for the log only. */
export class AuthenticationError extends ApiError {
  readonly reason: AuthenticationFailure;

  constructor(reason: AuthenticationFailure) {
    super('unauthorized', 'invalid api signature');
    this.reason = reason;
  }
}

export const notFound = (what: string) =>
  new ApiError(
    'not_found',
    what === 'workspace' ? 'This key has no workspace with this id.' : `No such ${what} in this workspace.`,
  );

export function installErrorHandlers(app: FastifyInstance): void {
  const allowedMethods = new AllowedMethods(app);
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply));
  app.addHook('onRequest', (request, reply, done) => {
    const url = request.raw.url ?? '';
    if (allowedMethods.isFallback(request.routeOptions.url, url))
      done(methodNotAllowed(request, reply, allowedMethods.of(url)));
    else done();
  });
  app.setNotFoundHandler((request, reply) => {
    const { method } = request;
    const allowed = allowedMethods.of(request.raw.url ?? '');
    if (allowed.length === 0 || allowed.includes(method))
      return answerError(new ApiError('not_found', `There is no ${method} route at this path.`), request, reply);
    return answerError(methodNotAllowed(request, reply, allowed), request, reply);
  });
}

function methodNotAllowed({ method }: FastifyRequest, reply: FastifyReply, allowed: string[]): ApiError {
  const list = allowed.join(', ');
  reply.header('allow', list);
  return new ApiError('method_not_allowed', `This path takes ${list}, not ${method}.`);
}

/** For what is no HTTP at all and never becomes a request: answered on the socket itself. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify(
    failure('invalid_request', 'The request is not valid HTTP, or its headers are too long.'),
  );
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${uuidv7()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const headersOfFiles = ['content-type', 'content-disposition', 'etag', 'accept-ranges', 'content-range'];

/** What was said of a file that broke before its first byte: a refusal is none. */
function withdrawFile(reply: FastifyReply): void {
  for (const name of headersOfFiles) {
    reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
}

export function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = asApiError(error, request);
  // For the audit log (refusals.ts).
  request.refusedCode = known.code;
  // What the service itself refuses is no surprise, and a stack for each refusal would make an overload worse.
  if (known === error && known.status >= 500) request.log.warn({ code: known.code }, known.message);
  else if (known.status >= 500) request.log.error({ err: error }, 'request failed');
  else if (known instanceof AuthenticationError)
    request.log.info({ reason: known.reason, ...describeAttempt(request) }, 'authentication failed');
  if (known instanceof QuotaExceeded) known.describeIn(reply);
  // The same for every cause: how a request is signed.
  if (known.status === 401) reply.header('link', '</docs>; rel="help"');
  // Framework errors come before any hook, so the header is set here too.
  if (hasCode(error, codesRolledBack)) reply.header('retry-after', '1');
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', String(known.retryAfterSeconds));
  withdrawFile(reply);
  return reply.code(known.status).header('x-request-id', request.id).send(failure(known.code, known.message));
}

function asApiError(error: Error, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  const { statusCode, validation, validationContext } = error as FastifyError;
  if (validation !== undefined)
    return new ApiError(
      'invalid_request',
      describeValidation(validation, validationContext, schemaOf(request, validationContext)),
    );
  if (statusCode === 413)
    return new ApiError('payload_too_large', 'The body is larger than 1 MiB: send less in one request.');
  if (statusCode === 415)
    return new ApiError('unsupported_media_type', 'Send the body as Content-Type: application/json.');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError('invalid_request', 'The request line, its headers or the length of its body are malformed.');
  const sentence = describeDatabaseFailure(error, request);
  if (sentence !== undefined) return new ApiError('dependency_unavailable', sentence);
  return new ApiError('internal_error', 'An internal error occurred: quote the X-Request-Id of this answer.');
}

/** The schema that a route has for the part of a request that does not fit. */
const schemaOf = (
  { routeOptions: { schema } }: FastifyRequest,
  part: string | undefined,
): DescribedSchema | undefined => (schema as Record<string, DescribedSchema | undefined> | undefined)?.[part ?? ''];

const codesUnreached = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECT_TIMEOUT',
  '57P03', // cannot connect now
  '53300', // too many connections
]);
const codesLost = new Set([
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  '57P01', // admin shutdown
]);
const codesRolledBack = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
]);

/**
 * Undefined when it is no failure of the database that passes. A write is one transaction, so what failed before or
 * within it left nothing.
 */
function describeDatabaseFailure(error: Error, { method, headers }: FastifyRequest): string | undefined {
  if (hasCode(error, codesRolledBack)) return 'Another request had the same rows: nothing was stored, try again.';
  const isUnreached = hasCode(error, codesUnreached) || describeDatabaseTlsFailure(error) !== undefined;
  if (method === 'GET' || method === 'HEAD')
    return isUnreached || hasCode(error, codesLost) ? 'The database cannot be reached: try again.' : undefined;
  if (isUnreached) return 'The database cannot be reached: nothing was stored, try again.';
  if (!hasCode(error, codesLost)) return undefined;
  // The commit may have been done and only its answer lost.
  const lost = 'The connection to the database was lost, so it is not known whether this was stored';
  return headers['x-idempotency-key'] === undefined
    ? `${lost}: look it up before you send it again.`
    : `${lost}: repeat it unchanged with the same X-Idempotency-Key.`;
}

/** postgres.js, the operating system and PostgreSQL name failures by codes, on the error or on its cause. */
function hasCode(error: Error, codes: ReadonlySet<string>): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (codes.has((at as { code?: string }).code ?? '')) return true;
  }
  return false;
}
