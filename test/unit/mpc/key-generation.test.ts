// Goal: a key becomes real on all nodes or on none that anyone relies on, whatever crashes and whenever. Method: the
// orchestrator, then each node, is killed at every single request, before and after it is carried out; afterwards a new
// orchestrator must reach one key on all three nodes.
import { stringify, v4 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { ClusterError, type PublicKey } from '../../../activities/mpc/port.ts';
import type { Confirmation } from '../../../activities/mpc/transport/wire.ts';
import { type Curve, curves } from '../../../domain/statuses.ts';
import { Crash, FakeWorld, faultAt } from './fake-nodes.ts';

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

async function expectOneKey(world: FakeWorld, walletId: string, curve: Curve): Promise<PublicKey> {
  world.restartAll();
  const key = await world.orchestrator().generateKey({ walletId, curve });
  for (const node of world.nodes) {
    const [confirmations, ...others] = node.committed.values();
    expect(others).toEqual([]);
    const keys = confirmations?.map(({ statement }) => hexOf(statement.publicKey));
    expect(keys).toEqual([1, 2, 3].map(() => hexOf(key.publicKey)));
  }
  return key;
}

describe.each(curves)('on %s', (curve) => {
  it('returns one key, which is on every node and signs with every quorum', async () => {
    const world = new FakeWorld();
    const signed = new Set<string>();
    world.faults = {
      after: (_node, body, answer) => {
        if (answer.kind === 'Round' && answer.outcome?.kind === 'Signature' && body.kind === 'Continue') {
          signed.add(Buffer.from(body.commandId).toString('hex'));
        }
        return answer;
      },
    };
    const walletId = v4();
    await world.orchestrator().generateKey({ walletId, curve });
    expect(signed.size).toBe(3);
    const key = await expectOneKey(world, walletId, curve);
    expect(await world.orchestrator().generateKey({ walletId, curve })).toEqual(key);
  });

  it.each(['before', 'after'] as const)('survives the orchestrator at every request, %s it', async (moment) => {
    for (let turn = 1; ; turn += 1) {
      const world = new FakeWorld();
      const walletId = v4();
      const struck = faultAt(world, turn, moment, () => {
        throw new Crash();
      });
      const first = world.orchestrator().generateKey({ walletId, curve });
      const outcome = await first.then(
        () => 'key',
        (error: unknown) => error,
      );
      if (!struck()) break;
      expect(outcome).toBeInstanceOf(Crash);
      await expectOneKey(world, walletId, curve);
      expect(turn).toBeLessThan(200);
    }
  });

  it.each(['before', 'after'] as const)('survives a node at every request, %s it', async (moment) => {
    for (let turn = 1; ; turn += 1) {
      const world = new FakeWorld();
      const walletId = v4();
      const struck = faultAt(world, turn, moment, (node) => node.kill());
      const outcome = await world
        .orchestrator()
        .generateKey({ walletId, curve })
        .then(
          () => 'key',
          (error: unknown) => error,
        );
      if (!struck()) break;
      // The last answer of a test signature may be lost: the other node has given the same one.
      if (outcome !== 'key') {
        expect(outcome).toBeInstanceOf(ClusterError);
        expect(outcome).toMatchObject({ code: 'cluster_not_ready', retryable: true });
      }
      await expectOneKey(world, walletId, curve);
    }
  });

  it('gives two racing orchestrators the same key', async () => {
    for (let round = 0; round < 20; round += 1) {
      const world = new FakeWorld();
      const walletId = v4();
      // Every request is delayed by chance, so that the two overlap differently each time.
      for (const node of world.nodes) {
        const call = node.call.bind(node);
        node.call = async (body, timeoutMs) => {
          for (let wait = Math.random() * 4; wait > 0; wait -= 1) await new Promise(setImmediate);
          return call(body, timeoutMs);
        };
      }
      const racing = [1, 2, 3].map(() => world.orchestrator().generateKey({ walletId, curve }));
      const settled = await Promise.allSettled(racing);
      for (const result of settled) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ retryable: true });
      }
      const key = await expectOneKey(world, walletId, curve);
      for (const result of settled) if (result.status === 'fulfilled') expect(result.value).toEqual(key);
    }
  });
});

