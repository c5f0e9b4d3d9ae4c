// The seal of a row that decides: an HMAC over its content, under a key that neither the database nor Temporal has. Who
// writes rows by SQL cannot make one, and a row whose seal does not hold does not count. Reads and writes no rows.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonicalJson, type Json } from '../../domain/canonical-json.ts';
import { operationKinds } from '../../domain/workflow-inputs.ts';

/** What a row is, so that the seal of one kind never holds for another. Names are part of every seal: they stay. */
export const sealedKinds = [
  ...operationKinds,
  'api_key',
  'user',
  'workspace',
  'policy',
  'address_book_entry',
  'approval_round',
  'approval',
  'chain_transaction',
  'signed_transaction',
  'wallet_key',
  'wallet_address',
  'version',
  'resolution',
  'signing_group',
  'passkey',
  'enrolment_link',
  'session',
  'passkey_statement',
] as const;

export type SealedKind = (typeof sealedKinds)[number];

/**
 * What is sealed: every column that decides, the id and the workspace among them, so that no row can be copied to
 * another place.
 */
export type SealedContent = { readonly [column: string]: Json };

/** A change of a row that is sealed with its version. */
export interface SealedVersion {
  kind: SealedKind;
  id: string;
  /** As it is after the change: one more than before, and 1 for a row that is new. */
  version: number;
  /** Of a row that is deleted: nothing may stand in its place. */
  gone?: true;
}

/** Hears of each row that did not count. `id` names the row. */
export type OnBrokenSeal = (broken: { kind: SealedKind; id: string }) => void;

export class BrokenSealError extends Error {
  override name = 'BrokenSealError';
  readonly kind: SealedKind;
  readonly id: string;

  constructor(kind: SealedKind, id: string) {
    super(`the ${kind.replaceAll('_', ' ')} ${id} was not written by this service, or was changed since`);
    this.kind = kind;
    this.id = id;
  }
}

const VERSION = '1';
/** Source: RFC 5869; the name keeps this key apart from the one that encrypts secrets. */
const KEY_NAME = 'countersign row seal 1';

export class Seals {
  readonly #keys: readonly Buffer[];
  readonly #onBroken: OnBrokenSeal;

  /**
   * `keyEncryptionKeys`: the one of today, under which rows are sealed, then those whose seals still hold. 32 bytes
   * each.
   */
  constructor(keyEncryptionKeys: readonly Buffer[], onBroken: OnBrokenSeal = () => {}) {
    if (keyEncryptionKeys.length === 0) throw new Error('a seal needs a key-encryption key');
    this.#keys = keyEncryptionKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', KEY_NAME, 32)));
    this.#onBroken = onBroken;
  }

  /** `1.` and 64 hex digits. */
  seal(kind: SealedKind, content: SealedContent): string {
    return `${VERSION}.${macOf(this.#keys[0] as Buffer, kind, content).toString('hex')}`;
  }

  /** Whether the seal is one of ours over exactly this content. Reports nothing. */
  holds(kind: SealedKind, content: SealedContent, seal: string | null): boolean {
    const given = readSeal(seal);
    return given !== undefined && this.#keys.some((key) => timingSafeEqual(macOf(key, kind, content), given));
  }

  /** Whether it holds and was made under the key of today. */
  isCurrent(kind: SealedKind, content: SealedContent, seal: string | null): boolean {
    return seal === this.seal(kind, content);
  }

  /** Whether the row counts. One that does not is reported. */
  counts(kind: SealedKind, id: string, content: SealedContent, seal: string | null): boolean {
    if (this.holds(kind, content, seal)) return true;
    this.#onBroken({ kind, id });
    return false;
  }

  /** Throws BrokenSealError, and reports it, when the row does not count. */
  assert(kind: SealedKind, id: string, content: SealedContent, seal: string | null): void {
    if (!this.counts(kind, id, content, seal)) throw new BrokenSealError(kind, id);
  }

  /** What is to be thrown of a row that says something else than the audit log: reported. */
  broken(kind: SealedKind, id: string): BrokenSealError {
    this.#onBroken({ kind, id });
    return new BrokenSealError(kind, id);
  }
}

const macOf = (key: Buffer, kind: SealedKind, content: SealedContent): Buffer =>
  createHmac('sha256', key)
    .update(`${kind}\n${canonicalJson(content)}`)
    .digest();

function readSeal(seal: string | null): Buffer | undefined {
  const [, hex] = /^1\.([0-9a-f]{64})$/.exec(seal ?? '') ?? [];
  return hex === undefined ? undefined : Buffer.from(hex, 'hex');
}
