// Finds the key behind an identifier, with its decrypted secret, and remembers it for less than a second: a revocation holds everywhere within one.
import { randomBytes } from 'node:crypto';
import { findUsableApiKey } from '../../drizzle/api-keys.ts';
import type { Database } from '../../drizzle/database.ts';
import type { Scope } from './scopes.ts';
import { decryptSecret } from './secrets.ts';

const REMEMBERED_MS = 800;
const REMEMBERED_KEYS_MAX = 10_000;

export interface UsableKey {
  id: string;
  apiKey: string;
  workspaceId: string;
  name: string;
  scopes: readonly Scope[];
  walletIds: readonly string[];
  legacyPathSigning: boolean;
}

/** An unknown key comes with a secret that nobody has, so that its check costs the same. */
export interface FoundKey {
  key: UsableKey | undefined;
  secret: string;
}

export class KeyRing {
  readonly #db: Database;
  readonly #keyEncryptionKey: Buffer;
  readonly #remembered = new Map<string, { at: number; found: Promise<FoundKey> }>();
  readonly #nobodysSecret = randomBytes(32).toString('base64url');

  constructor(db: Database, keyEncryptionKey: string) {
    this.#db = db;
    this.#keyEncryptionKey = Buffer.from(keyEncryptionKey, 'hex');
  }

  find(apiKey: string): Promise<FoundKey> {
    const now = performance.now();
    const remembered = this.#remembered.get(apiKey);
    if (remembered !== undefined && now - remembered.at < REMEMBERED_MS) return remembered.found;
    if (this.#remembered.size >= REMEMBERED_KEYS_MAX) this.#remembered.clear();
    const found = this.#load(apiKey);
    this.#remembered.set(apiKey, { at: now, found });
    found.catch(() => this.#remembered.delete(apiKey));
    return found;
  }

  async #load(apiKey: string): Promise<FoundKey> {
    const row = await findUsableApiKey(this.#db, apiKey);
    if (row === undefined) return { key: undefined, secret: this.#nobodysSecret };
    const { id, workspaceId, name, walletIds, legacyPathSigning } = row;
    return {
      key: { id, apiKey, workspaceId, name, scopes: row.scopes as Scope[], walletIds, legacyPathSigning },
      secret: decryptSecret(this.#keyEncryptionKey, id, row.secretEncrypted),
    };
  }
}
