// The session that a request of the console's own page is made in, as it is at this moment.
import type { FastifyRequest } from 'fastify';
import { AuthenticationError } from '../http/errors.ts';
import { assertOwnPage, type ConsoleOrigin } from './own-page.ts';
import type { SessionRing, UsableSession } from './session-ring.ts';

/** Who signs in at the console, where that is switched on. */
export interface ConsoleSessions {
  console: ConsoleOrigin;
  ring: SessionRing;
}

/** Throws for a request that comes from another page, or for a session that has ended. */
export async function requireSession(
  request: FastifyRequest,
  { console, ring }: ConsoleSessions,
  token: string,
): Promise<UsableSession> {
  assertOwnPage(request, console);
  const session = await ring.find(token);
  if (session === undefined || Date.now() >= session.usableUntilMs)
    throw new AuthenticationError('unknown or ended session');
  return session;
}
