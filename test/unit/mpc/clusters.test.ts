// Goal: what is asked about a wallet's key reaches the cluster of that wallet and no other, whatever is known or away.
// Method: the router over ports in memory that remember what they are asked; where wallets belong is a map that counts
// its questions.
import { v4 } from 'uuid';
import { beforeEach, describe, expect, it } from 'vitest';
import { RoutedClusters } from '../../../activities/mpc/client/clusters.ts';
import type { Cluster } from '../../../activities/mpc/port.ts';
import { encode } from '../../../activities/mpc/transport/borsh.ts';
import { command } from '../../../activities/mpc/transport/wire.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';

const asked: string[] = [];
const methods = ['generateKey', 'refreshKey', 'sharesOf', 'repairShare', 'sign', 'close'] as const;

function portOf(name: string): Cluster {
  const port = Object.fromEntries(
    methods.map((method) => [method, async () => void asked.push(`${name} ${method}`)] as const),
  );
  return { nodes: [1, 2, 3], threshold: 2, ...port } as unknown as Cluster;
}

const hot = v4();
const cold = v4();
const lost = v4();
const belongsTo = new Map([
  [hot, 'main'],
  [cold, 'treasury'],
  [lost, 'elsewhere'],
]);
let lookedUp: string[];
let clusters: RoutedClusters;

beforeEach(() => {
  asked.length = 0;
  lookedUp = [];
  const clusterOf = async (walletId: string) => {
    lookedUp.push(walletId);
    return belongsTo.get(walletId);
  };
  const named = new Map(['main', 'treasury'].map((name) => [name, portOf(name)]));
  clusters = new RoutedClusters(named, { clusterOf, witnessOf: async () => undefined });
});

function repairOf(walletId: string): { command: string; signature: string } {
  const bytes = encode(command, {
    version: 1,
    roster: Buffer.alloc(32),
    commandId: Buffer.alloc(16),
    expiresAtMs: 1n,
    operation: {
      kind: 'Repair',
      walletId: Buffer.from(walletId.replaceAll('-', ''), 'hex'),
      curve: 'ed25519',
      epoch: 0,
      publicKey: Buffer.alloc(32),
      target: 3,
      nodes: Buffer.of(1, 2, 3),
    },
  });
  return { command: Buffer.from(bytes).toString('hex'), signature: '' };
}

/** Everything that can be asked about a key. */
const questions: Record<string, (walletId: string) => Promise<unknown>> = {
  generateKey: (walletId) => clusters.generateKey({ walletId, curve: 'ed25519' }),
  refreshKey: (walletId) => clusters.refreshKey({ walletId, curve: 'ed25519', root: undefined as never }),
  sharesOf: (walletId) => clusters.sharesOf({ walletId, curve: 'ed25519' }),
  repairShare: (walletId) => clusters.repairShare(repairOf(walletId)),
  sign: (walletId) => clusters.sign({ walletId } as never, anySignature),
};

describe.each(Object.entries(questions))('%s', (method, ask) => {
  it('goes to the cluster of the wallet', async () => {
    await ask(cold);
    await ask(hot);
    expect(asked).toEqual([`treasury ${method}`, `main ${method}`]);
  });

  it('waits, and goes nowhere, when the cluster is not known here', async () => {
    await expect(ask(lost)).rejects.toMatchObject({
      code: 'cluster_not_ready',
      retryable: true,
      message: 'this worker knows no cluster elsewhere, to which the wallet belongs',
    });
    expect(asked).toEqual([]);
  });

  it('is refused for a wallet that there is not', async () => {
    await expect(ask(v4())).rejects.toMatchObject({ code: 'mpc_refused', retryable: false });
    expect(asked).toEqual([]);
  });
});

it('looks once where a wallet belongs, also when its cluster is not known; a failure of looking is not remembered', async () => {
  for (let time = 0; time < 2; time += 1) {
    await questions['sign']?.(cold);
    await questions['sign']?.(lost).catch(() => undefined);
  }
  expect(lookedUp).toEqual([cold, lost]);
  const unborn = v4();
  await questions['sign']?.(unborn).catch(() => undefined);
  belongsTo.set(unborn, 'main');
  await questions['sign']?.(unborn);
  expect(asked.at(-1)).toBe('main sign');
});

it('refuses what is no repair command', async () => {
  await expect(clusters.repairShare({ command: '00', signature: '' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

it('closes all', async () => {
  await clusters.close();
  expect(asked).toEqual(['main close', 'treasury close']);
});
