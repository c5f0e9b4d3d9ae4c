// Goal: requests and answers meet on one connection whatever the chunks, and limits hold. Method: frames are cut at
// random places; requests are answered out of order, late or never, with time mocked.
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClusterError } from '../../../activities/mpc/port.ts';
import { FrameSplitter, toFrame } from '../../../activities/mpc/transport/frames.ts';
import { PendingRequests } from '../../../activities/mpc/transport/pending-requests.ts';
import { maxFrameBytes, type ResponseBody } from '../../../activities/mpc/transport/wire.ts';

describe('frames', () => {
  it('come out whole, however the stream is cut', () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 });
    fc.assert(
      fc.property(bodies, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (frames, cuts) => {
        const stream = Buffer.concat(frames.map((frame) => toFrame([frame.subarray(0, 7), frame.subarray(7)])));
        const splitter = new FrameSplitter();
        const received: Buffer[] = [];
        for (let offset = 0, turn = 0; offset < stream.length; turn += 1) {
          const end = offset + (cuts[turn % cuts.length] ?? 1);
          received.push(...splitter.push(stream.subarray(offset, end)));
          offset = end;
        }
        expect(received.map((frame) => frame.toString('hex'))).toEqual(
          frames.map((frame) => Buffer.from(frame).toString('hex')),
        );
      }),
    );
  });

  it('above the cap are refused at their length', () => {
    const header = Buffer.alloc(4);
    header.writeUInt32BE(maxFrameBytes + 1);
    expect(() => new FrameSplitter().push(header)).toThrow(RangeError);
    expect(() => toFrame([Buffer.alloc(maxFrameBytes + 1)])).toThrow(RangeError);
    expect(toFrame([Buffer.alloc(maxFrameBytes)])).toHaveLength(maxFrameBytes + 4);
  });
});

describe('pending requests', () => {
  const answer: ResponseBody = { kind: 'InProgress' };
  let sent: string[] = [];
  let silences: number[] = [];
  const create = () =>
    new PendingRequests(
      2,
      (frame) => sent.push(frame.toString()),
      (sinceMs) => silences.push(sinceMs),
    );

  beforeEach(() => {
    vi.useFakeTimers();
    sent = [];
    silences = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('get the answer with their id, in any order', async () => {
    const pending = create();
    const first = pending.add(1n, Buffer.from('first'), 100);
    const second = pending.add(2n, Buffer.from('second'), 100);
    expect(pending.answer(2n, answer)).toBe(true);
    expect(pending.answer(2n, answer)).toBe(false);
    expect(pending.answer(1n, { kind: 'KeyState', state: { kind: 'Absent' } })).toBe(true);
    expect(await second).toBe(answer);
    expect((await first).kind).toBe('KeyState');
    expect(sent).toEqual(['first', 'second']);
  });

  it('are 64 at once, the rest follows in order', async () => {
    const pending = create();
    const all = Array.from({ length: 66 }, (_, number) => pending.add(BigInt(number), Buffer.from(`${number}`), 100));
    expect(sent).toHaveLength(64);
    pending.answer(7n, answer);
    expect(sent.at(-1)).toBe('64');
    pending.failAll(new ClusterError('cluster_not_ready', 'gone'));
    const settled = await Promise.allSettled(all);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('give up in time, report the silence and keep the place taken', async () => {
    const pending = create();
    const start = Date.now();
    const late = pending.add(1n, Buffer.from('late'), 100).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    expect(await late).toMatchObject({ code: 'cluster_not_ready', node: 2 });
    expect(silences).toEqual([start]);
    expect(pending.answer(1n, answer)).toBe(true);
  });

  it('do not pile up without limit', async () => {
    const pending = create();
    for (let number = 0; number < 64 + 4_096; number += 1) {
      pending.add(BigInt(number), Buffer.alloc(1), 100).catch(() => undefined);
    }
    await expect(pending.add(9_999n, Buffer.alloc(1), 100)).rejects.toMatchObject({ code: 'cluster_busy' });
  });
});
