// Goal: the statuses and their arrows are those of the contract, no more and no fewer. Method: the contract's arrows
// are written here a second time, as it writes them, and every pair of statuses is tried against them.
import { describe, expect, test } from 'vitest';
import {
  assertArrow,
  isFinal,
  openSigningStatuses,
  openWalletStatuses,
  openWithdrawalStatuses,
  signingArrows,
  signingStatuses,
  signingStatusReasons,
  undecidedWithdrawalStatuses,
  walletArrows,
  walletStatuses,
  withdrawalArrows,
} from '../../../domain/statuses.ts';

interface Machine {
  statuses: readonly string[];
  arrows: Readonly<Record<string, readonly string[]>>;
  first: string;
  final: readonly string[];
  contract: readonly string[];
}

const machines: [string, Machine][] = [
  [
    'signing',
    {
      statuses: signingStatuses,
      arrows: signingArrows,
      first: 'pending',
      final: ['failed', 'success'],
      contract: ['pending → submitted', 'submitted → success', 'submitted → failed', 'pending → failed'],
    },
  ],
  [
    'wallet',
    {
      statuses: walletStatuses,
      arrows: walletArrows,
      first: 'creating',
      final: ['failed', 'archived'],
      contract: [
        'creating → active',
        'creating → failed',
        'active → frozen',
        'frozen → active',
        'active → archived',
        'frozen → archived',
      ],
    },
  ],
];

describe.each(machines)('%s', (_name, { statuses, arrows, first, final, contract }) => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));

  test.each(pairs)('%s → %s is an arrow exactly when the contract says so', (from, to) => {
    const move = () => assertArrow(arrows, from, to);
    if (contract.includes(`${from} → ${to}`)) expect(move).not.toThrow();
    else expect(move).toThrow(`no arrow from status ${from} to ${to}`);
  });

  test('no arrow starts or ends outside of the statuses', () => {
    expect(Object.keys(arrows).sort()).toEqual([...statuses].sort());
    for (const to of Object.values(arrows).flat()) expect(statuses).toContain(to);
  });

  test('nothing leads out of a final status, and something out of every other', () => {
    expect(statuses.filter((status) => arrows[status]?.length === 0).sort()).toEqual([...final].sort());
  });

  test('every status is reached from the first', () => {
    const reached = new Set([first]);
    for (const from of reached) for (const to of arrows[from] ?? []) reached.add(to);
    expect([...reached].sort()).toEqual([...statuses].sort());
  });
});

test('what is open, in the order in which the partial indexes have it', () => {
  expect(openSigningStatuses).toEqual(['pending', 'submitted']);
  expect(openWalletStatuses).toEqual(['creating', 'active', 'frozen']);
  expect(openWithdrawalStatuses).toEqual(['pending', 'pending_approval', 'approved', 'processing']);
  expect(undecidedWithdrawalStatuses).toEqual(['pending', 'pending_approval']);
  expect(isFinal(withdrawalArrows, 'rejected')).toBe(true);
  expect(isFinal(withdrawalArrows, 'processing')).toBe(false);
});

test('a caller reads the reasons of the contract', () => {
  const open = ['awaiting_approval', 'queued', 'cluster_not_ready'];
  const failed = ['policy_denied', 'approval_rejected', 'approval_expired', 'cancelled', 'frozen'];
  expect(signingStatusReasons).toEqual([...open, ...failed, 'mpc_timeout', 'mpc_error', 'signature_invalid']);
});
