// Checkpoints of the audit chain at the nodes: has them kept, and reads them back. Knows neither the chain nor the
// database, and trusts no order but the one it checks.
import { parse } from 'uuid';
import { type AuditCheckpoint, type CheckpointList, ClusterError } from '../port.ts';
import type { NodeTransport } from '../transport/node-transport.ts';
import type { WireCheckpoint } from '../transport/wire.ts';
import { askNodes, outOfTurn } from './ask-nodes.ts';
import { type Commander, signCheckpoint } from './command.ts';
import { NodeRefusal } from './refusal.ts';
import { uuidOf } from './uuid-of.ts';

const keepTimeoutMs = 5_000;
const readTimeoutMs = 10_000;
const lists = { newest: 'Newest', first_of_days: 'FirstOfDays' } as const;

interface Keepers {
  commander: Commander;
  nodes: readonly NodeTransport[];
  threshold: number;
}

/** All nodes are asked; one that is away learns of a later one. */
export async function keepCheckpoint(
  { commander, nodes, threshold }: Keepers,
  checkpoint: AuditCheckpoint,
): Promise<void> {
  const wanted = toWire(checkpoint);
  const { bytes, signature } = signCheckpoint(commander, wanted);
  const { values, errors } = await askNodes(nodes, {
    ask: () => ({ kind: 'KeepCheckpoint', command: bytes, signature }),
    read: (body, node) => {
      if (body.kind !== 'CheckpointKept' || !isSame(body.checkpoint, wanted)) throw outOfTurn(node);
      return node.index;
    },
    timeoutMs: keepTimeoutMs,
  });
  if (values.length >= threshold) return;
  throw errors.find(({ retryable }) => !retryable) ?? errors[0] ?? new ClusterError('mpc_error', 'no node was asked');
}

/** One page. A node that answers out of order could keep its reader for ever: that is an error. */
export async function readCheckpoints(
  node: NodeTransport,
  { list, after }: { list: CheckpointList; after?: AuditCheckpoint | undefined },
): Promise<AuditCheckpoint[]> {
  const place = after === undefined ? null : toWire(after);
  const body = await node.call({ kind: 'Checkpoints', list: lists[list], after: place }, readTimeoutMs);
  if (body.kind === 'Refused') throw new NodeRefusal(node.index, body);
  if (body.kind !== 'Checkpoints') throw outOfTurn(node);
  let last = place;
  for (const checkpoint of body.checkpoints) {
    if (checkpoint.seq > Number.MAX_SAFE_INTEGER) throw outOfTurn(node);
    if (last !== null && !isBehind(list, last, checkpoint)) throw outOfTurn(node);
    last = checkpoint;
  }
  return body.checkpoints.map(fromWire);
}

function isBehind(list: CheckpointList, last: Pick<WireCheckpoint, 'workspaceId' | 'seq'>, next: WireCheckpoint) {
  const order = Buffer.compare(next.workspaceId, last.workspaceId);
  return order > 0 || (order === 0 && list === 'first_of_days' && next.seq > last.seq);
}

function isSame(a: WireCheckpoint, b: WireCheckpoint): boolean {
  return Buffer.compare(a.workspaceId, b.workspaceId) === 0 && a.seq === b.seq && Buffer.compare(a.hash, b.hash) === 0;
}

function toWire({ workspaceId, seq, hash }: AuditCheckpoint): WireCheckpoint {
  return { workspaceId: parse(workspaceId), seq: BigInt(seq), hash: Buffer.from(hash, 'hex') };
}

function fromWire({ workspaceId, seq, hash }: WireCheckpoint): AuditCheckpoint {
  return { workspaceId: uuidOf(workspaceId), seq: Number(seq), hash: Buffer.from(hash).toString('hex') };
}