it('runs one generation for two callers in one process', async () => {
  const world = new FakeWorld();
  const cluster = world.orchestrator();
  const walletId = v4();
  const both = [
    cluster.generateKey({ walletId, curve: 'ed25519' }),
    cluster.generateKey({ walletId: walletId.toUpperCase(), curve: 'ed25519' }),
  ];
  const [first, second] = await Promise.all(both);
  expect(first).toEqual(second);
  expect(world.node(1).asked.filter((kind) => kind === 'KeyState')).toHaveLength(1);
});

it('starts nothing while a node is away', async () => {
  const world = new FakeWorld();
  world.node(3).kill();
  const request = { walletId: v4(), curve: 'secp256k1' } as const;
  await expect(world.orchestrator().generateKey(request)).rejects.toMatchObject({ code: 'cluster_not_ready', node: 3 });
  expect(new Set(world.nodes.flatMap(({ asked }) => asked))).toEqual(new Set(['KeyState']));
});

it('refuses a key that a node has confirmed differently', async () => {
  const world = new FakeWorld();
  world.faults = {
    after: (node, _body, answer) => {
      if (answer.kind !== 'Round' || answer.outcome?.kind !== 'Key' || node.index !== 2) return answer;
      const { confirmation } = answer.outcome;
      const statement = { ...confirmation.statement, chainCode: Buffer.alloc(32, 1) };
      return { ...answer, outcome: { kind: 'Key', confirmation: { ...confirmation, statement } } };
    },
  };
  const attempt = world.orchestrator().generateKey({ walletId: v4(), curve: 'ed25519' });
  await expect(attempt).rejects.toMatchObject({ code: 'mpc_error' });
  expect(world.nodes.map(({ committed }) => committed.size)).toEqual([0, 0, 0]);
});

it('returns no key when one quorum signs wrongly', async () => {
  const world = new FakeWorld();
  world.sign = () => ({ bytes: Buffer.alloc(64, 1), recoveryId: 0 });
  for (const curve of curves) {
    const attempt = world.orchestrator().generateKey({ walletId: v4(), curve });
    await expect(attempt).rejects.toMatchObject({ code: 'signature_invalid' });
  }
});

it('has the nodes keep of which workspace the wallet is, and refuses a key that they keep for another', async () => {
  const world = new FakeWorld();
  const [walletId, workspaceId] = [v4(), v4()];
  const request = { walletId, curve: 'ed25519', workspaceId } as const;
  const key = await world.orchestrator().generateKey(request);
  const kept = () =>
    world.nodes.flatMap(({ committed }) =>
      [...committed.values()].flat().map(({ statement }) => stringify(statement.workspaceId ?? Buffer.alloc(16))),
    );
  expect(new Set(kept())).toEqual(new Set([workspaceId]));
  const claimed = world.orchestrator().generateKey({ ...request, workspaceId: v4() });
  await expect(claimed).rejects.toMatchObject({ code: 'mpc_refused', retryable: false });
  expect(await world.orchestrator().refreshKey({ walletId, curve: 'ed25519', root: key })).toBe(1);
  expect(new Set(kept())).toEqual(new Set([workspaceId]));
  expect(await world.orchestrator().generateKey(request)).toEqual(key);
});

it('goes on with a key that was made before the nodes kept workspaces', async () => {
  const world = new FakeWorld();
  const request = { walletId: v4(), curve: 'secp256k1' } as const;
  const key = await world.orchestrator().generateKey(request);
  expect(await world.orchestrator().generateKey({ ...request, workspaceId: v4() })).toEqual(key);
});

