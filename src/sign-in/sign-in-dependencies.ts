// What the routes of the console's sign-in work with, and how a route of theirs is marked: from the console's own page
// alone, in no document of the interface, since programs sign their requests.
import type { Database } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import type { RefusedAttempts } from '../audit/refused-attempts.ts';
import type { FailedAuthentications } from '../authentication/failed-authentications.ts';
import type { ConsoleSessions } from '../authentication/require-session.ts';
import type { CeremonyLimit } from './ceremony-limit.ts';

export interface SignInDependencies {
  db: Database;
  seals: Seals;
  sessions: ConsoleSessions;
  limit: CeremonyLimit;
  failures: FailedAuthentications;
  attempts: RefusedAttempts;
}

/** For who has no session yet. */
export const forStrangers = { ceremony: true as const };
/** For who has one. */
export const forSessions = { only: 'sessions' as const };

export const SESSION = '/console/session';
