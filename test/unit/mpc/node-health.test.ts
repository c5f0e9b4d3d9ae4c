// Goal: an operator sees every node's state and its bans, and no answer of a node breaks the view. Method: answers of
// one node, good, strange and none.
import { expect, it } from 'vitest';
import { healthOf } from '../../../activities/mpc/client/node-health.ts';
import { NodeTimes } from '../../../activities/mpc/client/node-times.ts';
import { ClusterError } from '../../../activities/mpc/port.ts';
import { decode, encode } from '../../../activities/mpc/transport/borsh.ts';
import { maxFrameBytes, type ResponseBody, response } from '../../../activities/mpc/transport/wire.ts';

const roster = Buffer.alloc(32, 1);
const ban = { rootPublicKey: Buffer.of(2, 3), peer: 2, generation: 0, atMs: 1_800_000_000_000n };
const policy = Buffer.alloc(32, 0xab);
const counts = { liveSessions: 4, keys: 5, bans: [ban] };
const progress = { incarnation: 0n, run: 1n, sequence: 2n };
const mark = { identity: Buffer.alloc(32), progress, signature: Buffer.alloc(64) };
const said = { ...counts, policy, mark, marks: [], setBack: false };
const healthy = { kind: 'Health' as const, version: '0.1.0', node: 1, roster, ...said };

async function seen(answer: ResponseBody | ClusterError, times = new NodeTimes()) {
  const call = () => (answer instanceof ClusterError ? Promise.reject(answer) : Promise.resolve(answer));
  const transport = { index: 1, readiness: 'open' as const, warm: () => undefined, close: () => undefined, call };
  const [health] = await healthOf([transport], roster, times);
  return health;
}

it('shows counts, bans and which policy it signs by', async () => {
  expect(await seen({ ...healthy, bans: [ban] })).toEqual({
    node: 1,
    reachable: true,
    answerMs: expect.any(Number),
    version: '0.1.0',
    liveSessions: 4,
    keys: 5,
    bans: [{ rootPublicKey: '0203', peer: 2, generation: 0, at: '2027-01-15T08:00:00.000Z' }],
    policySha256: 'ab'.repeat(32),
  });
});

it('says how long it takes to answer, and how long it usually takes in a signature', async () => {
  const times = new NodeTimes();
  expect(await seen(healthy, times)).not.toHaveProperty('signingMs');
  times.note(
    new Map([
      [1, 40],
      [2, 10],
    ]),
  );
  times.note(new Map([[1, 80]]));
  const health = await seen(healthy, times);
  expect(health?.signingMs).toBe(60);
  expect(health?.answerMs).toBeGreaterThanOrEqual(0);
  expect(health?.answerMs).toBeLessThan(3_000);
});

it('says no time of a node that does not answer', async () => {
  const times = new NodeTimes();
  times.note(new Map([[1, 40]]));
  times.noteSilence(1);
  const health = await seen(new ClusterError('cluster_not_ready', 'it is away'), times);
  expect(health).not.toHaveProperty('answerMs');
  expect(health).not.toHaveProperty('signingMs');
});

it.each<[string, ResponseBody]>([
  ['another cluster', { ...healthy, bans: [], roster: Buffer.alloc(32, 2) }],
  ['another number', { ...healthy, bans: [], node: 2 }],
  ['an answer to another question', { kind: 'InProgress' }],
])('gives the reason for %s', async (_what, answer) => {
  const health = await seen(answer);
  expect(health).toMatchObject({ node: 1, reachable: true });
  expect(health?.reason).toMatch(/^it /);
});

it('says that a disk was set back', async () => {
  const health = await seen({ ...healthy, setBack: true });
  expect(health).toMatchObject({ node: 1, reachable: true, reason: expect.stringMatching(/set back/) });
});

it('reads as many bans as a frame holds', () => {
  const rootPublicKey = Buffer.alloc(33, 2);
  const bans = Array.from({ length: 5_000 }, (_, generation) => ({ ...ban, rootPublicKey, generation }));
  const bytes = encode(response, { id: 1n, body: { ...healthy, bans } });
  expect(bytes.length).toBeLessThan(maxFrameBytes);
  expect(decode(response, bytes).body).toMatchObject({ kind: 'Health', bans: { length: 5_000 } });
});

it('survives a time beyond all dates', async () => {
  const health = await seen({ ...healthy, bans: [{ ...ban, atMs: 2n ** 64n - 1n }] });
  expect(health?.bans?.[0]?.at).toMatch(/^\+275760/);
});

it('shows a dead node with the reason', async () => {
  const dead = new ClusterError('cluster_not_ready', 'node 1 is unreachable', { node: 1 });
  expect(await seen(dead)).toEqual({ node: 1, reachable: false, reason: 'node 1 is unreachable' });
});