it('refuses what is not a wallet id', async () => {
  const attempt = new FakeWorld().orchestrator().generateKey({ walletId: 'wallet', curve: 'ed25519' });
  await expect(attempt).rejects.toMatchObject({ code: 'invalid_request' });
});

describe('one node that lies about a key', () => {
  const curve = 'ed25519';
  type Change = (confirmations: Confirmation[]) => Confirmation[];
  const otherKey: Change = (all) =>
    all.map((one) => ({ ...one, statement: { ...one.statement, publicKey: Buffer.alloc(32, 7) } }));
  const laterEpoch: Change = (all) => all.map((one) => ({ ...one, statement: { ...one.statement, epoch: 9 } }));
  const itsOwnWordAlone: Change = (all) => all.filter(({ node }) => node === 3);
  const ofAnotherWallet: Change = (all) =>
    all.map((one) => ({ ...one, statement: { ...one.statement, walletId: Buffer.alloc(16, 1) } }));

  async function lyingWorld(change: Change) {
    const world = new FakeWorld();
    const walletId = v4();
    const root = await world.orchestrator().generateKey({ walletId, curve });
    world.faults = {
      after: (node, _body, answer) => {
        if (node.index !== 3 || answer.kind !== 'KeyState' || answer.state.kind !== 'Committed') return answer;
        const confirmations = change(answer.state.confirmations);
        return { kind: 'KeyState', state: { kind: 'Committed', confirmations } };
      },
    };
    return { cluster: world.orchestrator(), request: { walletId, curve, root } as const };
  }

  it.each<[string, Change]>([
    ['another key', otherKey],
    ['a later epoch', laterEpoch],
    ['its own word alone', itsOwnWordAlone],
    ['the key of another wallet', ofAnotherWallet],
    ['nothing at all', () => []],
  ])('is named, whatever is asked: %s', async (_what, change) => {
    const { cluster, request } = await lyingWorld(change);
    const named = {
      code: 'mpc_error',
      retryable: true,
      node: 3,
      message: expect.stringMatching(/^node 3 shows a key/),
    };
    await expect(cluster.generateKey(request)).rejects.toMatchObject(named);
    await expect(cluster.refreshKey(request)).rejects.toMatchObject(named);
    await expect(cluster.sharesOf(request)).rejects.toMatchObject(named);
  });
});

describe('a key of before nodes got other identities', () => {
  const roster = Buffer.alloc(32, 5);

  /**
   * On each node the key of that roster and its epoch; nobody can check the signatures but those of the nodes that are
   * `still` here.
   */
  async function worldOf(epochs: number[], still: number[] = []) {
    const world = new FakeWorld();
    const walletId = v4();
    const request = { walletId, curve: 'ed25519' } as const;
    await world.orchestrator().generateKey(request);
    for (const [at, epoch] of epochs.entries()) {
      const { committed } = world.node(at + 1);
      for (const [key, confirmations] of committed) {
        const confirm = ({ node, statement }: Confirmation): Confirmation => {
          const confirmation = world.node(node).confirm({ ...statement, roster, epoch });
          return still.includes(node) ? confirmation : { ...confirmation, signature: Buffer.alloc(64, 1) };
        };
        committed.set(key, confirmations.map(confirm));
      }
    }
    return world.orchestrator().sharesOf(request);
  }

  it('is counted when nodes show the same, also when all of them have new ones', async () => {
    expect(await worldOf([2, 2, 2])).toMatchObject({ epoch: 2 });
  });

  it('is counted on the word of those who are still here', async () => {
    expect(await worldOf([2, 1, 1], [1, 2])).toMatchObject({ epoch: 2 });
  });

  it('is not on the word of one', async () => {
    await expect(worldOf([1, 1, 2])).rejects.toMatchObject({ code: 'mpc_error', node: 3 });
    await expect(worldOf([1, 1, 2], [3])).rejects.toMatchObject({ code: 'mpc_error', node: 3 });
  });
});
