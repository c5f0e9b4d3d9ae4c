// Carries between the nodes what each of them says of its own journal: a node whose disk was set back is shown by its
// own signature that it was farther once, and signs nothing (mpc/README.md). No node signs after its start before it
// was told. Decides nothing: what is forged the nodes pass over, so everything is carried, also what one of them made
// up.
import { verify } from 'node:crypto';
import { ClusterError } from '../port.ts';
import { encode } from '../transport/borsh.ts';
import type { EarlyNode } from '../transport/node-transport.ts';
import { type Mark, mark, markStatement, maxMarks, type Progress } from '../transport/wire.ts';
import type { ClusterFile } from '../verify/cluster-file.ts';

const everyMs = 5_000;
/** What others say is waited for no longer by a node that has just connected, nor by the signatures that want it. */
const listenTimeoutMs = 1_000;
const sendTimeoutMs = 3_000;
const label = Buffer.from('countersign/v1/mark');
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

export function markMessage({ identity, progress }: Pick<Mark, 'identity' | 'progress'>): Buffer {
  return Buffer.concat([label, encode(markStatement, { identity, progress })]);
}

export class AttestationRelay {
  readonly #nodes: readonly EarlyNode[];
  readonly #identities: ReadonlyMap<string, ClusterFile['nodes'][number]['identityKey']>;
  /** What each node attested last, its own and what it keeps; also of nodes that are away by now. */
  readonly #bySender = new Map<number, readonly Mark[]>();
  /** Of each identity the newest genuine one that was ever received: those who keep it may be away, or silent. */
  readonly #newest = new Map<string, Mark>();
  #timer: NodeJS.Timeout | undefined;
  #carrying = false;

  constructor({ nodes: members }: Pick<ClusterFile, 'nodes'>, nodes: readonly EarlyNode[]) {
    this.#nodes = nodes;
    this.#identities = new Map(
      members.map(({ identityKey }) => [
        hex(Buffer.from(String(identityKey.export({ format: 'jwk' })['x']), 'base64url')),
        identityKey,
      ]),
    );
  }

  start(): void {
    this.#timer = setInterval(() => void this.carry(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Tells a node that has just connected. Fails when it does not answer; one that refuses to listen refuses to sign,
   * too.
   */
  async introduce(node: EarlyNode): Promise<void> {
    await this.#listen();
    await this.#send(node);
  }

  /** Tells all of them. Never fails: who is away is told when it comes. */
  async carry(): Promise<void> {
    if (this.#carrying) return;
    this.#carrying = true;
    try {
      const reached = await this.#listen();
      await Promise.all(reached.map((node) => this.#send(node).catch(ignoreUnreachable)));
    } finally {
      this.#carrying = false;
    }
  }

  /** Answers who was reached. */
  async #listen(): Promise<EarlyNode[]> {
    const reached = await Promise.all(
      this.#nodes.map(async (node) => {
        const answer = await node.callEarly({ kind: 'Health' }, listenTimeoutMs).catch(ignoreUnreachable);
        if (answer?.kind !== 'Health') return [];
        this.#received(node.index, [answer.mark, ...answer.marks]);
        return [node];
      }),
    );
    return reached.flat();
  }

  #received(node: number, marks: readonly Mark[]): void {
    this.#bySender.set(node, marks);
    for (const attested of marks) {
      const identity = hex(attested.identity);
      const key = this.#identities.get(identity);
      const known = this.#newest.get(identity)?.progress;
      if (key === undefined || (known !== undefined && !isBeyond(attested.progress, known))) continue;
      if (verify(null, markMessage(attested), key, attested.signature)) this.#newest.set(identity, attested);
    }
  }

  async #send(node: EarlyNode): Promise<void> {
    const all = [...[...this.#bySender.values()].flat(), ...this.#newest.values()];
    const marks = [...new Map(all.map((attested) => [hex(encode(mark, attested)), attested])).values()];
    for (let first = 0; first === 0 || first < marks.length; first += maxMarks)
      await node.callEarly({ kind: 'Marks', marks: marks.slice(first, first + maxMarks) }, sendTimeoutMs);
  }
}

function isBeyond(a: Progress, b: Progress): boolean {
  return a.incarnation === b.incarnation ? a.sequence > b.sequence : a.incarnation > b.incarnation;
}

function ignoreUnreachable(error: unknown): undefined {
  if (!(error instanceof ClusterError)) throw error;
}
