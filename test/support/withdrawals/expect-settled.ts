// What must hold at every end of a withdrawal: the ledger balances, nothing is held, and what is available is what the
// chain shows. Asks no chain: the caller did.
import { expect } from 'vitest';
import type { WithdrawalStack } from './withdrawals.ts';

/** `onChain`: base units by symbol, as a client of the test's own was told them. */
export async function expectSettled(
  stack: WithdrawalStack,
  walletId: string,
  networkCode: string,
  onChain: Readonly<Record<string, bigint>>,
): Promise<void> {
  await stack.assertBalanced();
  for (const [symbol, amount] of Object.entries(onChain)) {
    const read = (kind: 'available' | 'held' | 'outside') => stack.balance(walletId, networkCode, kind, symbol);
    const ledger = { symbol, available: await read('available'), held: await read('held') };
    expect(ledger).toEqual({ symbol, available: amount, held: 0n });
    expect(await read('outside')).toBe(-amount);
  }
}
