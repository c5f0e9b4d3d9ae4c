// Checks an audit chain link by link, in constant memory: the order, every hash, every signed head. Pure: knows no file
// and no database, and is what both the service and the offline verifier judge by.
import {
  AUDIT_GENESIS_HASH,
  type AuditEntry,
  isSignedHead,
  type SignedHead,
  sealHash,
} from '../../domain/audit/audit-chain.ts';

const PROBLEMS_SHOWN_MAX = 20;

export interface Problem {
  /** Where in the chain; null for what is of no place. */
  seq: number | null;
  message: string;
}

export interface Verification {
  valid: boolean;
  /** How many entries were checked. */
  entries: number;
  /** The last place and its hash. */
  seq: number;
  hash: string;
  /** The first of them. */
  problems: Problem[];
}

export interface Link {
  seq: number;
  previousHash: string;
  hash: string;
  /** Undefined when there is none in this place. */
  entry: AuditEntry | undefined;
}

export interface Trusted {
  workspaceId: string;
  /** Raw 32 bytes, base64. */
  publicKey: string;
  /** Heads that were kept elsewhere: the chain must still agree with each. */
  kept: readonly SignedHead[];
}

export class ChainCheck {
  readonly #trusted: Trusted;
  readonly #problems: Problem[] = [];
  #count = 0;
  #entries = 0;
  #seq = 0;
  #hash = AUDIT_GENESIS_HASH;

  /** A chain that is not read from its beginning is believed from the place and the hash of a head that was kept. */
  constructor(trusted: Trusted, start: { seq: number; hash: string } = { seq: 0, hash: AUDIT_GENESIS_HASH }) {
    this.#trusted = trusted;
    for (const head of trusted.kept) this.#assertGenuine(head);
    if (start.seq > 0 && !trusted.kept.some(({ seq, hash }) => seq === start.seq && hash === start.hash))
      this.report(start.seq, 'What stands before this chain is vouched for by no head that was kept.');
    this.#seq = start.seq;
    this.#hash = start.hash;
  }

  get seq(): number {
    return this.#seq;
  }

  get hash(): string {
    return this.#hash;
  }

  report(seq: number | null, message: string): void {
    this.#count += 1;
    if (this.#problems.length < PROBLEMS_SHOWN_MAX) this.#problems.push({ seq, message });
  }

  link({ seq, previousHash, hash, entry }: Link): void {
    if (seq !== this.#seq + 1) this.report(seq, `After place ${this.#seq} comes place ${this.#seq + 1}, not ${seq}.`);
    if (previousHash !== this.#hash) this.report(seq, 'It does not name the hash of the entry before it.');
    if (entry === undefined) this.report(seq, 'The entry is missing.');
    else if (entry['workspace_id'] !== this.#trusted.workspaceId) this.report(seq, 'It is of another workspace.');
    else if (sealHash(seq, previousHash, entry) !== hash) this.report(seq, 'Its hash is not that of its content.');
    for (const kept of this.#trusted.kept)
      if (kept.seq === seq && kept.hash !== hash)
        this.report(seq, 'A head that was kept says another hash: the chain was written anew.');
    this.#entries += 1;
    this.#seq = seq;
    this.#hash = hash;
  }

  /** Of the link that was checked last. */
  head(head: SignedHead): void {
    this.#assertGenuine(head);
    if (head.seq !== this.#seq || head.hash !== this.#hash)
      this.report(head.seq, 'A signed head contradicts the chain.');
  }

  finish(): Verification {
    for (const { seq } of this.#trusted.kept)
      if (seq > this.#seq)
        this.report(seq, 'A head that was kept says that the chain reached this place: its end was cut off.');
    const [entries, seq, hash] = [this.#entries, this.#seq, this.#hash];
    return { valid: this.#count === 0, entries, seq, hash, problems: this.#problems };
  }

  #assertGenuine(head: SignedHead): void {
    const { workspaceId, publicKey } = this.#trusted;
    if (head.workspaceId !== workspaceId) this.report(head.seq, 'A head is of another workspace.');
    else if (!isSignedHead(publicKey, head))
      this.report(head.seq, 'The signature of a head is not that of the trusted key.');
  }
}
