// Makes one signature: picks a quorum, runs a session, and goes on with another quorum when that one fails or its
// answer is not accepted, each time with a fresh command. Remembers whether a signature may exist that nobody answered.
import type { Curve } from '../../../domain/statuses.ts';
import { ClusterError, type ClusterErrorCode, type Signature } from '../port.ts';
import type { Operation, Outcome } from '../transport/wire.ts';
import { LateNode } from './ask-nodes.ts';
import { type Commander, signCommand } from './command.ts';
import type { Quorum, Quorums } from './quorum.ts';
import { NodeRefusal } from './refusal.ts';
import { runSession, SessionFailure } from './session.ts';

/**
 * How long a round may take while another quorum could sign instead: a node that hangs costs a signature no more than
 * this.
 */
const impatientMs = 1_500;
/** How long a whole session waits for nodes that are slower than the fastest, while another quorum could sign. */
const patienceMs = 1_200;
const patientMs = 10_000;
export const lastSigningRound: Readonly<Record<Curve, number>> = { secp256k1: 4, ed25519: 3 };

/** What is signed, without the quorum: that is chosen here. */
export type SignOperation = Omit<Extract<Operation, { kind: 'Sign' }>, 'kind' | 'signers'>;

export interface SigningContext {
  commander: Commander;
  quorums: Quorums;
}

/** `verify` throws for what is not the signature that was asked for. */
export async function makeSignature<Verified>(
  context: SigningContext,
  operation: SignOperation,
  verify: (signature: Signature) => Verified,
  abort?: AbortSignal,
): Promise<Verified> {
  const { quorums } = context;
  const key = `${Buffer.from(operation.walletId).toString('hex')} ${operation.curve}`;
  const tried = new Set<Quorum>();
  const failures: ClusterError[] = [];
  let mayBeSigned = false;
  for (;;) {
    const lease = await quorums.acquire(key, tried, abort).catch((error: unknown) => {
      throw error instanceof ClusterError ? inSum(error, mayBeSigned) : error;
    });
    if (lease === undefined) throw inSum(summaryOf(failures), mayBeSigned);
    const { quorum } = lease;
    const pace = lease.hasOther ? { roundTimeoutMs: impatientMs, patienceMs } : {};
    const onTimes = (times: ReadonlyMap<number, number>) => quorums.times.note(times);
    try {
      return await signWithQuorum(context.commander, { operation, quorum, verify, abort, onTimes, ...pace });
    } catch (error) {
      if (!(error instanceof SessionFailure)) throw error;
      tried.add(quorum);
      failures.push(...error.errors);
      mayBeSigned ||= error.mayBeSigned;
      for (const failure of error.errors) {
        if (failure instanceof LateNode && failure.node !== undefined) quorums.times.noteSlow(failure.node);
        else if (isSilence(failure)) quorums.times.noteSilence(failure.node);
      }
      if (error.errors.some(({ code }) => code === 'counterparty_banned')) quorums.ban(key, quorum);
      if (endsTheCall(failures)) throw inSum(summaryOf(failures), mayBeSigned);
    } finally {
      lease.release();
    }
  }
}

export interface QuorumSigning<Verified> {
  operation: SignOperation;
  quorum: Quorum;
  verify: (signature: Signature) => Verified;
  roundTimeoutMs?: number;
  /** See `Session`. */
  patienceMs?: number;
  /** Is told how long each node took, once a session came to its end. */
  onTimes?: (times: ReadonlyMap<number, number>) => void;
  abort?: AbortSignal | undefined;
}

export async function signWithQuorum<Verified>(
  commander: Commander,
  {
    operation,
    quorum,
    verify,
    roundTimeoutMs = patientMs,
    patienceMs: patience,
    onTimes,
    abort,
  }: QuorumSigning<Verified>,
): Promise<Verified> {
  const signers = Buffer.from(quorum.nodes.map(({ index }) => index));
  const command = signCommand(commander, { kind: 'Sign', ...operation, signers });
  // A key test can authorise nothing, and nodes ask for no approval of it.
  const approval = operation.payload.kind === 'KeyTest' ? undefined : await commander.approve?.(command.bytes);
  const signed = { ...command, approval };
  const lastRound = lastSigningRound[operation.curve];
  const {
    values: outcomes,
    errors,
    asked,
    times,
  } = await runSession({
    nodes: quorum.nodes,
    signed,
    lastRound,
    requestTimeoutMs: roundTimeoutMs,
    patienceMs: patience,
    abort,
  });
  if (errors.length === 0) onTimes?.(times);
  const wrong: ClusterError[] = [];
  // One right answer is enough: what the other node withheld, lost or made up in the last round is the same signature.
  for (const outcome of outcomes)
    try {
      return verify({ ...signatureOf(outcome), signers: [...signers] });
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      wrong.push(new ClusterError(error.code, `nodes ${quorum.name}: ${error.message}`));
    }
  // In the round before the last each node hands out its part: from then on one of them may have the whole.
  throw new SessionFailure([...errors, ...wrong], asked >= lastRound - 1);
}

function signatureOf(outcome: Outcome): Omit<Signature, 'signers'> {
  if (outcome.kind !== 'Signature' || (outcome.recoveryId !== 0 && outcome.recoveryId !== 1))
    throw new ClusterError('mpc_error', 'the answer is no signature');
  return { bytes: Uint8Array.from(outcome.bytes), recoveryId: outcome.recoveryId };
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
  'signature_invalid',
  'counterparty_banned',
  ...refusals,
];

/** The error, with what is known of all sessions. */
function inSum(error: ClusterError, mayBeSigned: boolean): ClusterError {
  if (error.mayBeSigned === mayBeSigned) return error;
  const { code, message, node } = error;
  return new ClusterError(code, message, { ...(node === undefined ? {} : { node }), cause: error, mayBeSigned });
}

function summaryOf(failures: readonly ClusterError[]): ClusterError {
  const order: readonly ClusterErrorCode[] = endsTheCall(failures) ? ['aborted', ...refusals] : hopeful;
  for (const code of order) {
    const found = failures.find((error) => error.code === code);
    if (found !== undefined) return found;
  }
  return new ClusterError('counterparty_banned', 'every quorum of this key is banned');
}
