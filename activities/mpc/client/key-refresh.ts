// Renews every share of a wallet's key; public key, chain code and addresses stay. Every step may be repeated after a
// crash at any point:
// 1. ask every node for the key's state; a refresh that did not come to its end goes on at 3
// 2. refresh: every node prepares a share of the next epoch and confirms it; the present one signs until the commit
// 3. commit at every node; other shares of the epoch, of a refresh that did not finish, are erased at every node once
//   all have acknowledged this one
// 4. a test signature by every quorum against the key that the caller has stored
//   Must not count as done what one node has not committed, one quorum cannot sign with, or leaves such a share.
import { parse } from 'uuid';
import { ClusterError, type PublicKey, type RefreshKeyRequest } from '../port.ts';
import type { Confirmation, KeyState } from '../transport/wire.ts';
import { sameStatement, verifyKeyConfirmations, type WantedKey } from '../verify/key-confirmation.ts';
import { epochWithRoom, eraseLeftovers, settleAcknowledged } from './acknowledged-shares.ts';
import { everyNode, makeKey, pollUntilSettled } from './key-generation.ts';
import { NodeRefusal } from './refusal.ts';
import {
  askKeyStates,
  certificatesOf,
  commitEverywhere,
  committedBy,
  holds,
  type KeyContext,
  testEveryQuorum,
} from './settle-key.ts';

/** Resolves with the epoch of the shares that all nodes hold now. */
export async function refreshKey(context: KeyContext, { walletId, curve, root }: RefreshKeyRequest): Promise<number> {
  const wanted: WantedKey = { walletId: parse(walletId), curve };
  /** Certificates that nodes refuse, since they have settled on another share, to which the rest can come back. */
  const refused = new Set<string>();
  return pollUntilSettled(async (polls) => {
    const states = await askKeyStates(context, wanted);
    assertShares(context, states);
    const wins = (one: Confirmation[]) => !refused.has(nameOf(one)) && isOf(context, wanted, root, one);
    const present = certificatesOf(context, states).find(wins);
    const settled = present === undefined || states.every((state) => holds(state, present));
    const next = settled ? await refresh(context, wanted, epochWithRoom(context, states)) : present;
    if (next === undefined) return undefined;
    if (!isOf(context, wanted, root, next)) throw new ClusterError('mpc_error', 'the refresh made another key');
    if (!(await commitEverywhere(context, next))) {
      // Another one was first. If that is so twice, one node has changed away from what the others have settled on.
      if (polls > 1 && !(await settleIfAllAgree(context, wanted))) refused.add(nameOf(next));
      return undefined;
    }
    if (!(await eraseLeftovers(context, wanted))) return undefined;
    await testEveryQuorum(context, wanted, root);
    return next[0]?.statement.epoch;
  });
}

/** `false` too where a node does not give its word again, which it has given before. */
const settleIfAllAgree = (context: KeyContext, wanted: WantedKey): Promise<boolean> =>
  settleAcknowledged(context, wanted).catch((error: unknown) => {
    if (error instanceof NodeRefusal) return false;
    throw error;
  });

const nameOf = ([first]: readonly Confirmation[]) => Buffer.from(first?.statement.sessionId ?? []).toString('hex');

const refresh = (context: KeyContext, wanted: WantedKey, epoch: number) =>
  makeKey(context, { kind: 'Refresh', ...wanted, epoch, nodes: everyNode(context) });

/** Every node takes part with a share of the newest epoch, or with one that a commit makes the newest. */
function assertShares(context: KeyContext, states: readonly KeyState[]): void {
  const [newest] = certificatesOf(context, states.map(withoutPrepared));
  if (newest === undefined && states.every(({ kind }) => kind !== 'Prepared'))
    throw new ClusterError('mpc_refused', 'the nodes do not know this wallet');
  const without = context.nodes[states.findIndex((state) => lacks(state, newest?.[0]))];
  if (without !== undefined)
    throw new ClusterError('mpc_refused', `node ${without.index} has no share of this key: it must be repaired first`);
}

const withoutPrepared = (state: KeyState): KeyState =>
  state.kind === 'Unsettled' ? { ...state, prepared: [] } : state;

function lacks(state: KeyState, newest: Confirmation | undefined): boolean {
  if (state.kind === 'Absent') return true;
  const held = committedBy(state)?.[0];
  if (held === undefined || newest === undefined || held.statement.epoch >= newest.statement.epoch) return false;
  return state.kind !== 'Unsettled' || !state.prepared.some((own) => sameStatement(own, newest));
}

/** Whether all nodes of the cluster as it is have confirmed it, and it is about the key of `root`. */
function isOf(context: KeyContext, wanted: WantedKey, root: PublicKey, confirmations: Confirmation[]): boolean {
  try {
    const { publicKey, chainCode } = verifyKeyConfirmations(context.cluster, wanted, confirmations);
    return Buffer.compare(publicKey, root.publicKey) === 0 && Buffer.compare(chainCode, root.chainCode) === 0;
  } catch (error) {
    if (error instanceof ClusterError) return false;
    throw error;
  }
}
