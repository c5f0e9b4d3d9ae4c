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
}

export async function askNodes<T>(
  nodes: readonly NodeTransport[],
  { ask, read, timeoutMs }: Question<T>,
): Promise<Answers<T>> {
  const settled = await Promise.allSettled(
    nodes.map(async (node) => {
      const body = await node.call(ask(node), timeoutMs);
      if (body.kind === 'Refused') throw new NodeRefusal(node.index, body);
      return read(body, node);
    }),
  );
  const answers: Answers<T> = { values: [], errors: [] };
  for (const result of settled) {
    if (result.status === 'fulfilled') answers.values.push(result.value);
    else if (result.reason instanceof ClusterError) answers.errors.push(result.reason);
    else throw result.reason;
  }
  return answers;
}

/** For the answer that the protocol does not allow here. */
export function outOfTurn({ index }: NodeTransport): ClusterError {
  return new ClusterError('mpc_error', `node ${index} answered out of turn`, { node: index });
}
