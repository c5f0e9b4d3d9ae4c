// Whether a refresh has healed: nothing may be left at any node of another share of its epoch, or who was in one node
// when that was made, and is in another later, has the key. What is left goes when every node has acknowledged one and
// the same share. The nodes check that themselves, so that it does not matter who carries their word.
import { ClusterError } from '../port.ts';
import type { Acknowledgement, KeyState } from '../transport/wire.ts';
import { sameStatement, type WantedKey } from '../verify/key-confirmation.ts';
import { askNodes, outOfTurn } from './ask-nodes.ts';
import { NodeRefusal } from './refusal.ts';
import { askKeyStates, committedBy, type KeyContext, mostTelling } from './settle-key.ts';

const requestTimeoutMs = 10_000;

/** The nodes' own limits: unfinished refreshes of one epoch and roster, and how far ahead a refresh may go. */
const UNFINISHED_MAX = 32;
const EPOCHS_AHEAD_MAX = 4;

const presentEpoch = (state: KeyState): number => committedBy(state)?.[0]?.statement.epoch ?? 0;

/** Of which epochs a node keeps shares besides the one that it has committed. */
const epochsKept = (state: KeyState): number[] =>
  state.kind === 'Unsettled' ? state.prepared.map(({ statement }) => statement.epoch) : [];

/** Whether a node keeps another share of the epoch that it is at, or of an earlier one. */
const hasLeftovers = (state: KeyState): boolean => epochsKept(state).some((epoch) => epoch <= presentEpoch(state));

/**
 * Has all nodes erase what is left of the epoch that they have committed. `false`: some have acknowledged other shares
 * than the rest, or one is left of a later epoch, and only a refresh beyond it does away with that.
 */
export async function eraseLeftovers(context: KeyContext, wanted: WantedKey): Promise<boolean> {
  const states = await askKeyStates(context, wanted);
  const settled = states.some(hasLeftovers) ? await settleAcknowledged(context, wanted) : true;
  const isLater = (state: KeyState) => epochsKept(state).some((epoch) => epoch > presentEpoch(state));
  return settled && !states.some(isLater);
}

/** Brings nodes to the one share that all have acknowledged, also those that have changed to another one since. */
export async function settleAcknowledged(context: KeyContext, wanted: WantedKey): Promise<boolean> {
  const acknowledgements = await askAll(context, {
    ask: { kind: 'Acknowledge', ...wanted },
    read: (body) => (body.kind === 'Acknowledged' ? body.acknowledgement : undefined),
  });
  const [first] = acknowledgements;
  if (first === undefined || acknowledgements.some((other) => !sameStatement(other, first))) return false;
  await askAll(context, {
    ask: { kind: 'Settle', acknowledgements },
    read: (body) => (body.kind === 'Settled' ? true : undefined),
  });
  return true;
}

interface ToAll<Answer> {
  ask: ({ kind: 'Acknowledge' } & WantedKey) | { kind: 'Settle'; acknowledgements: Acknowledgement[] };
  read: (body: Parameters<Parameters<typeof askNodes>[1]['read']>[0]) => Answer | undefined;
}

async function askAll<Answer>({ nodes }: KeyContext, { ask, read }: ToAll<Answer>): Promise<Answer[]> {
  const { values, errors } = await askNodes(nodes, {
    ask: () => ask,
    read: (body, node) => read(body) ?? refuseAnswer(node),
    timeoutMs: requestTimeoutMs,
  });
  if (errors.length > 0) throw unhealed(mostTelling(errors));
  return values;
}

function refuseAnswer(node: Parameters<typeof outOfTurn>[0]): never {
  throw outOfTurn(node);
}

/** A node of before this was asked of nodes cannot read it. */
function unhealed(error: ClusterError): ClusterError {
  if (!(error instanceof NodeRefusal) || error.refusal !== 'InvalidRequest') return error;
  const sentence = `node ${error.node} runs an older version, so that shares of an earlier refresh stay at the nodes`;
  return new ClusterError('mpc_refused', `${sentence}: update it, and refresh this key again`, {
    ...(error.node !== undefined && { node: error.node }),
  });
}

/**
 * The next epoch in which all nodes have room for a refresh, and none below one of which a node keeps a share: its
 * commit would leave that. What did not finish is kept until the key has another epoch, since a node may have committed
 * it.
 */
export function epochWithRoom({ cluster, nodes }: KeyContext, states: readonly KeyState[]): number {
  const present = Math.max(...states.map(presentEpoch));
  const unfinishedAt = (state: KeyState, epoch: number) => {
    const prepared = state.kind === 'Unsettled' ? state.prepared : [];
    const counts = prepared.filter(
      ({ statement }) => statement.epoch === epoch && Buffer.compare(statement.roster, cluster.roster) === 0,
    );
    return counts.length;
  };
  const first = Math.max(present + 1, ...states.flatMap(epochsKept));
  for (let epoch = first; epoch <= present + EPOCHS_AHEAD_MAX; epoch += 1)
    if (states.every((state) => unfinishedAt(state, epoch) < UNFINISHED_MAX)) return epoch;
  const full = nodes[states.findIndex((state) => unfinishedAt(state, present + EPOCHS_AHEAD_MAX) >= UNFINISHED_MAX)];
  const sentence = `keeps ${UNFINISHED_MAX} refreshes of this key that did not finish, of the last epoch that it takes`;
  throw new ClusterError('mpc_refused', `node ${full?.index} ${sentence}: it takes no further one`);
}
