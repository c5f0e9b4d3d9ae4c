// Goal: a worker whose clusters have changed names asks them for nothing, and everything waits; whatever else is wrong
// holds nothing up. Method: two clusters in memory that know or do not know the keys of wallets, and are away; what
// they were asked is remembered.
import { v4 } from 'uuid';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RoutedClusters } from '../../../activities/mpc/client/clusters.ts';
import { type Cluster, ClusterError } from '../../../activities/mpc/port.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';

const hot = v4();
const cold = v4();
/** That have keys, by the database: the newest of each name. */
let witnesses: Map<string, string>;
let places: Map<string, string>;
let asked: string[];

interface Nodes {
  /** Which keys are there. */
  keys: string[];
  away?: boolean;
}

function portOf(name: string, nodes: Nodes): Cluster {
  const port = {
    sharesOf: async ({ walletId }: { walletId: string }) => {
      asked.push(`${name} sharesOf`);
      if (nodes.away === true) throw new ClusterError('cluster_not_ready', 'a node is away');
      if (!nodes.keys.includes(walletId)) throw new ClusterError('mpc_refused', 'the nodes do not know this wallet');
    },
    generateKey: async () => void asked.push(`${name} generateKey`),
    sign: async () => void asked.push(`${name} sign`),
  };
  return { nodes: [1, 2, 3], threshold: 2, ...port } as unknown as Cluster;
}

function worker(named: Record<string, Nodes>) {
  const ports = new Map(Object.entries(named).map(([name, nodes]) => [name, portOf(name, nodes)]));
  const clusters = new RoutedClusters(ports, {
    clusterOf: async (walletId) => places.get(walletId),
    witnessOf: async (cluster) => witnesses.get(cluster),
  });
  return {
    sign: (walletId: string) => clusters.sign({ walletId } as never, anySignature),
    create: (walletId: string) => clusters.generateKey({ walletId, curve: 'ed25519' }),
  };
}

const unborn = { main: v4(), treasury: v4() };

beforeEach(() => {
  asked = [];
  witnesses = new Map([
    ['main', hot],
    ['treasury', cold],
  ]);
  places = new Map([
    [hot, 'main'],
    [cold, 'treasury'],
    [unborn.main, 'main'],
    [unborn.treasury, 'treasury'],
  ]);
});

const swapped = {
  code: 'cluster_not_ready',
  retryable: true,
  message: expect.stringMatching(/^this worker has another cluster under the name .*; see MPC_CLUSTERS_FILE$/),
};
const done = () => asked.filter((question) => !question.endsWith('sharesOf'));

describe('swapped names', () => {
  it('are found before anything is signed or made, for both', async () => {
    const { sign, create } = worker({ main: { keys: [cold] }, treasury: { keys: [hot] } });
    for (const walletId of [hot, cold]) await expect(sign(walletId)).rejects.toMatchObject(swapped);
    for (const walletId of Object.values(unborn)) await expect(create(walletId)).rejects.toMatchObject(swapped);
    expect(done()).toEqual([]);
  });

  it.each(['main', 'treasury'] as const)('are found when only %s has a wallet', async (name) => {
    const only = name === 'main' ? hot : cold;
    witnesses = new Map([[name, only]]);
    const here: Nodes = { keys: [only] };
    const nowhere: Nodes = { keys: [] };
    const { create } = worker(name === 'main' ? { main: nowhere, treasury: here } : { main: here, treasury: nowhere });
    for (const walletId of Object.values(unborn)) await expect(create(walletId)).rejects.toMatchObject(swapped);
    expect(done()).toEqual([]);
  });

  it('are not ruled out while the other cluster is away', async () => {
    const { sign, create } = worker({ main: { keys: [] }, treasury: { keys: [], away: true } });
    const unclear = { code: 'cluster_not_ready', message: expect.stringContaining('treasury cannot be asked for it') };
    await expect(sign(hot)).rejects.toMatchObject(unclear);
    await expect(create(unborn.main)).rejects.toMatchObject(unclear);
    expect(done()).toEqual([]);
  });
});

describe('right names', () => {
  it('are looked at once', async () => {
    const { sign, create } = worker({ main: { keys: [hot] }, treasury: { keys: [cold] } });
    for (let time = 0; time < 3; time += 1) await Promise.all([sign(hot), sign(cold), create(unborn.main)]);
    expect(asked.filter((question) => question.endsWith('sharesOf')).sort()).toEqual([
      'main sharesOf',
      'treasury sharesOf',
    ]);
  });

  it('are those of a service without wallets', async () => {
    witnesses = new Map();
    const { create } = worker({ main: { keys: [] }, treasury: { keys: [] } });
    for (const walletId of Object.values(unborn)) await create(walletId);
    expect(asked).toEqual(['main generateKey', 'treasury generateKey']);
  });

  it('may be of a cluster that has lost its keys: those to come are made in it', async () => {
    const { create } = worker({ main: { keys: [] }, treasury: { keys: [cold] } });
    await create(unborn.main);
    expect(done()).toEqual(['main generateKey']);
  });

  it('are not asked about where there is one cluster', async () => {
    const { sign } = worker({ main: { keys: [] } });
    await sign(hot);
    expect(asked).toEqual(['main sign']);
  });
});

describe('while a node is away', () => {
  it('signatures are made, and not held up by a look each time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const main: Nodes = { keys: [hot], away: true };
    const { sign } = worker({ main, treasury: { keys: [cold] } });
    for (let time = 0; time < 3; time += 1) await sign(hot);
    expect(asked).toEqual(['main sharesOf', 'main sign', 'main sign', 'main sign']);
    vi.advanceTimersByTime(60_000);
    await sign(hot);
    vi.useRealTimers();
    expect(asked.slice(4)).toEqual(['main sharesOf', 'main sign']);
  });

  it('a key is made after a look, each time', async () => {
    const main: Nodes = { keys: [cold], away: true };
    const { create, sign } = worker({ main, treasury: { keys: [hot] } });
    await sign(hot);
    main.away = false;
    await expect(create(unborn.main)).rejects.toMatchObject(swapped);
    expect(done()).toEqual(['main sign']);
  });
});
