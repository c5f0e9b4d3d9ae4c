// Goal: what a node has said of its journal reaches it again after a start, whoever of the others is away, silent or
// lies. Method: nodes in memory that sign marks, keep what they are told, and answer what a test wants.
import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { AttestationRelay, markMessage } from '../../../activities/mpc/client/attestation-relay.ts';
import { ClusterError } from '../../../activities/mpc/port.ts';
import type { EarlyNode } from '../../../activities/mpc/transport/node-transport.ts';
import { type Mark, maxMarks, type RequestBody, type ResponseBody } from '../../../activities/mpc/transport/wire.ts';

class Node implements EarlyNode {
  readonly index: number;
  readonly #keys = generateKeyPairSync('ed25519');
  readonly received: Mark[][] = [];
  readonly asked: string[] = [];
  alive = true;
  sequence = 0n;
  /** Of others, as it tells of them. */
  keeps: Mark[] = [];

  constructor(index: number) {
    this.index = index;
  }

  get identityKey() {
    return this.#keys.publicKey;
  }

  get mark(): Mark {
    const identity = Buffer.from(String(this.identityKey.export({ format: 'jwk' }).x), 'base64url');
    const unsigned = { identity, progress: { incarnation: 0n, run: 1n, sequence: this.sequence } };
    return { ...unsigned, signature: sign(null, markMessage(unsigned), this.#keys.privateKey) };
  }

  async callEarly(body: RequestBody): Promise<ResponseBody> {
    if (!this.alive) throw new ClusterError('cluster_not_ready', 'it is away', { node: this.index });
    this.asked.push(body.kind);
    if (body.kind === 'Marks') this.received.push(body.marks);
    if (body.kind !== 'Health') return { kind: 'MarksTaken' };
    const counts = { version: '0', node: this.index, roster: Buffer.alloc(32), liveSessions: 0, keys: 0 };
    const rest = { bans: [], policy: Buffer.alloc(32), setBack: false };
    return { kind: 'Health', ...counts, ...rest, mark: this.mark, marks: this.keeps };
  }
}

let nodes: Node[];
let [first, second, third]: [Node, Node, Node] = [new Node(1), new Node(2), new Node(3)];
let relay: AttestationRelay;
beforeEach(() => {
  [first, second, third] = [new Node(1), new Node(2), new Node(3)];
  nodes = [first, second, third];
  relay = new AttestationRelay(
    { nodes: nodes.map(({ index, identityKey }) => ({ index, identityKey, tlsCertificate: '' })) },
    nodes,
  );
});
const lastReceived = (node: Node) => node.received.at(-1);

it('brings a node that has connected what the others keep of it, and nothing to them', async () => {
  first.sequence = 7n;
  const said = first.mark;
  second.keeps = [said];
  first.sequence = 3n;
  await relay.introduce(first);
  expect(lastReceived(first)).toEqual(expect.arrayContaining([said, first.mark, second.mark, third.mark]));
  expect(first.asked).toEqual(['Health', 'Marks']);
  expect([second.received, third.received]).toEqual([[], []]);
});

it('brings all of them what all say', async () => {
  await relay.carry();
  for (const node of nodes) expect(lastReceived(node)).toEqual(nodes.map(({ mark }) => mark));
});

it('knows itself what it has heard, when those who keep it are away or silent', async () => {
  first.sequence = 7n;
  const said = first.mark;
  await relay.carry();
  second.alive = false;
  first.sequence = 3n;
  await relay.introduce(first);
  expect(lastReceived(first)).toContainEqual(said);
});

it.each<[string, (mark: Mark) => Mark]>([
  [
    'a greater sequence under the same signature',
    (mark) => ({ ...mark, progress: { ...mark.progress, sequence: 99n } }),
  ],
  [
    'a mark that another has signed',
    (mark) => ({ ...mark, progress: { ...mark.progress, sequence: 99n }, signature: third.mark.signature }),
  ],
])('loses no genuine mark over %s', async (_what, forge) => {
  first.sequence = 7n;
  const said = first.mark;
  third.keeps = [forge(said)];
  await relay.carry();
  first.sequence = 3n;
  await relay.introduce(first);
  expect(lastReceived(first)).toContainEqual(said);
});

it('carries an older mark too: it may be of a run that the node has forgotten', async () => {
  first.sequence = 5n;
  const forgotten = first.mark;
  second.keeps = [forgotten];
  third.keeps = [{ ...forgotten, progress: { ...forgotten.progress, sequence: 6n } }];
  first.sequence = 9n;
  await relay.introduce(first);
  expect(lastReceived(first)).toEqual(expect.arrayContaining([forgotten, first.mark]));
});

it('tells in several requests what a lying node makes too much for one', async () => {
  third.keeps = Array.from({ length: maxMarks }, (_, sequence) => ({
    ...third.mark,
    progress: { incarnation: 0n, run: 0n, sequence: BigInt(sequence + 1) },
  }));
  await relay.introduce(first);
  expect(first.received.map(({ length }) => length)).toEqual([maxMarks, 3]);
});

it('fails with the node that is introduced and with no other', async () => {
  second.alive = false;
  await relay.carry();
  expect(lastReceived(third)).toHaveLength(2);
  await relay.introduce(first);
  await expect(relay.introduce(second)).rejects.toMatchObject({ code: 'cluster_not_ready', node: 2 });
});
