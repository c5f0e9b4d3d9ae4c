// Finds the session behind the token of a cookie, with the key that it acts by, and keeps it for less than a second:
// when its user is disabled, loses a role, removes the passkey or signs out everywhere, that holds everywhere within
// one.
import { createHash } from 'node:crypto';
import type { Logger } from '../../domain/logger.ts';
import { SESSION_IDLE_MAX_MS } from '../../domain/time-limits.ts';
import { isConsoleKey, sealedApiKeys } from '../../drizzle/api-keys/api-keys.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { sealedPasskeys } from '../../drizzle/passkeys/passkeys.ts';
import { type FoundSession, findSession, noteSessionUse, sealedSessions } from '../../drizzle/passkeys/sessions.ts';
import { areSetBack } from '../../drizzle/sealed-rows/rolled-back-rows.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { sealedUsers } from '../../drizzle/users/users.ts';
import { type KeyRing, toUsableKey, type UsableKey } from './key-ring.ts';

const REMEMBERED_MS = 800;
const REMEMBERED_MAX = 10_000;
/** What a session is used for is written no more often. */
const USE_NOTED_EVERY_MS = 60_000;

export interface UsableSession {
  id: string;
  passkeyId: string;
  key: UsableKey;
  usableUntilMs: number;
}

/** Of the token that the cookie has, which is kept nowhere. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

interface Remembered {
  at: number;
  keyChanges: number;
  found: Promise<UsableSession | undefined>;
}

export class SessionRing {
  readonly #db: Database;
  readonly #seals: Seals;
  readonly #keyRing: KeyRing;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #remembered = new Map<string, Remembered>();
  readonly #notedAt = new Map<string, number>();

  constructor({ db, seals, keyRing }: { db: Database; seals: Seals; keyRing: KeyRing }, log: Pick<Logger, 'warn'>) {
    this.#db = db;
    this.#seals = seals;
    this.#keyRing = keyRing;
    this.#log = log;
  }

  find(token: string): Promise<UsableSession | undefined> {
    const hash = hashToken(token);
    const now = performance.now();
    const { changes: keyChanges } = this.#keyRing;
    const remembered = this.#remembered.get(hash);
    if (remembered?.keyChanges === keyChanges && now - remembered.at < REMEMBERED_MS) return remembered.found;
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    const found = this.#load(hash);
    const entry = { at: now, keyChanges, found };
    this.#remembered.set(hash, entry);
    const drop = () => {
      if (this.#remembered.get(hash) === entry) this.#remembered.delete(hash);
    };
    setTimeout(drop, REMEMBERED_MS).unref();
    found.catch(drop);
    return found;
  }

  /** To be called after sessions have ended: this process then knows at once, the others within `REMEMBERED_MS`. */
  invalidate(): void {
    this.#remembered.clear();
  }

  async #load(hash: string): Promise<UsableSession | undefined> {
    const found = await findSession(this.#db, hash);
    if (found === undefined || !this.#isOurs(found) || (await this.#isSetBack(found))) return undefined;
    const { session, key, user, passkey } = found;
    const hasEnded = session.endedAt !== null || passkey.removedAt !== null || key.revokedAt !== null;
    if (hasEnded || user.status !== 'active' || !isConsoleKey(key)) return undefined;
    const usableUntilMs = Math.min(
      session.expiresAt.getTime(),
      session.lastUsedAt.getTime() + SESSION_IDLE_MAX_MS,
      key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    );
    if (Date.now() >= usableUntilMs) return undefined;
    this.#noteUse(session);
    return { id: session.id, passkeyId: passkey.id, key: toUsableKey(key), usableUntilMs };
  }

  #isOurs({ session, key, user, passkey }: FoundSession): boolean {
    const seals = [
      sealedSessions.counts(this.#seals, session),
      sealedApiKeys.counts(this.#seals, key),
      sealedUsers.counts(this.#seals, user),
      sealedPasskeys.counts(this.#seals, passkey),
    ];
    const { workspaceId } = session;
    return seals.every((holds) => holds) && [key, user, passkey].every((row) => row.workspaceId === workspaceId);
  }

  #isSetBack({ session, key, user, passkey }: FoundSession): Promise<boolean> {
    return areSetBack(this.#db, this.#seals, session.workspaceId, [
      { kind: 'api_key', id: key.id },
      { kind: 'user', id: user.id },
      { kind: 'passkey', id: passkey.id },
    ]);
  }

  /** Beside the request: what cannot be written ends the session sooner, and nothing else. */
  #noteUse({ id, lastUsedAt }: FoundSession['session']): void {
    const now = Date.now();
    const noted = Math.max(this.#notedAt.get(id) ?? 0, lastUsedAt.getTime());
    if (now - noted < USE_NOTED_EVERY_MS) return;
    if (this.#notedAt.size >= REMEMBERED_MAX) this.#notedAt.clear();
    this.#notedAt.set(id, now);
    noteSessionUse(this.#db, id).catch((error: unknown) => {
      this.#notedAt.delete(id);
      this.#log.warn({ err: error }, 'the last use of a session is not written yet');
    });
  }
}
