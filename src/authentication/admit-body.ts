// Decides by the headers alone whether a body is read at all: who names no key that may be used now, or calls at
// another time or from elsewhere, is refused before. What is read is bounded, and what is refused is drained for a
// moment. Verifies no signature.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from '../http/client-address.ts';
import { ApiError, AuthenticationError } from '../http/errors.ts';
import { isAllowed } from '../http/ip-ranges.ts';
import type { FailedAuthentications } from './failed-authentications.ts';
import type { KeyRing } from './key-ring.ts';
import { assertOwnPage, readSessionToken } from './own-page.ts';
import { readClaim } from './request-claim.ts';
import { type ConsoleSessions, requireSession } from './require-session.ts';
import type { BodiesUnderWay, BodyPlace } from './unverified-bodies.ts';

/**
 * Up to here whoever names a usable key may send a body from anywhere: only who has signed it is told that it is his
 * address which is refused.
 */
const READ_FROM_ANYWHERE_MAX_BYTES = 16 * 1024;
const DRAINED_FOR_MS = 5_000;
/** About what a request leaves in V8's heap that was looked up and refused. */
const REFUSED_REQUEST_BYTES = 128 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a body that is to be read. Undefined when there is none, or nobody would look at it. */
    bodyPlace: BodyPlace | undefined;
  }
}

export interface BodyAdmission {
  keyRing: KeyRing;
  sessions: ConsoleSessions | undefined;
  failures: FailedAuthentications;
  bodies: BodiesUnderWay;
}

export function installBodyAdmission(
  app: FastifyInstance,
  { keyRing, sessions, failures, bodies }: BodyAdmission,
): void {
  app.decorateRequest('bodyPlace', undefined);
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      const place = bodies.enter(announcedBytes(request));
      request.bodyPlace = place;
      reply.raw.once('close', () => bodies.leave(place));
      await Promise.race([assertWorthReading(request, keyRing, sessions), place.evicted]);
    } catch (error) {
      if (error instanceof AuthenticationError) await failures.slow(request);
      throw error;
    }
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (announcesBody(request) && !request.routeOptions.config.public && !request.is404) return admit(request, reply);
    done();
    return undefined;
  });
  app.addHook('onResponse', (request, _reply, done) => {
    drain(request, bodies);
    done();
  });
}

/**
 * A body that came with its headers is there already: it is judged as a whole (authenticate.ts), so that an unknown key
 * takes as long as a wrong signature. Of any other who asks can tell whether the key may be used, and not why it may
 * not.
 */
async function assertWorthReading(
  request: FastifyRequest,
  keyRing: KeyRing,
  sessions: ConsoleSessions | undefined,
): Promise<void> {
  const bytes = announcedBytes(request) ?? Number.POSITIVE_INFINITY;
  if (request.routeOptions.config.ceremony) return assertSmallAndOwn(request, sessions, bytes);
  // Until what has arrived with the headers is parsed.
  await Promise.resolve();
  if (!isUnderWay(request)) return;
  const token = sessions && readSessionToken(request, sessions.console);
  if (sessions !== undefined && token !== undefined) {
    await requireSession(request, sessions, token);
    return;
  }
  const { key, usableUntilMs } = await keyRing.find(readClaim(request).apiKey);
  if (key === undefined || Date.now() >= usableUntilMs)
    throw new AuthenticationError('unknown, revoked or expired key');
  if (bytes > READ_FROM_ANYWHERE_MAX_BYTES && !isAllowed(key.ipAllowlist, clientAddress(request)))
    throw new AuthenticationError('address not allowed');
}

/** Nobody is known yet: what says so little is read from the console's own page alone. */
function assertSmallAndOwn(request: FastifyRequest, sessions: ConsoleSessions | undefined, bytes: number): void {
  if (sessions === undefined) throw new AuthenticationError('request from another page');
  assertOwnPage(request, sessions.console);
  if (bytes > READ_FROM_ANYWHERE_MAX_BYTES)
    throw new ApiError('payload_too_large', 'The body is larger than 16 KiB: a passkey says less.');
}

/** Never of a request that no socket carries. */
const isUnderWay = ({ raw }: { raw: { complete?: boolean } }) => raw.complete === false;

const announcesBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || !['0', undefined].includes(headers['content-length']);

/** Undefined when it comes in chunks. */
export const announcedBytes = ({ headers }: FastifyRequest): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;

/**
 * What is still on its way after the answer is read and thrown away for a moment: a connection that is closed with
 * bytes unread is reset, and the reset overtakes the answer. Who is through by then may use the connection again.
 */
function drain(request: FastifyRequest, bodies: BodiesUnderWay): void {
  const { raw } = request;
  if (!isUnderWay(request) || raw.destroyed) return;
  bodies.countAllocated(REFUSED_REQUEST_BYTES);
  if (raw.listenerCount('data') === 0) raw.on('data', ({ length }: Buffer) => bodies.countAllocated(length));
  raw.resume();
  const timer = setTimeout(() => raw.socket.destroy(), DRAINED_FOR_MS).unref();
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer));
}
