// Goal: a refresh ends with all nodes in one new epoch and every quorum signing for the same key, whatever crashes and
// whenever; until then the wallet signs. Method: the orchestrator, then each node, is killed at every request, before
// and after it is carried out; signatures are asked for in between, and a new orchestrator refreshes on.
import { parse, v4 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { ClusterError, type PublicKey, type RefreshKeyRequest } from '../../../activities/mpc/port.ts';
import { encode } from '../../../activities/mpc/transport/borsh.ts';
import { command } from '../../../activities/mpc/transport/wire.ts';
import { verifySignature } from '../../../activities/mpc/verify/verify-signature.ts';
import { type Curve, curves } from '../../../domain/statuses.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';
import { Crash, FakeWorld, faultAt } from './fake-nodes.ts';

const payload = { kind: 'raw_digest', digest: Buffer.alloc(32, 5) } as const;
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );

async function worldWithKey(curve: Curve): Promise<{ world: FakeWorld; request: RefreshKeyRequest }> {
  const world = new FakeWorld();
  const walletId = v4();
  return { world, request: { walletId, curve, root: await world.orchestrator().generateKey({ walletId, curve }) } };
}

async function expectSigns(world: FakeWorld, { walletId, curve, root }: RefreshKeyRequest): Promise<void> {
  const request = { operationId: v4(), attempt: 1, walletId, curve, path: [], payload };
  const signature = await world.orchestrator().sign(request, anySignature);
  verifySignature({ curve, root, path: [], payload, signature });
}

const epochsOf = (world: FakeWorld) =>
  world.nodes.map(({ committed }) => [...committed.values()].map(([first]) => first?.statement.epoch));

describe.each(curves)('on %s', (curve) => {
  it('makes a new epoch each time, on every node, for the same key', async () => {
    const { world, request } = await worldWithKey(curve);
    for (const epoch of [1, 2, 3]) {
      expect(await world.orchestrator().refreshKey(request)).toBe(epoch);
      expect(epochsOf(world)).toEqual([[epoch], [epoch], [epoch]]);
      await expectSigns(world, request);
    }
    expect(await world.orchestrator().generateKey(request)).toEqual(request.root);
  });

  it('settles what was committed on one node only, and makes no further epoch', async () => {
    const { world, request } = await worldWithKey(curve);
    world.faults = { before: (node, body) => (body.kind === 'Commit' && node.index > 1 ? 'Busy' : undefined) };
    expect(await outcomeOf(world.orchestrator().refreshKey(request))).toMatchObject({ code: 'cluster_busy' });
    expect(epochsOf(world)).toEqual([[1], [0], [0]]);
    world.restartAll();
    expect(await world.orchestrator().refreshKey(request)).toBe(1);
    expect(epochsOf(world)).toEqual([[1], [1], [1]]);
  });
});

// The curve makes no difference to who asks whom what.
describe('whatever happens meanwhile', () => {
  const curve = 'ed25519';

  it.each<['before' | 'after', 'the orchestrator' | 'a node']>([
    ['before', 'the orchestrator'],
    ['after', 'the orchestrator'],
    ['before', 'a node'],
    ['after', 'a node'],
  ])('survives a crash %s any request, of %s', async (moment, victim) => {
    for (let turn = 1; ; turn += 1) {
      const { world, request } = await worldWithKey(curve);
      const struck = faultAt(world, turn, moment, (node) => {
        if (victim === 'the orchestrator') throw new Crash();
        node.kill();
      });
      const outcome = await outcomeOf(world.orchestrator().refreshKey(request));
      if (!struck()) break;
      if (outcome !== 'done') expect(outcome).toBeInstanceOf(victim === 'the orchestrator' ? Crash : ClusterError);
      world.restartAll();
      await expectSigns(world, request);
      const epoch = await world.orchestrator().refreshKey(request);
      expect([1, 2]).toContain(epoch);
      expect(epochsOf(world)).toEqual([[epoch], [epoch], [epoch]]);
      await expectSigns(world, request);
      expect(turn).toBeLessThan(200);
    }
  });

  it('two orchestrators at once end in one epoch', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { world, request } = await worldWithKey(curve);
      for (const node of world.nodes) {
        const call = node.call.bind(node);
        node.call = async (body, timeoutMs) => {
          for (let wait = Math.random() * 4; wait > 0; wait -= 1) await new Promise(setImmediate);
          return call(body, timeoutMs);
        };
      }
      const racing = [1, 2, 3].map(() => world.orchestrator().refreshKey(request));
      for (const result of await Promise.allSettled(racing))
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ retryable: true });
      const epoch = await world.orchestrator().refreshKey(request);
      expect(epochsOf(world)).toEqual([[epoch], [epoch], [epoch]]);
      await expectSigns(world, request);
    }
  });
});

