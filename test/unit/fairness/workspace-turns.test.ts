// Goal: one workspace never runs more at once than it may, what waits comes in its order or gives up its slot, and no
// other workspace waits for it. Method: the line by itself.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RecentSignatures } from '../../../src/worker/recent-signatures.ts';
import { WorkspaceLine } from '../../../src/worker/workspace-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const waiterOf = (cancellationSignal: AbortSignal) => ({ cancellationSignal, heartbeat: () => {} });
const never = waiterOf(new AbortController().signal);
const BUSY = { type: 'workspace_busy', nonRetryable: false, message: expect.stringContaining('workspace') };

/** Names those whose turn has come. */
function enterAll(line: WorkspaceLine, names: readonly string[]) {
  const entered: string[] = [];
  const ends = new Map<string, () => void>();
  const turns = names.map(async (name) => {
    const end = await line.enter(name.slice(0, 1), never);
    entered.push(name);
    ends.set(name, end);
  });
  return { entered, turns, end: async (name: string) => (ends.get(name)?.(), vi.advanceTimersByTimeAsync(0)) };
}

test('a workspace has its places, the rest waits in its order, and others do not wait', async () => {
  const line = new WorkspaceLine({ atOnceMax: 2, waitingMax: 10 });
  const { entered, end } = enterAll(line, ['a1', 'a2', 'a3', 'a4', 'b1']);
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toEqual(['a1', 'a2', 'b1']);
  await end('a2');
  expect(entered.slice(3)).toEqual(['a3']);
  await end('a1');
  expect(entered.slice(4)).toEqual(['a4']);
});

test('who finds too many waiting goes away at once, to be tried again in seconds', async () => {
  const line = new WorkspaceLine({ atOnceMax: 1, waitingMax: 1 });
  const { turns } = enterAll(line, ['a1', 'a2']);
  await turns[0];
  await expect(line.enter('a', never)).rejects.toMatchObject(BUSY);
  await expect(line.enter('b', never)).resolves.toBeTypeOf('function');
});

test('who has waited for long, or is cancelled, gives its slot back and is not given a turn', async () => {
  const line = new WorkspaceLine({ atOnceMax: 1, waitingMax: 10 }, { waitMaxMs: 1_000 });
  const end = await line.enter('a', never);
  const cancelled = new AbortController();
  const [late, gone] = [line.enter('a', never), line.enter('a', waiterOf(cancelled.signal))];
  const outcomes = Promise.all([expect(late).rejects.toMatchObject(BUSY), expect(gone).rejects.toMatchObject(BUSY)]);
  cancelled.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  await outcomes;
  end();
  await expect(line.enter('a', never)).resolves.toBeTypeOf('function');
});

const besideSignatures = { atOnceMax: 1, rest: { factor: 2, leastMs: 500 } };

test('while others sign a workspace has fewer places, which rest after a turn: twice as long as it took, and at least for their least time', async () => {
  const line = new WorkspaceLine({ atOnceMax: 2, waitingMax: 10, besideSignatures }, { othersSign: () => true });
  const { entered, end } = enterAll(line, ['a1', 'a2', 'a3']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(entered).toEqual(['a1']);
  await end('a1');
  await vi.advanceTimersByTimeAsync(1_900);
  expect(entered).toEqual(['a1']);
  await vi.advanceTimersByTimeAsync(350);
  expect(entered).toEqual(['a1', 'a2']);
  await end('a2');
  await vi.advanceTimersByTimeAsync(450);
  expect(entered).toEqual(['a1', 'a2']);
  await vi.advanceTimersByTimeAsync(350);
  expect(entered).toEqual(['a1', 'a2', 'a3']);
});

test('a rest ends when nobody else signs any more, and all places are used again', async () => {
  let othersSign = true;
  const line = new WorkspaceLine(
    { atOnceMax: 2, waitingMax: 10, besideSignatures },
    { othersSign: (workspaceId) => othersSign && workspaceId === 'a' },
  );
  const { entered, end } = enterAll(line, ['a1', 'a2', 'a3', 'b1', 'b2']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(entered).toEqual(['a1', 'b1', 'b2']);
  await end('a1');
  othersSign = false;
  await vi.advanceTimersByTimeAsync(300);
  expect(entered.slice(3)).toEqual(['a2', 'a3']);
});

test('signatures of a workspace count for others, and for a few seconds', () => {
  let now = 0;
  const recent = new RecentSignatures(() => now);
  expect(recent.ofOthers('a')).toBe(false);
  recent.note('a');
  recent.note('a');
  expect([recent.ofOthers('a'), recent.ofOthers('b')]).toEqual([false, true]);
  now = 6_000;
  recent.note('b');
  expect([recent.ofOthers('a'), recent.ofOthers('b')]).toEqual([true, true]);
  now = 12_000;
  expect([recent.ofOthers('a'), recent.ofOthers('b')]).toEqual([true, false]);
});
