// Statements for passkeys as the service hands them out: whole, with a seal of its own, so that nothing is stored for
// whoever only asks, and what comes back is what was asked. A ticket is used once.
import { randomBytes } from 'node:crypto';
import { canonicalJson, type Json } from '../../domain/canonical-json.ts';
import { challengeOf, type Statement } from '../../domain/passkeys/statements.ts';
import { PASSKEY_CEREMONY_MAX_MS } from '../../domain/time-limits.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { useChallenge } from '../../drizzle/passkeys/used-challenges.ts';
import type { SealedContent, Seals } from '../../drizzle/seals/seals.ts';
import { AuthenticationError } from '../http/errors.ts';

/** What is asked of a passkey, without what makes it the only one of its kind. */
export type Asked<Purpose extends Statement['purpose'] = Statement['purpose']> = Purpose extends unknown
  ? Omit<Extract<Statement, { purpose: Purpose }>, 'nonce' | 'expires_at'>
  : never;

export interface Ticket {
  /** To be sent back with the answer of the passkey. */
  ticket: string;
  /** base64url: what the passkey signs. */
  challenge: string;
}

const SEALED = 'passkey_statement';

export function issueTicket(seals: Seals, asked: Asked): Ticket {
  const statement: Statement = {
    ...asked,
    nonce: randomBytes(16).toString('base64url'),
    expires_at: new Date(Date.now() + PASSKEY_CEREMONY_MAX_MS).toISOString(),
  };
  const text = canonicalJson(statement as unknown as Json);
  const seal = seals.seal(SEALED, statement as unknown as SealedContent);
  return { ticket: `${Buffer.from(text).toString('base64url')}.${seal}`, challenge: challengeOf(statement) };
}

/** The statement of a ticket of ours for this purpose that has not expired. Whether it was used is not asked yet. */
export function openTicket<Purpose extends Statement['purpose']>(
  seals: Seals,
  ticket: string,
  purpose: Purpose,
): Extract<Statement, { purpose: Purpose }> {
  const at = ticket.indexOf('.');
  const statement = readStatement(ticket.slice(0, at));
  const isOurs =
    statement !== undefined &&
    statement.purpose === purpose &&
    seals.holds(SEALED, statement as unknown as SealedContent, ticket.slice(at + 1));
  if (!isOurs || Date.parse(statement.expires_at) <= Date.now()) throw new AuthenticationError('passkey not verified');
  return statement as Extract<Statement, { purpose: Purpose }>;
}

/** To be called in the transaction of what follows: of two answers to one statement the second is refused. */
export async function useTicket(tx: Transaction, statement: Statement): Promise<void> {
  if (!(await useChallenge(tx, challengeOf(statement), new Date(statement.expires_at))))
    throw new AuthenticationError('passkey not verified');
}

function readStatement(text: string): Statement | undefined {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Statement) : undefined;
  } catch {
    return undefined;
  }
}
