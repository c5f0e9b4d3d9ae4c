// Goal: one workspace never runs more at once than it may, what waits comes in its order or gives up its slot, and no other workspace waits for it. Method: the line by itself.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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
  const line = new WorkspaceLine({ atOnceMax: 1, waitingMax: 10 }, 1_000);
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

test('a place rests after its turn: twice as long as that took, and at least for its least time', async () => {
  const line = new WorkspaceLine({ atOnceMax: 1, waitingMax: 10, rest: { factor: 2, leastMs: 500 } });
  const { entered, end } = enterAll(line, ['a1', 'a2', 'a3']);
  await vi.advanceTimersByTimeAsync(1_000);
  await end('a1');
  await vi.advanceTimersByTimeAsync(1_990);
  expect(entered).toEqual(['a1']);
  await vi.advanceTimersByTimeAsync(20);
  expect(entered).toEqual(['a1', 'a2']);
  await end('a2');
  await vi.advanceTimersByTimeAsync(490);
  expect(entered).toEqual(['a1', 'a2']);
  await vi.advanceTimersByTimeAsync(20);
  expect(entered).toEqual(['a1', 'a2', 'a3']);
});
