// What a node's refusal means for the call: which failure of the port it is. Decides nothing about who is asked next.
import { ClusterError, type ClusterErrorCode } from '../port.ts';
import type { Refusal, RefusalCode } from '../transport/wire.ts';

const meanings: Readonly<Record<RefusalCode, { code: ClusterErrorCode; sentence: string }>> = {
  InvalidRequest: { code: 'mpc_refused', sentence: 'refuses the request as invalid' },
  Unauthorized: { code: 'mpc_refused', sentence: 'does not accept the command key' },
  Expired: { code: 'mpc_error', sentence: 'says that the command has expired' },
  CommandUsed: { code: 'mpc_error', sentence: 'says that the command was used before' },
  UnknownWallet: { code: 'mpc_refused', sentence: 'has no key for this wallet' },
  WalletExists: { code: 'mpc_error', sentence: 'already has a key for this wallet' },
  ShareUnreadable: { code: 'cluster_not_ready', sentence: 'cannot read its share of this key' },
  UnknownSession: { code: 'mpc_error', sentence: 'no longer knows the session' },
  SessionAborted: { code: 'mpc_error', sentence: 'aborted the session' },
  Banned: { code: 'counterparty_banned', sentence: 'will not sign with its peer again' },
  Busy: { code: 'cluster_busy', sentence: 'is at its limit' },
  MessageConflict: { code: 'mpc_refused', sentence: 'has bound the operation to another message' },
  VersionMismatch: { code: 'cluster_not_ready', sentence: 'speaks another version' },
  Internal: { code: 'mpc_error', sentence: 'failed inside' },
  WrongEpoch: { code: 'mpc_error', sentence: 'holds another epoch of this key' },
  NeedsRefresh: { code: 'cluster_not_ready', sentence: 'holds a share that signs only after a refresh of this key' },
  PolicyRefused: { code: 'policy_refused', sentence: 'refuses it' },
  Paused: { code: 'cluster_not_ready', sentence: 'is paused by its operator' },
  SetBack: { code: 'cluster_not_ready', sentence: 'has a disk that was set back and has to be restored' },
  NotYetTold: {
    code: 'cluster_not_ready',
    sentence: 'has just started and was not told yet what the others keep of it',
  },
  CheckpointConflict: { code: 'mpc_refused', sentence: 'keeps another or a later checkpoint of this workspace' },
  RosterMismatch: { code: 'cluster_not_ready', sentence: 'has another cluster file' },
};

/** What a peer sent, not the command: without that peer it can go well. */
const FOREIGN = { code: 'mpc_error', sentence: 'does not accept what its peer has signed' } as const;

/**
 * What a node says is wrong with a request is a fixed sentence of its own (mpc/PROTOCOL.md); anything else that it may
 * send is not passed on.
 */
const PLAIN = /^[A-Za-z0-9 ,.'()-]{1,120}$/;

/** Whoever asked has to know: what is wrong with the request, what is paused, or which limit is reached. */
const explained: ReadonlySet<RefusalCode> = new Set(['InvalidRequest', 'PolicyRefused', 'Paused', 'Busy']);

/** A refusal as an error of the port; keeps the node's own code for those who drive the rounds. */
export class NodeRefusal extends ClusterError {
  readonly refusal: RefusalCode;

  constructor(node: number, { code, peer, detail }: Refusal) {
    const { code: clusterCode, sentence } = code === 'Unauthorized' && peer !== null ? FOREIGN : meanings[code];
    const said = explained.has(code) && PLAIN.test(detail) ? `: ${detail}` : '';
    super(clusterCode, `node ${node} ${sentence}${peer === null ? '' : ` (node ${peer})`}${said}`, { node });
    this.refusal = code;
  }
}
