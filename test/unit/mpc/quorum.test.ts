// Goal: quorums are chosen evenly among the nodes that are there, and never more sessions are live than allowed.
// Method: many leases are taken and given back, with nodes up and down and with time mocked.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Lease, Quorums } from '../../../activities/mpc/client/quorum.ts';
import type { NodeTransport } from '../../../activities/mpc/transport/node-transport.ts';

function setUp() {
  const warmed: number[] = [];
  const nodes = [1, 2, 3].map((index) => ({
    index,
    readiness: 'open' as NodeTransport['readiness'],
    warm: () => warmed.push(index),
    close: () => undefined,
    call: () => Promise.reject(new Error('not called here')),
  }));
  const quorums = new Quorums(nodes, 2);
  const take = async (key = 'key') => {
    const lease = await quorums.acquire(key, new Set());
    if (lease === undefined) throw new Error('no quorum is left');
    return lease;
  };
  const [first, second, third] = nodes;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three nodes');
  return { quorums, take, warmed, nodes: [first, second, third] as const };
}

function countByQuorum(leases: readonly Lease[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { quorum } of leases) counts[quorum.name] = (counts[quorum.name] ?? 0) + 1;
  return counts;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the choice', () => {
  it('is even, one at a time and all at once', async () => {
    const { take } = setUp();
    const one: Lease[] = [];
    for (let count = 0; count < 30; count += 1) {
      const lease = await take();
      lease.release();
      one.push(lease);
    }
    expect(countByQuorum(one)).toEqual({ '1+2': 10, '1+3': 10, '2+3': 10 });
    const leases = await Promise.all(Array.from({ length: 30 }, () => take()));
    expect(countByQuorum(leases)).toEqual({ '1+2': 10, '1+3': 10, '2+3': 10 });
  });

  it('avoids a node that is down, and asks it to come back meanwhile', async () => {
    const { take, nodes, warmed } = setUp();
    nodes[2].readiness = 'down';
    const leases = await Promise.all(Array.from({ length: 6 }, () => take()));
    expect(countByQuorum(leases)).toEqual({ '1+2': 6 });
    expect(new Set(warmed)).toEqual(new Set([3]));
  });

  it('prefers an untried node to one that is down, and takes what is left', async () => {
    const { take, nodes } = setUp();
    nodes[0].readiness = 'untried';
    nodes[1].readiness = 'down';
    expect((await take()).quorum.name).toBe('1+3');
    nodes[0].readiness = 'down';
    nodes[2].readiness = 'down';
    expect((await take()).quorum.nodes).toHaveLength(2);
  });

  it('leaves out what was tried or banned for this key, until the ban is old', async () => {
    vi.useFakeTimers();
    const { quorums, take } = setUp();
    const [first, second, third] = quorums.all;
    if (first === undefined || second === undefined || third === undefined) throw new Error('three quorums');
    quorums.ban('key', first);
    const choose = async (key: string) => (await quorums.acquire(key, new Set([second])))?.quorum.name;
    expect(new Set([await choose('key'), await choose('key'), await choose('key')])).toEqual(new Set(['2+3']));
    expect(await quorums.acquire('key', new Set([second, third]))).toBeUndefined();
    expect((await quorums.acquire('other', new Set([second, third])))?.quorum).toBe(first);
    vi.advanceTimersByTime(60_001);
    expect((await quorums.acquire('key', new Set([second, third])))?.quorum).toBe(first);
    expect((await take()).quorum).toBeDefined();
  });
});

describe('the limits', () => {
  it('let 12 sessions live for a key and quorum, and serve who waits in order', async () => {
    const { take } = setUp();
    const leases = await Promise.all(Array.from({ length: 36 }, () => take()));
    expect(countByQuorum(leases)).toEqual({ '1+2': 12, '1+3': 12, '2+3': 12 });
    const served: string[] = [];
    const waiting = ['first', 'second'].map(async (name) => {
      const lease = await take();
      served.push(name);
      return lease;
    });
    // A key at its limit holds up no other.
    expect((await take('another key')).quorum).toBeDefined();
    expect(served).toEqual([]);
    leases[5]?.release();
    leases[5]?.release();
    const lease = await waiting[0];
    expect(lease?.quorum).toBe(leases[5]?.quorum);
    expect(served).toEqual(['first']);
    lease?.release();
    await waiting[1];
    expect(served).toEqual(['first', 'second']);
  });

  it('let 96 sessions live in all', async () => {
    const { take } = setUp();
    const leases = await Promise.all(Array.from({ length: 96 }, (_, number) => take(`key ${number % 8}`)));
    let served = false;
    const waiting = take('new key').then((lease) => {
      served = true;
      return lease;
    });
    await new Promise(setImmediate);
    expect(served).toBe(false);
    leases[0]?.release();
    await waiting;
  });

  it('say busy after 15 seconds, and let a caller leave', async () => {
    vi.useFakeTimers();
    const { quorums, take } = setUp();
    const leases = await Promise.all(Array.from({ length: 36 }, () => take()));
    const abort = new AbortController();
    const left = quorums.acquire('key', new Set(), abort.signal).catch((error: unknown) => error);
    const late = take().catch((error: unknown) => error);
    abort.abort();
    expect(await left).toMatchObject({ code: 'aborted' });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await late).toMatchObject({ code: 'cluster_busy', retryable: true });
    leases[0]?.release();
    expect((await take()).quorum).toBe(leases[0]?.quorum);
  });
});
