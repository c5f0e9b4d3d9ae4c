// What generation and refresh have in common: which certificate of a key the nodes should all hold, how they come to
// hold it, and whether every quorum signs with it. A certificate is the confirmations of every node about one
// statement; the nodes check it themselves, so that it does not matter who carries it.
import { parse, v4 } from 'uuid';
import { ClusterError, type PublicKey, type Signature } from '../port.ts';
import { encode } from '../transport/borsh.ts';
import type { NodeTransport } from '../transport/node-transport.ts';
import { type Confirmation, type KeyState, type KeyStatement, keyStatement } from '../transport/wire.ts';
import type { ClusterFile } from '../verify/cluster-file.ts';
import { keyTestDigest } from '../verify/digest.ts';
import { sameStatement, signersOf, type WantedKey } from '../verify/key-confirmation.ts';
import { verifyDigestSignature } from '../verify/verify-signature.ts';
import { askNodes, outOfTurn } from './ask-nodes.ts';
import type { Commander } from './command.ts';
import type { Quorum } from './quorum.ts';
import { NodeRefusal } from './refusal.ts';
import { signWithQuorum } from './signing.ts';

const stateTimeoutMs = 5_000;
const commitTimeoutMs = 10_000;

export interface KeyContext {
  cluster: ClusterFile;
  commander: Commander;
  /** Every node of the cluster, ascending. */
  nodes: readonly NodeTransport[];
  quorums: readonly Quorum[];
}

/**
 * Of every node, in their order; fails when one does not answer, or shows a key that the others have not confirmed: it
 * would speak for them.
 */
export async function askKeyStates(context: KeyContext, wanted: WantedKey): Promise<KeyState[]> {
  const { nodes } = context;
  const { values, errors } = await askNodes(nodes, {
    ask: () => ({ kind: 'KeyState', ...wanted }),
    read: (body, node) => {
      if (body.kind !== 'KeyState') throw outOfTurn(node);
      return body.state;
    },
    timeoutMs: stateTimeoutMs,
  });
  if (errors.length > 0) throw mostTelling(errors);
  for (const [position, state] of values.entries()) {
    const shown = committedBy(state);
    const node = nodes[position];
    if (node !== undefined && shown !== undefined && !isVouchedFor(context, wanted, shown, values))
      throw unvouched(node);
  }
  return values;
}

/**
 * No node can make a key up alone. One of the cluster as it is has the signatures of all its nodes. One of before some
 * had other identities nobody can check whole any more: `threshold` nodes have to stand by it, by their signature or by
 * what they show themselves.
 */
function isVouchedFor(
  { cluster, nodes }: KeyContext,
  wanted: WantedKey,
  shown: readonly Confirmation[],
  states: readonly KeyState[],
): boolean {
  const [first] = shown;
  if (first === undefined) return false;
  const signers = signersOf(cluster, wanted, shown);
  if (Buffer.compare(first.statement.roster, cluster.roster) === 0) return signers.size === cluster.nodes.length;
  const standBy = nodes.filter(({ index }, position) => signers.has(index) || shows(states[position], first));
  return standBy.length >= cluster.threshold;
}

function shows(state: KeyState | undefined, one: Confirmation): boolean {
  if (state === undefined) return false;
  const prepared = state.kind === 'Unsettled' ? state.prepared : [];
  return [...(committedBy(state)?.slice(0, 1) ?? []), ...prepared].some((own) => sameStatement(own, one));
}

function unvouched({ index }: NodeTransport): ClusterError {
  return new ClusterError('mpc_error', `node ${index} shows a key that the other nodes have not confirmed`, {
    node: index,
  });
}

export function committedBy(state: KeyState): Confirmation[] | undefined {
  if (state.kind === 'Committed') return state.confirmations;
  return state.kind === 'Unsettled' && state.committed.length > 0 ? state.committed : undefined;
}

/**
 * What nodes have committed, and what all nodes have prepared alike. First what wins: the highest epoch, and there the
 * smallest session id. What is prepared is unchecked.
 */
export function certificatesOf({ nodes }: Pick<KeyContext, 'nodes'>, states: readonly KeyState[]): Confirmation[][] {
  const prepared = new Map<string, Confirmation[]>();
  for (const [position, state] of states.entries()) {
    const own = state.kind === 'Unsettled' ? state.prepared : [];
    for (const confirmation of own.filter(({ node }) => node === nodes[position]?.index))
      prepared.set(textOf(confirmation), [...(prepared.get(textOf(confirmation)) ?? []), confirmation]);
  }
  const whole = [...prepared.values()].filter(({ length }) => length === nodes.length);
  const committed = states.flatMap((state) => [committedBy(state) ?? []]).filter(({ length }) => length > 0);
  return [...committed, ...whole].toSorted(([a], [b]) => (a && b ? inOrder(a.statement, b.statement) : 0));
}

export function holds(state: KeyState, [first]: readonly Confirmation[]): boolean {
  const [held] = committedBy(state) ?? [];
  return first !== undefined && held !== undefined && textOf(held) === textOf(first);
}

/**
 * The lowest node first: it decides between two that race. `false` when another certificate was first. Idempotent at
 * the nodes.
 */
export async function commitEverywhere({ nodes }: KeyContext, confirmations: Confirmation[]): Promise<boolean> {
  for (const group of [nodes.slice(0, 1), nodes.slice(1)]) {
    const { errors } = await askNodes(group, {
      ask: () => ({ kind: 'Commit', confirmations }),
      read: (body, node) => {
        if (body.kind !== 'Committed') throw outOfTurn(node);
      },
      timeoutMs: commitTimeoutMs,
    });
    const failures = errors.filter((error) => !isLostRace(error));
    if (failures.length > 0) throw mostTelling(failures);
    if (errors.length > 0) return false;
  }
  return true;
}

/** Throws unless each quorum makes a signature of a key test that verifies. */
export async function testEveryQuorum(
  { commander, quorums }: KeyContext,
  { walletId, curve }: WantedKey,
  root: PublicKey,
): Promise<void> {
  const tests = quorums.map(async (quorum) => {
    const operationId = parse(v4());
    const operation = { operationId, attempt: 1, walletId, curve, path: [], payload: { kind: 'KeyTest' as const } };
    const verify = (signature: Signature) =>
      verifyDigestSignature({ curve, root, path: [], digest: keyTestDigest(walletId, curve, operationId), signature });
    await signWithQuorum(commander, { operation, quorum, verify });
  });
  await Promise.all(tests);
}

/** The node has another key or epoch by now, or has dropped this one in favour of later ones. */
export function isLostRace(error: ClusterError): boolean {
  const lost = ['WalletExists', 'UnknownWallet', 'WrongEpoch'];
  return error instanceof NodeRefusal && lost.includes(error.refusal);
}

/** A node that is away explains what the others then report. */
export function mostTelling(errors: readonly ClusterError[]): ClusterError {
  const away = errors.find(({ code }) => code === 'cluster_not_ready');
  return away ?? errors[0] ?? new ClusterError('mpc_error', 'the session ended without a result');
}

function inOrder(a: KeyStatement, b: KeyStatement): number {
  return b.epoch - a.epoch || Buffer.compare(a.sessionId, b.sessionId);
}

const textOf = ({ statement }: Confirmation) => Buffer.from(encode(keyStatement, statement)).toString('hex');