describe('after refreshes that did not finish', () => {
  const keyIn = (world: FakeWorld) => [...world.node(1).committed.keys()][0] ?? '';

  it('every node has acknowledged the new share, and none keeps another one', async () => {
    const { world, request } = await worldWithKey('ed25519');
    for (const index of [1, 3]) world.node(index).leaveUnfinished(keyIn(world), 1);
    expect(await world.orchestrator().refreshKey(request)).toBe(1);
    expect(world.nodes.map((node) => node.leftAt(keyIn(world)))).toEqual([0, 0, 0]);
    await expectSigns(world, request);
  });

  it('is not done while one node has not erased what is left', async () => {
    const { world, request } = await worldWithKey('ed25519');
    world.node(3).leaveUnfinished(keyIn(world), 1);
    world.faults = { before: (node, body) => (body.kind === 'Settle' && node.index === 3 ? 'Internal' : undefined) };
    expect(await outcomeOf(world.orchestrator().refreshKey(request))).toMatchObject({ code: 'mpc_error', node: 3 });
    world.restartAll();
    await world.orchestrator().refreshKey(request);
    expect(world.node(3).leftAt(keyIn(world))).toBe(0);
  });

  it('names a node of an older version, which acknowledges nothing', async () => {
    const { world, request } = await worldWithKey('ed25519');
    world.node(1).leaveUnfinished(keyIn(world), 1);
    world.faults = {
      before: (node, body) => (body.kind === 'Acknowledge' && node.index === 2 ? 'InvalidRequest' : undefined),
    };
    expect(await outcomeOf(world.orchestrator().refreshKey(request))).toMatchObject({
      retryable: false,
      message: expect.stringMatching(/^node 2 runs an older version.*: update it, and refresh this key again$/),
    });
  });

  /** Node 1 has settled on one share, and node 2 has changed over to another. Answers the name of the first. */
  async function apart(): Promise<{ world: FakeWorld; request: RefreshKeyRequest; settledOn: string }> {
    const { world, request } = await worldWithKey('ed25519');
    // The third one does not show it, and confirms it when somebody needs that.
    const [left] = [1, 2].flatMap((index) => world.node(index).leaveUnfinished(keyIn(world), 1));
    if (left === undefined) throw new Error('nothing is left');
    world.faults = { before: (node, body) => (body.kind === 'Settle' && node.index > 1 ? 'Internal' : undefined) };
    expect(await outcomeOf(world.orchestrator().refreshKey(request))).toMatchObject({ code: 'mpc_error' });
    world.restartAll();
    const confirmations = world.nodes.map((node) => node.confirm(left));
    expect(await world.node(2).call({ kind: 'Commit', confirmations }, 1_000)).toMatchObject({ kind: 'Committed' });
    const settledOn = shareOf(world, 1);
    expect(shareOf(world, 2)).not.toBe(settledOn);
    return { world, request, settledOn };
  }

  const shareOf = (world: FakeWorld, index: number) => {
    const [first] = world.node(index).committed.get(keyIn(world)) ?? [];
    return Buffer.from(first?.statement.sessionId ?? []).toString('hex');
  };

  it('a node that has changed over comes back, also when another one does not give its word again', async () => {
    const { world, request, settledOn } = await apart();
    world.faults = {
      before: (node, body) => (node.index === 3 && body.kind === 'Acknowledge' ? 'Internal' : undefined),
    };
    expect(await outcomeOf(world.orchestrator().refreshKey(request))).toMatchObject({ node: 3 });
    expect([shareOf(world, 1), shareOf(world, 2)]).toEqual([settledOn, settledOn]);
    await expectSigns(world, request);
  });

  it('helpers of a repair are brought to one share first', async () => {
    const { world, request, settledOn } = await apart();
    world.node(3).committed.clear();
    const { walletId, curve, root } = request;
    const operation = {
      kind: 'Repair',
      walletId: parse(walletId),
      curve,
      epoch: 1,
      publicKey: root.publicKey,
    } as const;
    const bytes = encode(command, {
      version: 1,
      roster: world.cluster.roster,
      commandId: parse(v4()),
      expiresAtMs: BigInt(Date.now() + 60_000),
      operation: { ...operation, target: 3, nodes: Buffer.from([1, 2, 3]) },
    });
    const repair = { command: Buffer.from(bytes).toString('hex'), signature: '00'.repeat(64) };
    // These nodes know no repair: what they were asked for before it is what is looked at.
    await expect(world.orchestrator().repairShare(repair)).rejects.toMatchObject({ code: 'mpc_error' });
    expect([shareOf(world, 1), shareOf(world, 2)]).toEqual([settledOn, settledOn]);
  });

  it('goes beyond the latest epoch of which one is left at a node', async () => {
    const { world, request } = await worldWithKey('ed25519');
    world.node(2).leaveUnfinished(keyIn(world), 3);
    expect(await world.orchestrator().refreshKey(request)).toBe(3);
    expect(world.nodes.map((node) => node.leftAt(keyIn(world)))).toEqual([0, 0, 0]);
  });

  it('does not count while one is left of a later epoch, and then refreshes beyond that', async () => {
    const { world, request } = await worldWithKey('ed25519');
    let left = false;
    world.faults = {
      before: (node, body) => {
        if (body.kind === 'Commit' && node.index === 1 && !left) {
          left = true;
          world.node(3).leaveUnfinished(keyIn(world), 2);
        }
        return undefined;
      },
    };
    expect(await world.orchestrator().refreshKey(request)).toBe(2);
    expect(world.nodes.map((node) => node.leftAt(keyIn(world)))).toEqual([0, 0, 0]);
  });

  it('goes on in a later epoch when one is full at a node, and names the key when all are', async () => {
    const { world, request } = await worldWithKey('ed25519');
    world.node(2).leaveUnfinished(keyIn(world), 1, 32);
    expect(await world.orchestrator().refreshKey(request)).toBe(2);
    for (const epoch of [3, 4, 5, 6]) world.node(2).leaveUnfinished(keyIn(world), epoch, 32);
    const refused = outcomeOf(world.orchestrator().refreshKey(request));
    const sentence = /^node 2 keeps 32 refreshes .* of the last epoch/;
    expect(await refused).toMatchObject({ retryable: false, message: expect.stringMatching(sentence) });
  });
});

