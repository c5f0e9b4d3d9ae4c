// Goal: a checkpoint counts as kept when enough nodes say exactly that, and no answer of a node leads its reader
// astray. Method: nodes that answer what the test says.
import { generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { keepCheckpoint, readCheckpoints } from '../../../activities/mpc/client/checkpoints.ts';
import { type AuditCheckpoint, type CheckpointList, ClusterError } from '../../../activities/mpc/port.ts';
import { decode } from '../../../activities/mpc/transport/borsh.ts';
import type { NodeTransport } from '../../../activities/mpc/transport/node-transport.ts';
import {
  checkpointCommand,
  type RequestBody,
  type ResponseBody,
  type WireCheckpoint,
} from '../../../activities/mpc/transport/wire.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const commander = { roster: Buffer.alloc(32, 1), commandKey: privateKey };
const wanted: AuditCheckpoint = { workspaceId: '01900000-0000-7000-8000-000000000001', seq: 7, hash: 'ab'.repeat(32) };
const wire = (last: number, seq: bigint): WireCheckpoint => ({
  workspaceId: Buffer.from(`0190000000007000800000000000000${last}`, 'hex'),
  seq,
  hash: Buffer.alloc(32, 0xab),
});
const kept: ResponseBody = { kind: 'CheckpointKept', checkpoint: wire(1, 7n) };
const refused = (code: 'CheckpointConflict' | 'Busy' | 'InvalidRequest'): ResponseBody => ({
  kind: 'Refused',
  code,
  peer: null,
  detail: 'a sentence',
});
const away = new ClusterError('cluster_not_ready', 'it is away');

function nodesThat(answers: (ResponseBody | ClusterError)[], asked: RequestBody[] = []): NodeTransport[] {
  return answers.map((answer, position) => ({
    index: position + 1,
    readiness: 'open',
    warm: () => undefined,
    close: () => undefined,
    call: async (body) => {
      asked.push(body);
      if (answer instanceof ClusterError) throw answer;
      return answer;
    },
  }));
}

const keep = (...answers: (ResponseBody | ClusterError)[]) =>
  keepCheckpoint({ commander, nodes: nodesThat(answers), threshold: 2 }, wanted);

it('is kept when the threshold confirms it', async () => {
  await keep(kept, kept, kept);
  await keep(kept, away, kept);
  await keep(kept, refused('CheckpointConflict'), kept);
});

it('asks every node by a command that the key has signed under its own label', async () => {
  const asked: RequestBody[] = [];
  await keepCheckpoint({ commander, nodes: nodesThat([kept, kept, kept], asked), threshold: 2 }, wanted);
  expect(asked).toHaveLength(3);
  for (const body of asked) {
    if (body.kind !== 'KeepCheckpoint') throw new Error(body.kind);
    const signed = Buffer.concat([Buffer.from('countersign/v1/checkpoint'), body.command]);
    expect(verify(null, signed, publicKey, body.signature)).toBe(true);
    expect(decode(checkpointCommand, body.command)).toMatchObject({ version: 1, operation: { seq: 7n } });
  }
});

it.each<[string, string, (ResponseBody | ClusterError)[]]>([
  ['too few are there', 'cluster_not_ready', [kept, away, away]],
  ['they keep another one', 'mpc_refused', [kept, away, refused('CheckpointConflict')]],
  ['they are full', 'cluster_busy', [kept, refused('Busy'), refused('Busy')]],
  [
    'they are of a version that does not know it',
    'mpc_refused',
    [kept, refused('InvalidRequest'), refused('InvalidRequest')],
  ],
  ['they confirm another one', 'mpc_error', [kept, { ...kept, checkpoint: wire(1, 8n) }, { kind: 'InProgress' }]],
])('is not kept when %s', async (_why, code, answers) => {
  await expect(keep(...answers)).rejects.toMatchObject({ code });
});

const read = async (list: CheckpointList, checkpoints: WireCheckpoint[], after?: AuditCheckpoint) => {
  const [node] = nodesThat([{ kind: 'Checkpoints', checkpoints }]);
  return readCheckpoints(node as NodeTransport, { list, after });
};

it('reads a page', async () => {
  expect(await read('newest', [wire(1, 7n)])).toEqual([wanted]);
  expect(await read('first_of_days', [wire(1, 6n), wire(1, 7n), wire(2, 1n)])).toHaveLength(3);
  expect(await read('newest', [wire(2, 1n)], wanted)).toHaveLength(1);
});

it.each<[string, CheckpointList, WireCheckpoint[], AuditCheckpoint?]>([
  ['goes back', 'first_of_days', [wire(2, 1n), wire(1, 9n)]],
  ['stays', 'first_of_days', [wire(1, 7n), wire(1, 7n)]],
  ['names a workspace twice', 'newest', [wire(1, 7n), wire(1, 8n)]],
  ['begins before the place', 'newest', [wire(1, 8n)], wanted],
  ['counts beyond all numbers', 'newest', [wire(1, 2n ** 53n)]],
])('refuses a page that %s', async (_what, list, page, after) => {
  await expect(read(list, page, after)).rejects.toMatchObject({ code: 'mpc_error' });
});
