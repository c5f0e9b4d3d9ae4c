// All nodes of a network as witnesses of what became of a transaction: what none of them may decide alone is believed
// only when all of them say the same. Asks, and changes nothing.

import type { Chains } from './connect-chains.ts';
import type { Chain, ExpiringChain } from './port/chain.ts';
import { ChainError } from './port/chain-error.ts';
import type { BuiltTransaction, Fate, Inclusion, SentTransaction } from './port/transactions.ts';

/**
 * The nodes that are configured for a network, the first one first; empty where there is none. Each is of another
 * operator.
 */
export function witnessesOf(chains: Chains, networkCode: string): readonly Chain[] {
  return [chains.find(networkCode), chains.findSecond(networkCode)].filter((chain) => chain !== undefined);
}

/** `disputed`: one witness contradicts another, cannot tell, or cannot be asked. `reason` is one sentence. */
export interface Verdict {
  outcome: 'dead' | 'alive' | 'disputed';
  reason: string;
  /** Of a transaction that was built: under which the first one says that it has landed. */
  txHash?: string;
}

/**
 * Whether none of these transactions has landed or ever can. `dead` only when every witness says so of each of them;
 * what the first one calls alive is not asked of the others. A witness that cannot be asked, or whose history begins
 * later, makes it `disputed`: the word of those that are left is not enough. Throws when the first one cannot be asked.
 */
export function judgeFates(witnesses: readonly Chain[], sent: readonly SentTransaction[]): Promise<Verdict> {
  return judgeEach(witnesses, sent, (witness, each) => witness.fateOf(each));
}

/**
 * Whether they can tell what became of a transaction by its content: where another may take its place they need not.
 */
export const canJudgeBuilt = (witnesses: readonly Chain[]): witnesses is readonly ExpiringChain[] =>
  witnesses.length > 0 && witnesses.every(({ model }) => model === 'expiring');

/**
 * The same of transactions that were built, of which somebody may have a signature: to be called where `canJudgeBuilt`.
 */
export function judgeBuilt(witnesses: readonly ExpiringChain[], built: readonly BuiltTransaction[]): Promise<Verdict> {
  return judgeEach(witnesses, built, (witness, each) => witness.fateOfBuilt(each));
}

async function judgeEach<Witness extends Chain, Each>(
  witnesses: readonly Witness[],
  transactions: readonly Each[],
  fateOf: (witness: Witness, each: Each) => Promise<Fate>,
): Promise<Verdict> {
  let reason = 'There is no transaction to judge.';
  for (const each of transactions) {
    const verdict = await judgeFate(witnesses, (witness) => fateOf(witness, each));
    if (verdict.outcome !== 'dead') return verdict;
    reason = verdict.reason;
  }
  return { outcome: transactions.length === 0 || witnesses.length === 0 ? 'disputed' : 'dead', reason };
}

async function judgeFate<Witness extends Chain>(
  [first, ...others]: readonly Witness[],
  ask: (witness: Witness) => Promise<Fate>,
): Promise<Verdict> {
  if (first === undefined) return { outcome: 'disputed', reason: 'No node is configured.' };
  const word = await ask(first);
  if (word.state === 'alive')
    return { outcome: 'alive', reason: sentence(0, word), ...(word.txHash && { txHash: word.txHash }) };
  const words = [word, ...(await Promise.all(others.map((other) => orUnsure(() => ask(other)))))];
  const contradicting = words.findIndex(({ state }) => state !== 'dead');
  if (contradicting < 0) return { outcome: 'dead', reason: capitalised(`${word.reason}.`) };
  const against = sentence(contradicting, words[contradicting] ?? word);
  const dead = words.findIndex(({ state }) => state === 'dead');
  return { outcome: 'disputed', reason: dead < 0 ? against : `${sentence(dead, words[dead] ?? word)} ${against}` };
}

async function orUnsure(ask: () => Promise<Fate>): Promise<Fate> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { state: 'unsure', reason: `it cannot answer (${error.message.replace(/\.$/, '')})` };
  }
}

const sentence = (index: number, { reason }: Fate) => `The ${ordinalOf(index)} node says that ${reason}.`;
const ordinalOf = (index: number) => (index === 0 ? 'first' : 'second');
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `behind`: a witness has not come so far, as happens for a moment on every chain. */
export interface Agreement {
  outcome: 'agreed' | 'behind' | 'disputed';
  reason: string;
}

/**
 * Whether the other witnesses show a transaction as the first one does: in the same block, as deep as is asked for,
 * with the same result and the same fee.
 */
export async function agreeOnInclusion(
  [, ...others]: readonly Chain[],
  txHash: string,
  claimed: Inclusion,
  confirmations: number,
): Promise<Agreement> {
  for (const [index, other] of others.entries()) {
    const agreement = await compareInclusion(other, txHash, claimed, confirmations).catch((error: unknown) => {
      if (!(error instanceof ChainError)) throw error;
      return { outcome: 'disputed' as const, reason: `cannot answer (${error.message.replace(/\.$/, '')})` };
    });
    if (agreement.outcome === 'agreed') continue;
    return { ...agreement, reason: `The ${ordinalOf(index + 1)} node ${agreement.reason}.` };
  }
  return { outcome: 'agreed', reason: '' };
}

async function compareInclusion(
  other: Chain,
  txHash: string,
  claimed: Inclusion,
  confirmations: number,
): Promise<Agreement> {
  const status = await other.follow(txHash);
  if (status.state !== 'included') {
    const head = await other.head();
    if (head.number < claimed.blockNumber + confirmations - 1)
      return { outcome: 'behind', reason: `has only come to block ${head.number}` };
    return {
      outcome: 'disputed',
      reason: `does not have it in block ${claimed.blockNumber}, where the first node has it`,
    };
  }
  const differs =
    status.blockHash !== claimed.blockHash
      ? 'in another block'
      : status.succeeded !== claimed.succeeded
        ? 'with another result'
        : status.feePaid !== claimed.feePaid
          ? 'with another fee'
          : undefined;
  if (differs !== undefined) return { outcome: 'disputed', reason: `shows it ${differs} than the first node` };
  if (status.confirmations < confirmations)
    return { outcome: 'behind', reason: `gives it only ${status.confirmations} confirmations` };
  return { outcome: 'agreed', reason: '' };
}
