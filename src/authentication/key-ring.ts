// Finds the key behind an identifier, with its decrypted secrets, and keeps it for less than a second: a revocation
// holds everywhere within one. Does the same work whether the key is usable, revoked, expired or unknown: how long it
// takes must not tell which.

import type { Scope } from '../../domain/scopes.ts';
import { findApiKeyOrOther, type KeyOfUser } from '../../drizzle/api-keys/api-key-queries.ts';
import { type ApiKeyRow, awaitsSecret, isConsoleKey, sealedApiKeys } from '../../drizzle/api-keys/api-keys.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { areSetBack } from '../../drizzle/sealed-rows/rolled-back-rows.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { decryptSecret } from '../../drizzle/secrets/encrypted-secret.ts';
import { sealedUsers } from '../../drizzle/users/users.ts';
import { parseRange, type Range } from '../http/ip-ranges.ts';
import { generateApiSecret } from './generate-secrets.ts';

const REMEMBERED_MS = 800;
const REMEMBERED_KEYS_MAX = 10_000;
/** Ours have 35. */
const IDENTIFIER_MAX_LENGTH = 64;
/** Nobody's: an empty header is refused before. All that are too long are this one. */
const NO_IDENTIFIER = '';
const NO_ID = '00000000-0000-0000-0000-000000000000';

export interface UsableKey {
  id: string;
  apiKey: string;
  workspaceId: string;
  /** Whose key it is. */
  userId: string;
  name: string;
  /** A key without a secret, by which sessions of its user act. */
  provedBy: 'secret' | 'passkey';
  scopes: readonly Scope[];
  walletIds: readonly string[];
  legacyPathSigning: boolean;
  ipAllowlist: readonly Range[];
  /** Null for a key that never ends. */
  expiresAt: Date | null;
}

/** An unknown key comes with secrets that nobody has and a time that has passed, so that its check costs the same. */
export interface FoundKey {
  key: UsableKey | undefined;
  /** Nobody's while the key's user has not taken one. */
  secret: string;
  /** Nobody's, unless the key was rotated. */
  previousSecret: string;
  /** Both as they are stored, encrypted: to tell whether they are the same as before without keeping them. */
  sealedSecrets: string;
  /** Zero for a key that is revoked or unknown, or whose user is disabled. */
  usableUntilMs: number;
  previousUsableUntilMs: number;
}

export class KeyRing {
  readonly #db: Database;
  readonly #keyEncryptionKeys: readonly Buffer[];
  readonly #seals: Seals;
  readonly #remembered = new Map<string, { at: number; found: Promise<FoundKey> }>();
  readonly #nobodysSecret = generateApiSecret();
  /** Any key: an unknown one is given its row, and no more than its row. */
  #otherId = NO_ID;
  #changes = 0;

  /** The key-encryption key of today, then those that still decrypt. */
  constructor(db: Database, keyEncryptionKeys: readonly Buffer[], seals: Seals) {
    this.#db = db;
    this.#keyEncryptionKeys = keyEncryptionKeys;
    this.#seals = seals;
  }

