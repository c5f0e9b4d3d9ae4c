// Which withdrawals that hold a nonce can still be reached from the chain's next one.

/** So many transactions of one key nobody signs: what waits so far ahead never lands. */
const UNREACHABLE_AHEAD = 2 ** 24;

/** Whether a nonce was made up by a node: it lies so far ahead of the chain's next one that it never lands. */
export const isUnreachable = (nonce: number, next: number): boolean => nonce >= next + UNREACHABLE_AHEAD;
