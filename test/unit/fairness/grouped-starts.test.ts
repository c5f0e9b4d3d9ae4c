// Goal: what comes alone is started alone, what waits goes together as far as one workflow may hold it, and nothing
// waits for ever: neither for an end that nobody hears of, nor behind groups that Temporal does not take. Method: the
// starts by themselves, before a Temporal that answers what the test says; the clock is the test's.
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GROUP_MEMBERS_MAX } from '../../../domain/signing-groups.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import type { SigningGroup } from '../../../domain/workflow-inputs.ts';
import { assertSealedGroup } from '../../../drizzle/signing-requests/signing-groups.ts';
import { GroupedStarts, isPlainSigning, type PlainSigning } from '../../../src/writes/grouped-starts.ts';
import { testSeals } from '../../support/rows/seals.ts';

const [one, another] = [uuidv7(), uuidv7()];
let nextId = 0n;

function signing(workspaceId = one, networkCode = 'ETHEREUM_SANDBOX'): PlainSigning {
  const signingId = uuidv7();
  const input = { signingId, workspaceId, walletId: uuidv7(), networkCode, kind: 'raw_digest', atOnce: true } as const;
  nextId += 1n;
  return { id: nextId, workflow: 'sign', workflowId: workflowIdOf('sign', signingId), input };
}

/** What was started: each a list of operations. `takesGroups`: whether Temporal does. */
function starts({ takesGroups = true } = {}) {
  const started: string[][] = [];
  const groups: SigningGroup[] = [];
  let onFinal: (id: string) => void = () => {};
  const grouped = new GroupedStarts({
    seals: testSeals,
    listen: (heard) => (onFinal = heard),
    startOne: async ({ input }) => {
      started.push([(input as PlainSigning['input']).signingId]);
      return true;
    },
    startGroup: async ({ input }) => {
      const group = input as SigningGroup;
      groups.push(group);
      if (takesGroups) started.push(group.members.map(({ signingId }) => signingId));
      return takesGroups;
    },
  });
  return { grouped, started, groups, end: (ids: readonly string[]) => ids.forEach((id) => onFinal(id)) };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('two of a workspace are started alone; what comes then waits for one to end, and goes together', async () => {
  const { grouped, started, groups, end } = starts();
  for (let count = 0; count < 8; count += 1) grouped.push(signing());
  await vi.advanceTimersByTimeAsync(0);
  expect(started.map(({ length }) => length)).toEqual([1, 1]);
  end(started[0] ?? []);
  await vi.advanceTimersByTimeAsync(0);
  expect(started.map(({ length }) => length)).toEqual([1, 1, 6]);
  expect(() => assertSealedGroup(testSeals, groups[0] as SigningGroup)).not.toThrow();
});

test('another workspace waits for none of it, and no group has members of two, or of two networks', async () => {
  const { grouped, started, groups, end } = starts();
  for (let count = 0; count < 4; count += 1) grouped.push(signing());
  grouped.push(signing(another));
  for (let count = 0; count < 2; count += 1) grouped.push(signing(one, 'SOL_SANDBOX'));
  await vi.advanceTimersByTimeAsync(0);
  expect(started).toHaveLength(3);
  for (const ids of started.slice(0, 2)) end(ids);
  await vi.advanceTimersByTimeAsync(0);
  expect(groups.map(({ members, networkCode }) => [members.length, networkCode])).toEqual([
    [2, 'ETHEREUM_SANDBOX'],
    [2, 'SOL_SANDBOX'],
  ]);
});

test('no group is larger than one workflow may hold', async () => {
  const { grouped, started } = starts();
  for (let count = 0; count < 3 * GROUP_MEMBERS_MAX; count += 1) grouped.push(signing());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(Math.max(...started.map(({ length }) => length))).toBe(GROUP_MEMBERS_MAX);
  expect(started.flat()).toHaveLength(3 * GROUP_MEMBERS_MAX);
});

test('as many as fill a group do not wait for others, up to a bound', async () => {
  const { grouped, started, end } = starts();
  for (let count = 0; count < 2 + 12 * GROUP_MEMBERS_MAX; count += 1) grouped.push(signing());
  await vi.advanceTimersByTimeAsync(0);
  const full = (groups: number) => Array.from({ length: groups }, () => GROUP_MEMBERS_MAX);
  expect(started.map(({ length }) => length)).toEqual([1, 1, ...full(10)]);
  end(started[2] ?? []);
  await vi.advanceTimersByTimeAsync(0);
  expect(started.map(({ length }) => length)).toEqual([1, 1, ...full(11)]);
});

test('an end that nobody hears of holds up nothing for longer than a second', async () => {
  const { grouped, started } = starts();
  for (let count = 0; count < 4; count += 1) grouped.push(signing());
  await vi.advanceTimersByTimeAsync(999);
  expect(started).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(started.map(({ length }) => length)).toEqual([1, 1, 2]);
});

test('after a group that Temporal does not take operations are started one by one for a minute', async () => {
  const { grouped, started, groups } = starts({ takesGroups: false });
  for (let count = 0; count < 6; count += 1) grouped.push(signing());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(groups).toHaveLength(1); // the outbox has its members still
  for (let count = 0; count < 6; count += 1) grouped.push(signing());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(groups).toHaveLength(1);
  expect(started).toHaveLength(8);
});

test('what needs approval, was ended, is traced, has another workflow or comes from a former version goes alone', () => {
  const plain = signing();
  expect(isPlainSigning(plain)).toBe(true);
  const { input } = plain;
  const { atOnce: _, ...former } = input;
  for (const other of [
    { ...plain, input: { ...input, approvalUntil: '2026-01-01T00:00:00Z' } },
    { ...plain, input: { ...input, ended: true } as const },
    { ...plain, input: former },
    { ...plain, traceContext: '00-1-1-01' },
    { ...plain, signal: 'changed' } as const,
    { ...plain, workflowId: input.signingId },
    { ...plain, workflow: 'withdraw' } as const,
  ])
    expect(isPlainSigning(other)).toBe(false);
});
