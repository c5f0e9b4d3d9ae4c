// Goal: a worker asks the nodes of the cluster file that there is, and of no other. Method: ports that only say whose
// they are, and texts that are seen at moments that the test names; one case reads a real file.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FollowedCluster, followCluster, unreadableForMs } from '../../../activities/mpc/client/follow-cluster.ts';
import type { Cluster } from '../../../activities/mpc/port.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';

/** Files are named by one letter; `!` is not valid. */
const open = new Set<string>();
function connect(text: string): Cluster {
  if (text === '!') throw new Error('not a cluster file');
  open.add(text);
  const port: Partial<Cluster> = {
    nodes: [1, 2, 3],
    threshold: 2,
    health: async () => [{ node: 1, reachable: true, version: text }],
    close: async () => void open.delete(text),
  };
  return port as Cluster;
}
const log = { warn: vi.fn(), error: vi.fn() };
const sign = { operationId: '', attempt: 1, walletId: '', curve: 'ed25519', path: [] } as never;

beforeEach(() => {
  open.clear();
  vi.clearAllMocks();
});

describe('what is seen of the file', () => {
  let cluster: FollowedCluster;
  beforeEach(() => {
    cluster = new FollowedCluster({ connect, log }, 'a');
  });
  const served = async () => (await cluster.health()).map(({ version }) => version);

  it('is the file of the start: nothing ends', async () => {
    for (const at of [0, 10_000]) cluster.see('a', at);
    expect([...open]).toEqual(['a']);
    expect(log.warn).not.toHaveBeenCalled();
  });

  it('is another file: the connections of before end at once', async () => {
    cluster.see('b', 0);
    expect([...open]).toEqual(['b']);
    expect(await served()).toEqual(['b']);
    cluster.see('a', 1);
    expect([...open]).toEqual(['a']);
  });

  it.each(['!', undefined])('is %s for a moment only: nothing ends', (broken) => {
    for (let round = 0; round < 3; round += 1) {
      cluster.see(broken, 2 * round * unreadableForMs);
      cluster.see(broken, (2 * round + 1) * unreadableForMs - 1);
      cluster.see('a', (2 * round + 1) * unreadableForMs);
    }
    expect([...open]).toEqual(['a']);
  });

  it.each(['!', undefined])('is %s for a second: no node is asked until there is a file', async (broken) => {
    cluster.see(broken, 0);
    cluster.see(broken, unreadableForMs);
    cluster.see(broken, 9 * unreadableForMs);
    expect([...open]).toEqual([]);
    expect(log.error).toHaveBeenCalledTimes(1);
    await expect(cluster.sign(sign, anySignature)).rejects.toMatchObject({
      code: 'cluster_not_ready',
      retryable: true,
    });
    expect(await cluster.health()).toMatchObject([1, 2, 3].map((node) => ({ node, reachable: false })));
    expect([cluster.nodes, cluster.threshold]).toEqual([[1, 2, 3], 2]);
    cluster.see('a', 10 * unreadableForMs);
    expect(await served()).toEqual(['a']);
  });

  it('is nothing once it is closed', async () => {
    await cluster.close();
    cluster.see('b', 0);
    expect([...open]).toEqual([]);
  });
});

describe('a real file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-follow-'));
  const clusterFile = join(directory, 'cluster.json');
  beforeEach(() => mkdirSync(directory, { recursive: true }));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is looked at until it is closed', async () => {
    writeFileSync(clusterFile, 'a');
    const cluster = followCluster({ clusterFile, connect, log });
    writeFileSync(clusterFile, 'b');
    await vi.waitUntil(() => open.has('b') && !open.has('a'), { timeout: 60_000 });
    rmSync(clusterFile);
    await vi.waitUntil(() => open.size === 0, { timeout: 60_000 });
    writeFileSync(clusterFile, 'c');
    await vi.waitUntil(() => open.has('c'), { timeout: 60_000 });
    await cluster.close();
    expect(open.size).toBe(0);
  });

  it('is there for a process that hardly gets to run: nothing ends', async () => {
    writeFileSync(clusterFile, 'a');
    const cluster = followCluster({ clusterFile, connect, log });
    for (let turn = 0; turn < 12; turn += 1) {
      const untilMs = performance.now() + 400;
      while (performance.now() < untilMs);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(log.error).not.toHaveBeenCalled();
    expect([...open]).toEqual(['a']);
    await cluster.close();
  });

  it('is needed at the start', () => {
    expect(() => followCluster({ clusterFile, connect, log })).toThrow('ENOENT');
  });
});
