// What becomes of a withdrawal of which nothing is signed here, when it is given up: whether its money may be given
// back although an MPC node may have a signature that it did not hand over.

/** What left a wallet is found within a block or two (activities/deposits/outbound-movements.ts). */
export const OUTFLOWS_KNOWN_AFTER_MS = 10 * 60_000;
/** Longer than any chain without nonces or coins takes a transaction, and not before what has left is known. */
const EXPIRED_AFTER_MS = OUTFLOWS_KNOWN_AFTER_MS;

export interface AbandonmentFacts {
  /** Whether a node may have a signature of one of its transactions; `unclear` while one may still appear. */
  lostSignature: 'none' | 'possible' | 'unclear';
  /** Whether another transaction can take the place of them: they have a nonce, or coins. */
  isReplaceable: boolean;
  /** Whether every node of the network says of each of them that it can never land. */
  isProvenDead: boolean;
  /** Since the newest of them was built. */
  builtAgoMs: number;
  /** Whether something has left the wallet that no operator has explained: it may be one of them. */
  hasUnresolvedOutflow: boolean;
}

/**
 * `give_back`: nothing of it can land. `use_up`: its nonce or coins are used up first, by a transaction that moves
 * nothing. `ask_again`: nobody can tell yet.
 */
export type AbandonmentVerdict = 'give_back' | 'use_up' | 'ask_again';

export function judgeAbandonment(facts: AbandonmentFacts): AbandonmentVerdict {
  if (facts.lostSignature === 'unclear') return 'ask_again';
  if (facts.lostSignature === 'none') return 'give_back';
  if (facts.isReplaceable) return 'use_up';
  const cannotLand = facts.isProvenDead && facts.builtAgoMs >= EXPIRED_AFTER_MS && !facts.hasUnresolvedOutflow;
  return cannotLand ? 'give_back' : 'ask_again';
}
