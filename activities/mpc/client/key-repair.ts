// Which shares of a key are gone, and the orchestrator's part in making one again: it carries the command that the
// enrolment key has signed, and the nodes' sealed messages. It could not name another target: the command fixes the
// node, its identity, the key and the epoch.
import { parse } from 'uuid';
import { ClusterError, type KeyShares, type RepairCommand, type ShareState, type WalletKey } from '../port.ts';
import { BorshError, decode } from '../transport/borsh.ts';
import type { NodeTransport } from '../transport/node-transport.ts';
import { type Command, command as commandCodec, type KeyState, type Operation } from '../transport/wire.ts';
import type { WantedKey } from '../verify/key-confirmation.ts';
import { askNodes, outOfTurn } from './ask-nodes.ts';
import { NodeRefusal } from './refusal.ts';
import { runSession } from './session.ts';
import { askKeyStates, certificatesOf, committedBy, holds, type KeyContext, mostTelling } from './settle-key.ts';
import { uuidOf } from './uuid-of.ts';

const roundTimeoutMs = 30_000;
const requestTimeoutMs = 10_000;
const lastRound = 3;

export async function sharesOf(context: KeyContext, { walletId, curve }: WalletKey): Promise<KeyShares> {
  const states = await askKeyStates(context, { walletId: parse(walletId), curve });
  const epochs = states.flatMap((state) => committedBy(state)?.[0]?.statement.epoch ?? []);
  if (epochs.length === 0) throw new ClusterError('mpc_refused', 'the nodes do not know this wallet');
  const epoch = Math.max(...epochs);
  const shares = context.nodes.map(({ index }, at) => ({ node: index, state: shareState(states[at], epoch) }));
  return { epoch, shares };
}

/** A share of an older epoch is none: it fits to no other. */
function shareState(state: KeyState | undefined, epoch: number): ShareState {
  if (state === undefined || committedBy(state)?.[0]?.statement.epoch !== epoch) return 'missing';
  return state.kind === 'Unsettled' && !state.signs ? 'unrefreshed' : 'whole';
}

/** The wallet of whose key the command speaks. */
export const repairedWallet = ({ command }: RepairCommand): string =>
  uuidOf(repairOf(Buffer.from(command, 'hex')).operation.walletId);

export async function repairShare(context: KeyContext, { command, signature }: RepairCommand): Promise<void> {
  const bytes = Buffer.from(command, 'hex');
  const { operation, commandId } = repairOf(bytes);
  const participants = [...operation.nodes];
  const nodes = context.nodes.filter(({ index }) => participants.includes(index));
  if (nodes.length !== participants.length) throw invalid('the repair names a node that is not in the cluster file');
  await bringTogether(
    operation,
    nodes.filter(({ index }) => index !== operation.target),
  );
  const signed = { commandId, bytes, signature: Buffer.from(signature, 'hex'), participants, enrolment: true };
  const { values, errors } = await runSession({ nodes, signed, lastRound, requestTimeoutMs: roundTimeoutMs });
  const target = errors.filter(({ node }) => node === operation.target);
  // The target has it: made before, or by this session, of which a helper did not see the end.
  if (target.some((error) => error instanceof NodeRefusal && error.refusal === 'WalletExists')) return;
  if (errors.length > 0) throw mostTelling(errors);
  if (values.some(({ kind }) => kind !== 'Repaired'))
    throw new ClusterError('mpc_error', 'a node ended the repair with something else');
}

/**
 * Helpers that have different shares repair nothing. What one of them has committed the others commit, too, or come
 * back to: each checks that itself. Where they cannot, the repair says so.
 */
async function bringTogether({ walletId, curve }: WantedKey, helpers: readonly NodeTransport[]): Promise<void> {
  const askStates = () =>
    askNodes(helpers, {
      ask: () => ({ kind: 'KeyState', walletId, curve }),
      read: (body, node) => {
        if (body.kind !== 'KeyState') throw outOfTurn(node);
        return body.state;
      },
      timeoutMs: requestTimeoutMs,
    });
  const first = await askStates();
  for (const confirmations of certificatesOf({ nodes: [] }, first.values)) {
    const { values } = await askStates();
    if (values.every((state) => holds(state, confirmations))) return;
    await askNodes(helpers, {
      ask: () => ({ kind: 'Commit', confirmations }),
      read: () => undefined,
      timeoutMs: requestTimeoutMs,
    });
  }
}

function repairOf(bytes: Uint8Array): Command & { operation: Extract<Operation, { kind: 'Repair' }> } {
  try {
    const decoded = decode(commandCodec, bytes);
    if (decoded.operation.kind === 'Repair') return { ...decoded, operation: decoded.operation };
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
  }
  throw invalid('this is no repair command');
}

function invalid(message: string): ClusterError {
  return new ClusterError('invalid_request', message);
}
