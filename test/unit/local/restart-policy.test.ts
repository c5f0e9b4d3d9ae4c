// Goal: a part of `npm start` that ends is started again, with growing pauses, and ends everything when it ends five
// times within a minute. Method: the policy by times that are told to it, and its use with parts of the test's own and
// a fake clock.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepRunning } from '../../../src/local/processes/keep-running.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { RestartPolicy } from '../../../src/local/processes/restart-policy.ts';

const MINUTE_MS = 60_000;

describe('RestartPolicy', () => {
  test('pauses for longer after each end of the last minute, and allows no start after the fifth', () => {
    const policy = new RestartPolicy();
    const pauses = [0, 1_000, 2_000, 3_000, MINUTE_MS - 1].map((nowMs) => policy.pauseAfterEnd(nowMs));
    expect(pauses).toEqual([250, 1_000, 4_000, 16_000, undefined]);
  });

  test('forgets ends that are a minute old: what ends every quarter of a minute is started for ever', () => {
    const policy = new RestartPolicy();
    const pauses = Array.from({ length: 20 }, (_, index) => policy.pauseAfterEnd(index * 15_000));
    expect(pauses.slice(0, 5)).toEqual([250, 1_000, 4_000, 16_000, 16_000]);
    expect(new Set(pauses.slice(5))).toEqual(new Set([16_000]));
    expect(policy.pauseAfterEnd(20 * 15_000 + MINUTE_MS)).toBe(250);
  });
});

describe('keepRunning', () => {
  const ending = new AbortController();
  const lines: string[] = [];
  const failures: string[] = [];
  const supervision = {
    report: (line: string) => void lines.push(line),
    signal: ending.signal,
    onExhausted: (failure: string) => void failures.push(failure),
  };
  beforeEach(() => {
    lines.length = 0;
    failures.length = 0;
    vi.useFakeTimers({ now: 0 });
  });
  afterEach(() => void vi.useRealTimers());

  test('tells each end and each return, and what was lost', async () => {
    const [first, second] = [new FakePart(), new FakePart()];
    const start = vi.fn(async () => second.part);
    void keepRunning(first.part, { name: 'The part', start, lost: 'Its memory is gone' }, supervision);
    first.end('SIGKILL');
    await vi.advanceTimersByTimeAsync(249);
    expect(start).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(start).toHaveBeenCalledTimes(1);
    expect(lines).toEqual([
      'The part ended (SIGKILL; log: part.log); it starts again in 0.25 s',
      'The part runs again. Its memory is gone',
    ]);
  });

  test('counts a start that fails as an end, and gives up with its sentence', async () => {
    const first = new FakePart();
    const start = vi.fn(async () => {
      throw new Error('The part did not start, its port is taken');
    });
    void keepRunning(first.part, { name: 'The part', start }, supervision);
    first.end('exit code 1');
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(start).toHaveBeenCalledTimes(4);
    expect(lines.map((line) => / in ([\d.]+) s/.exec(line)?.[1])).toEqual(['0.25', '1', '4', '16']);
    expect(failures).toEqual([
      'The part did not start, its port is taken. It has ended too often within a minute, so everything stops.',
    ]);
  });

  test('starts nothing once everything is to stop', async () => {
    const first = new FakePart();
    const start = vi.fn(async () => new FakePart().part);
    const kept = keepRunning(first.part, { name: 'The part', start }, supervision);
    first.end('SIGKILL');
    await vi.advanceTimersByTimeAsync(100);
    ending.abort();
    await kept;
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(start).not.toHaveBeenCalled();
    expect(failures).toEqual([]);
  });
});

class FakePart {
  end: (how: string) => void = () => {};
  readonly part: Part;

  constructor() {
    const exited = new Promise<string>((resolve) => {
      this.end = resolve;
    });
    this.part = {
      pid: 0,
      logFile: 'part.log',
      stopSignal: 'SIGTERM',
      exited,
      hasExited: () => false,
      kill: () => {},
      stop: async () => {},
      output: () => '',
    };
  }
}
