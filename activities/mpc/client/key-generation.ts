// Creates a wallet's key on all nodes, or finds the one that exists; every step may be repeated after a crash at any
// point:
// 1. ask every node for the key's state; a committed one goes on at 3 with the confirmations that the node shows
// 2. generate: every node prepares its share and confirms the key (what a crash leaves behind stays prepared, and the
//   nodes drop it later)
// 3. commit: the lowest node first. It decides between two generations that race; the other nodes follow it
// 4. a test signature by every quorum, each verified, before anyone may publish an address
//   Must not return a key that one node has not committed or one quorum cannot sign with.
import { parse } from 'uuid';
import type { Curve } from '../../../domain/statuses.ts';
import { ClusterError, type GenerateKeyRequest, type PublicKey } from '../port.ts';
import type { Confirmation, Operation } from '../transport/wire.ts';
import { verifyKeyConfirmations, type WantedKey } from '../verify/key-confirmation.ts';
import { signCommand } from './command.ts';
import { runSession, SessionFailure } from './session.ts';
import {
  askKeyStates,
  certificatesOf,
  commitEverywhere,
  committedBy,
  isLostRace,
  type KeyContext,
  mostTelling,
  testEveryQuorum,
} from './settle-key.ts';

type KeyOperation = Extract<Operation, { kind: 'GenerateKey' | 'GenerateWorkspaceKey' | 'Refresh' }>;

const roundTimeoutMs = 30_000;
/** Of a refresh, too. */
const lastRound: Readonly<Record<Curve, number>> = { secp256k1: 6, ed25519: 5 };
/** A lost race is settled by looking again; more than one loss in a row means that something else is wrong. */
const maxPolls = 3;

export async function generateKey(context: KeyContext, request: GenerateKeyRequest): Promise<PublicKey> {
  const wanted: WantedKey = { walletId: parse(request.walletId), curve: request.curve };
  const workspaceId = request.workspaceId === undefined ? undefined : parse(request.workspaceId);
  return pollUntilSettled(async () => {
    const confirmations =
      (await committed(context, wanted)) ?? (await makeKey(context, generationOf(context, wanted, workspaceId)));
    if (confirmations === undefined) return undefined;
    const key = verifyKeyConfirmations(context.cluster, wanted, confirmations);
    assertWorkspace(confirmations, workspaceId);
    if (!(await commitEverywhere(context, confirmations))) return undefined;
    await testEveryQuorum(context, wanted, key);
    return key;
  });
}

function generationOf(context: KeyContext, wanted: WantedKey, workspaceId: Uint8Array | undefined): KeyOperation {
  const generation = { ...wanted, threshold: context.cluster.threshold, nodes: everyNode(context) };
  if (workspaceId === undefined) return { kind: 'GenerateKey', ...generation };
  return { kind: 'GenerateWorkspaceKey', ...generation, workspaceId };
}

/**
 * Who had the command key before may have made the wallet's key for a workspace of his choice: the nodes would sign for
 * it by another policy. A key that was made before the nodes kept workspaces is in none.
 */
function assertWorkspace([first]: readonly Confirmation[], workspaceId: Uint8Array | undefined): void {
  const kept = first?.statement.workspaceId;
  if (kept !== undefined && workspaceId !== undefined && Buffer.compare(kept, workspaceId) !== 0)
    throw new ClusterError('mpc_refused', 'the nodes keep the key of this wallet for another workspace');
}

/** Until a look settles it. */
export async function pollUntilSettled<Result>(poll: (polls: number) => Promise<Result | undefined>): Promise<Result> {
  try {
    for (let polls = 1; polls <= maxPolls; polls += 1) {
      const settled = await poll(polls);
      if (settled !== undefined) return settled;
    }
    throw new ClusterError('mpc_error', 'the nodes do not agree on which key to commit');
  } catch (error) {
    throw error instanceof SessionFailure ? mostTelling(error.errors) : error;
  }
}

export const everyNode = ({ nodes }: KeyContext) => Buffer.from(nodes.map(({ index }) => index));

/**
 * The confirmations of shares that all nodes have made and prepared; `undefined` when others were committed meanwhile.
 */
export async function makeKey(
  { commander, nodes }: KeyContext,
  operation: KeyOperation,
): Promise<Confirmation[] | undefined> {
  const signed = signCommand(commander, operation);
  const session = { nodes, signed, lastRound: lastRound[operation.curve], requestTimeoutMs: roundTimeoutMs };
  const { values, errors } = await runSession(session);
  if (errors.some(isLostRace)) return undefined;
  if (errors.length > 0) throw mostTelling(errors);
  return values.map((outcome) => {
    if (outcome.kind !== 'Key') throw new ClusterError('mpc_error', 'a node ended the session without a key');
    return outcome.confirmation;
  });
}

/** The confirmations of the key that at least one node has committed; after a refresh, those of the newest epoch. */
async function committed(context: KeyContext, wanted: WantedKey): Promise<Confirmation[] | undefined> {
  const states = await askKeyStates(context, wanted);
  const keys = states.flatMap((state) => committedBy(state)?.slice(0, 1) ?? []);
  const publicKeys = new Set(keys.map(({ statement }) => Buffer.from(statement.publicKey).toString('hex')));
  if (publicKeys.size > 1)
    throw new ClusterError('mpc_refused', 'the nodes have committed different keys for this wallet');
  return publicKeys.size === 0 ? undefined : certificatesOf(context, states)[0];
}