  find(given: string): Promise<FoundKey> {
    const apiKey = given.length > IDENTIFIER_MAX_LENGTH ? NO_IDENTIFIER : given;
    const now = performance.now();
    const remembered = this.#remembered.get(apiKey);
    if (remembered !== undefined && now - remembered.at < REMEMBERED_MS) return remembered.found;
    if (this.#remembered.size >= REMEMBERED_KEYS_MAX) this.#remembered.clear();
    const found = this.#load(apiKey);
    const entry = { at: now, found };
    this.#remembered.set(apiKey, entry);
    const drop = () => {
      if (this.#remembered.get(apiKey) === entry) this.#remembered.delete(apiKey);
    };
    // Secrets stay in memory no longer than they are of use.
    setTimeout(drop, REMEMBERED_MS).unref();
    found.catch(drop);
    return found;
  }

  /**
   * To be called after a key's change has committed: this process then sees it at once, the others within
   * `REMEMBERED_MS`.
   */
  invalidate(apiKey: string): void {
    this.#remembered.delete(apiKey);
    this.#changes += 1;
  }

  /** How many keys have changed by this process: what was read of keys before the last change is read again. */
  get changes(): number {
    return this.#changes;
  }

  async #load(apiKey: string): Promise<FoundKey> {
    const row = await findApiKeyOrOther(this.#db, apiKey, this.#otherId);
    // What this service has not written is nobody's, whatever it says.
    const isOurs = row !== undefined && this.#isOurs(row);
    const isSetBack = await this.#isSetBack(row);
    if (!isOurs || isSetBack || row.key.apiKey !== apiKey) return this.#unknown(row);
    const found = this.#open(row);
    // One without a secret would cost less to open than those that callers have.
    if (!awaitsSecret(row.key)) this.#otherId = row.key.id;
    return found;
  }

  /** Both are looked at in any case: how long it takes tells nothing. */
  #isOurs({ key, user }: KeyOfUser): boolean {
    const seals = [sealedApiKeys.counts(this.#seals, key), sealedUsers.counts(this.#seals, user)];
    return seals.every((holds) => holds) && user.workspaceId === key.workspaceId;
  }

  /**
   * An older version that was put back has a seal of ours; that it is one is known once the audit log was held against
   * it. Asked of any row, and of none: how long it takes tells nothing.
   */
  #isSetBack(row: KeyOfUser | undefined): Promise<boolean> {
    return areSetBack(this.#db, this.#seals, row?.key.workspaceId ?? NO_ID, [
      { kind: 'api_key', id: row?.key.id ?? NO_ID },
      { kind: 'user', id: row?.user.id ?? NO_ID },
    ]);
  }

  #open({ key: row, user }: KeyOfUser): FoundKey {
    return {
      key: toUsableKey(row),
      secret: this.#decrypt(row, awaitsSecret(row) ? null : row.secretEncrypted),
      previousSecret: this.#decrypt(row, row.previousSecretEncrypted),
      sealedSecrets: [row.secretEncrypted, row.previousSecretEncrypted].map(toText).join(),
      // A key of sessions signs nothing.
      usableUntilMs: user.status === 'active' && !isConsoleKey(row) ? usableUntilMs(row) : 0,
      previousUsableUntilMs: previousUsableUntilMs(row),
    };
  }

  #decrypt({ id }: ApiKeyRow, encrypted: Uint8Array | null): string {
    return encrypted === null ? this.#nobodysSecret : decryptSecret(this.#keyEncryptionKeys, id, encrypted).secret;
  }

  /** Opens the other key's row for the time that it takes. */
  #unknown(other: KeyOfUser | undefined): FoundKey {
    try {
      if (other !== undefined) this.#open(other);
    } catch {
      this.#otherId = NO_ID;
    }
    const secret = this.#nobodysSecret;
    const never = { usableUntilMs: 0, previousUsableUntilMs: 0 };
    return { key: undefined, secret, previousSecret: secret, sealedSecrets: '', ...never };
  }
}

const toText = (encrypted: Uint8Array | null) => Buffer.from(encrypted ?? []).toString('latin1');

function usableUntilMs(row: ApiKeyRow): number {
  return row.revokedAt !== null ? 0 : (row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
}

/**
 * The secret before signs without an end while the new one waits to be taken, unless who rotated the key said an end.
 */
function previousUsableUntilMs(row: ApiKeyRow): number {
  if (row.previousSecretEncrypted === null) return 0;
  return row.previousSecretExpiresAt?.getTime() ?? (awaitsSecret(row) ? Number.POSITIVE_INFINITY : 0);
}

export function toUsableKey(row: ApiKeyRow): UsableKey {
  const { id, apiKey, workspaceId, userId, name, provedBy, walletIds, legacyPathSigning, expiresAt } = row;
  const ipAllowlist = row.ipAllowlist.map((text) => {
    const range = parseRange(text);
    // To leave it out could turn a list into none, which allows every address.
    if (range === undefined) throw new Error(`the IP allowlist of API key ${id} holds a malformed entry`);
    return range;
  });
  const scopes = row.scopes as Scope[];
  const power = { scopes, walletIds, legacyPathSigning, ipAllowlist, expiresAt };
  return { id, apiKey, workspaceId, userId, name, provedBy, ...power };
}
