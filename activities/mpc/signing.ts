// Makes one signature: picks a quorum, runs a session, and goes on with another quorum when that one fails, each time with a fresh command.
// Verifies nothing and stores nothing: the answer is only what the nodes say.
import type { Curve } from '../../drizzle/status.ts';
import { ClusterError, type ClusterErrorCode, type Signature } from './cluster.ts';
import { type Commander, signCommand } from './command.ts';
import type { Lease, Quorum, Quorums } from './quorum.ts';
import { NodeRefusal } from './refusal.ts';
import { runSession, SessionFailure } from './session.ts';
import type { Operation, Outcome } from './wire.ts';

/** How long a round may take while another quorum could sign instead: a node that hangs costs a signature no more than this. */
const impatientMs = 1_500;
const patientMs = 10_000;
export const lastSigningRound: Readonly<Record<Curve, number>> = { secp256k1: 4, ed25519: 3 };

/** What is signed, without the quorum: that is chosen here. */
export type SignOperation = Omit<Extract<Operation, { kind: 'Sign' }>, 'kind' | 'signers'>;

export interface SigningContext {
  commander: Commander;
  quorums: Quorums;
}

export async function makeSignature(
  context: SigningContext,
  operation: SignOperation,
  abort?: AbortSignal,
): Promise<Signature> {
  const { quorums } = context;
  const key = `${Buffer.from(operation.walletId).toString('hex')} ${operation.curve}`;
  const tried = new Set<Quorum>();
  const failures: ClusterError[] = [];
  for (;;) {
    const lease: Lease | undefined = await quorums.acquire(key, tried, abort);
    if (lease === undefined) throw summaryOf(failures);
    const { quorum } = lease;
    const roundTimeoutMs = quorums.hasOther(key, tried, quorum) ? impatientMs : patientMs;
    try {
      return await signWithQuorum(context.commander, operation, quorum, { roundTimeoutMs, abort });
    } catch (error) {
      if (!(error instanceof SessionFailure)) throw error;
      tried.add(quorum);
      failures.push(...error.errors);
      for (const failure of error.errors) if (isSilence(failure)) quorums.noteSilence(failure.node);
      if (error.errors.some(({ code }) => code === 'counterparty_banned')) quorums.ban(key, quorum);
      if (endsTheCall(failures)) throw summaryOf(failures);
    } finally {
      lease.release();
    }
  }
}

export async function signWithQuorum(
  commander: Commander,
  operation: SignOperation,
  quorum: Quorum,
  { roundTimeoutMs = patientMs, abort }: { roundTimeoutMs?: number; abort?: AbortSignal | undefined } = {},
): Promise<Signature> {
  const signers = Buffer.from(quorum.nodes.map(({ index }) => index));
  const command = signCommand(commander, { kind: 'Sign', ...operation, signers });
  // A key test can authorise nothing, and nodes ask for no approval of it.
  const approval = operation.payload.kind === 'KeyTest' ? undefined : await commander.approve?.(command.bytes);
  const signed = { ...command, approval };
  const lastRound = lastSigningRound[operation.curve];
  const { values: outcomes, errors } = await runSession({
    nodes: quorum.nodes,
    signed,
    lastRound,
    requestTimeoutMs: roundTimeoutMs,
    abort,
  });
  const [first, ...others] = outcomes;
  // One answer is enough: what the other node withheld or lost in the last round is the same signature.
  if (first === undefined) throw new SessionFailure(errors);
  const signature = signatureOf(first);
  if (signature === undefined || others.some((other) => !sameSignature(other, signature))) {
    throw new SessionFailure([new ClusterError('mpc_error', `nodes ${quorum.name} answered different signatures`)]);
  }
  return { ...signature, signers: [...signers] };
}

function signatureOf(outcome: Outcome): Omit<Signature, 'signers'> | undefined {
  if (outcome.kind !== 'Signature' || (outcome.recoveryId !== 0 && outcome.recoveryId !== 1)) return undefined;
  return { bytes: Uint8Array.from(outcome.bytes), recoveryId: outcome.recoveryId };
}

function sameSignature(other: Outcome, { bytes, recoveryId }: Omit<Signature, 'signers'>): boolean {
  return other.kind === 'Signature' && other.recoveryId === recoveryId && Buffer.compare(other.bytes, bytes) === 0;
}

const refusals: readonly ClusterErrorCode[] = ['policy_refused', 'mpc_refused'];

/** A refusal is an answer. */
function isSilence(error: ClusterError): error is ClusterError & { node: number } {
  return error.code === 'cluster_not_ready' && error.node !== undefined && !(error instanceof NodeRefusal);
}

/** One node's word is not enough to give up: with two that refuse, at least one of them is honest. */
function endsTheCall(failures: readonly ClusterError[]): boolean {
  const refusing = failures.filter((error) => error instanceof NodeRefusal && refusals.includes(error.code));
  return failures.some(({ code }) => code === 'aborted') || new Set(refusing.map(({ node }) => node)).size > 1;
}

/** The most hopeful failure speaks for all: a call that may still succeed must not look final. */
const hopeful: readonly ClusterErrorCode[] = [
  'cluster_not_ready',
  'cluster_busy',
  'mpc_error',
  'counterparty_banned',
  ...refusals,
];

function summaryOf(failures: readonly ClusterError[]): ClusterError {
  const order: readonly ClusterErrorCode[] = endsTheCall(failures) ? ['aborted', ...refusals] : hopeful;
  for (const code of order) {
    const found = failures.find((error) => error.code === code);
    if (found !== undefined) return found;
  }
  return new ClusterError('counterparty_banned', 'every quorum of this key is banned');
}
