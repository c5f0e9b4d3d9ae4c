// Verifies an exported audit log (JSONL) with nothing but the file and the public key of the service; with heads that
// were kept, also that nothing was cut off or written anew since. Pure, and in constant memory.
import {
  AUDIT_GENESIS_HASH,
  type AuditEntry,
  isSignedStatement,
  type SignedHead,
} from '../../domain/audit/audit-chain.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { ChainCheck, type Trusted, type Verification } from './chain-check.ts';
import { endStatement } from './export-lines.ts';

/** `lines` without their ends. */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  trusted: Trusted,
): Promise<Verification> {
  const file = new ExportCheck(trusted);
  for await (const text of lines) file.take(text);
  return file.finish();
}

/** At each newline and nowhere else: JSON may hold what other readers take for the end of a line. */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

const members = {
  entry: ['entry', 'hash', 'previous_hash', 'seq', 'type'],
  head: ['hash', 'public_key', 'seq', 'signature', 'signed_at', 'type', 'workspace_id'],
  end: ['from_seq', 'hash', 'heads', 'public_key', 'seq', 'signature', 'signed_at', 'type', 'workspace_id'],
} as const;

type Line = { type: keyof typeof members } & AuditEntry;

class ExportCheck {
  readonly #trusted: Trusted;
  #chain: ChainCheck | undefined;
  #fromSeq = 1;
  #number = 0;
  #heads = 0;
  #ended = false;

  constructor(trusted: Trusted) {
    this.#trusted = trusted;
  }

  take(text: string): void {
    this.#number += 1;
    const line = readLine(text);
    if (line === undefined) return this.#report(`Line ${this.#number} is not as the service writes it.`);
    if (this.#ended) return this.#report(`Line ${this.#number} comes after the end.`);
    if (line.type === 'entry') this.#entry(line);
    else if (line.type === 'head') this.#head(line);
    else this.#end(line);
  }

  finish(): Verification {
    if (!this.#ended) this.#report('The file has no signed end: it is not whole.');
    if (this.#begun().seq === 0) this.#report('The file has no entry, and every log begins with one.');
    return this.#begun().finish();
  }

  #entry(line: Line): void {
    const [seq, previousHash] = [line['seq'] as number, line['previous_hash'] as string];
    this.#begun(seq - 1, previousHash).link({
      seq,
      previousHash,
      hash: line['hash'] as string,
      entry: line['entry'] as AuditEntry,
    });
  }

  #head(line: Line): void {
    this.#heads += 1;
    this.#begun().head(toHead(line));
  }

  #end(line: Line): void {
    this.#ended = true;
    const { seq, hash } = this.#begun((line['from_seq'] as number) - 1, line['hash'] as string);
    const end = {
      workspaceId: this.#trusted.workspaceId,
      fromSeq: this.#fromSeq,
      seq,
      hash,
      heads: this.#heads,
      signedAt: line['signed_at'] as string,
    };
    const isStated = canonicalJson(endStatement(end)) === canonicalJson(endStatement(toEnd(line)));
    if (!isStated) this.#report('The end states other entries or heads than the file holds.');
    if (line['public_key'] !== this.#trusted.publicKey || !isSigned(this.#trusted.publicKey, line))
      this.#report('The signature of the end is not that of the trusted key.');
  }

  /** The chain begins with the first line that says where. */
  #begun(beforeSeq = 0, beforeHash = AUDIT_GENESIS_HASH): ChainCheck {
    if (this.#chain === undefined) {
      this.#fromSeq = beforeSeq + 1;
      const start = beforeSeq > 0 ? { seq: beforeSeq, hash: beforeHash } : { seq: 0, hash: AUDIT_GENESIS_HASH };
      this.#chain = new ChainCheck(this.#trusted, start);
    }
    return this.#chain;
  }

  #report(message: string): void {
    this.#begun().report(null, message);
  }
}

const isSigned = (publicKey: string, line: Line) =>
  isSignedStatement(publicKey, endStatement(toEnd(line)), line['signature'] as string);

/** Undefined for a line that is not the one way to write what it says. */
function readLine(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line;
    const names = Object.hasOwn(members, line.type) ? members[line.type] : undefined;
    if (names === undefined || Object.keys(line).sort().join() !== names.join()) return undefined;
    return isTyped(line) && canonicalJson(line) === text ? line : undefined;
  } catch {
    return undefined;
  }
}

const NUMBERS = ['seq', 'from_seq', 'heads'];

function isTyped(line: Line): boolean {
  return Object.entries(line).every(([name, value]) => {
    if (NUMBERS.includes(name)) return Number.isSafeInteger(value) && (value as number) >= 0;
    return name === 'entry'
      ? typeof value === 'object' && value !== null && !Array.isArray(value)
      : typeof value === 'string';
  });
}

function toHead(line: AuditEntry): SignedHead {
  return {
    workspaceId: line['workspace_id'] as string,
    seq: line['seq'] as number,
    hash: line['hash'] as string,
    signedAt: line['signed_at'] as string,
    publicKey: line['public_key'] as string,
    signature: line['signature'] as string,
  };
}

const toEnd = (line: Line) => ({
  workspaceId: line['workspace_id'] as string,
  fromSeq: line['from_seq'] as number,
  seq: line['seq'] as number,
  hash: line['hash'] as string,
  heads: line['heads'] as number,
  signedAt: line['signed_at'] as string,
});

/** A head as the API answers it, or as a line of an export holds it. Undefined when it is none. */
export function readHead(value: unknown): SignedHead | undefined {
  const { data = value } = value as { data?: unknown };
  const head = toHead(data as AuditEntry);
  const { seq, ...texts } = head;
  if (!Number.isSafeInteger(seq) || Object.values(texts).some((text) => typeof text !== 'string')) return undefined;
  return head;
}