it('needs every node, and starts nothing without', async () => {
  const { world, request } = await worldWithKey('ed25519');
  world.node(2).kill();
  for (const node of world.nodes) node.asked.length = 0;
  await expect(world.orchestrator().refreshKey(request)).rejects.toMatchObject({ code: 'cluster_not_ready', node: 2 });
  expect(new Set(world.nodes.flatMap(({ asked }) => asked))).toEqual(new Set(['KeyState']));
});

it('says which node has no share', async () => {
  const { world, request } = await worldWithKey('ed25519');
  world.node(3).committed.clear();
  await expect(world.orchestrator().refreshKey(request)).rejects.toMatchObject({
    code: 'mpc_refused',
    retryable: false,
    message: expect.stringMatching(/^node 3 .* must be repaired/),
  });
});

it('says which node has a share of an older epoch, as after a restore', async () => {
  const { world, request } = await worldWithKey('ed25519');
  const old = new Map(world.node(2).committed);
  await world.orchestrator().refreshKey(request);
  for (const [key, confirmations] of old) world.node(2).committed.set(key, confirmations);
  await expect(world.orchestrator().refreshKey(request)).rejects.toMatchObject({
    code: 'mpc_refused',
    retryable: false,
    message: expect.stringMatching(/^node 2 .* must be repaired/),
  });
});

it.each<[string, (root: PublicKey) => PublicKey]>([
  [
    'another public key',
    (root) => ({ ...root, publicKey: root.publicKey.map((byte, at) => (at === 5 ? byte ^ 1 : byte)) }),
  ],
  ['another chain code', (root) => ({ ...root, chainCode: Buffer.alloc(32, 9) })],
])('commits nothing for %s than the one that is stored', async (_what, changed) => {
  const { world, request } = await worldWithKey('secp256k1');
  const attempt = world.orchestrator().refreshKey({ ...request, root: changed(request.root) });
  await expect(attempt).rejects.toMatchObject({ code: 'mpc_error' });
  expect(epochsOf(world)).toEqual([[0], [0], [0]]);
});

it('does not know a wallet that has no key', async () => {
  const { world, request } = await worldWithKey('ed25519');
  await expect(world.orchestrator().refreshKey({ ...request, walletId: v4() })).rejects.toMatchObject({
    code: 'mpc_refused',
    retryable: false,
  });
});
