// Asks several nodes at once and waits for all of them: which ones failed decides what comes next. Turns refusals into
// errors, nothing more.
import { ClusterError } from '../port.ts';
import type { NodeTransport } from '../transport/node-transport.ts';
import type { RequestBody, ResponseBody } from '../transport/wire.ts';
import { NodeRefusal } from './refusal.ts';

export interface Answers<T> {
  /** In the order of the nodes asked; a node that failed is missing. */
  values: T[];
  errors: ClusterError[];
}

export interface Question<T> {
  ask: (node: NodeTransport) => RequestBody;
  /** Throws a ClusterError when the answer is not what was asked for. */
  read: (body: ResponseBody, node: NodeTransport) => T;
  timeoutMs: number;
  /** How long the others are waited for once one has answered; absent: until `timeoutMs`. */
  lagMs?: number | undefined;
  /** Is told how long each node took that answered. */
  onAnswer?: ((node: number, ms: number) => void) | undefined;
}

/** It has kept the others waiting for too long. */
export class LateNode extends ClusterError {
  constructor(node: number) {
    super('cluster_not_ready', `node ${node} did not answer in time`, { node });
  }
}

export async function askNodes<T>(
  nodes: readonly NodeTransport[],
  { ask, read, timeoutMs, lagMs, onAnswer }: Question<T>,
): Promise<Answers<T>> {
  const begunMs = performance.now();
  const lag = lagMs === undefined ? undefined : new Lag(lagMs);
  const settled = await Promise.allSettled(
    nodes.map(async (node) => {
      const answer = node.call(ask(node), timeoutMs);
      const body = await (lag === undefined ? answer : lag.bound(answer, node.index));
      onAnswer?.(node.index, performance.now() - begunMs);
      if (body.kind === 'Refused') throw new NodeRefusal(node.index, body);
      return read(body, node);
    }),
  ).finally(() => lag?.stop());
  const answers: Answers<T> = { values: [], errors: [] };
  for (const result of settled) {
    if (result.status === 'fulfilled') answers.values.push(result.value);
    else if (result.reason instanceof ClusterError) answers.errors.push(result.reason);
    else throw result.reason;
  }
  return answers;
}

/** From the first answer on the rest have so long. */
class Lag {
  readonly #lagMs: number;
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  bound<Answer>(answer: Promise<Answer>, node: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new LateNode(node));
      this.#waiting.add(late);
      answer
        .then((value) => {
          this.#timer ??= setTimeout(() => this.#end(), this.#lagMs);
          resolve(value);
        }, reject)
        .finally(() => this.#waiting.delete(late));
    });
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    for (const late of this.#waiting) late();
  }
}

/** For the answer that the protocol does not allow here. */
export function outOfTurn({ index }: NodeTransport): ClusterError {
  return new ClusterError('mpc_error', `node ${index} answered out of turn`, { node: index });
}
