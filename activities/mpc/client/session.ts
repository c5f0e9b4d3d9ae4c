// Drives one session through its rounds: opens it, passes every sealed envelope from its sender to its receiver,
// returns the outcomes. Pure relaying: it reads no envelope, keeps nothing, and never uses a session again after a
// failure.

import { ClusterError } from '../port.ts';
import type { NodeTransport } from '../transport/node-transport.ts';
import type { Envelope, Outcome, RequestBody, ResponseBody } from '../transport/wire.ts';
import { type Answers, askNodes, outOfTurn, type Question } from './ask-nodes.ts';
import type { SignedCommand } from './command.ts';

export interface Session {
  /** In the order of `signed.participants`. */
  nodes: readonly NodeTransport[];
  signed: SignedCommand;
  /** The number of the round that answers the outcome. */
  lastRound: number;
  requestTimeoutMs: number;
  /** How long a session waits for nodes that are slower than the fastest, over all its rounds; absent: for ever. */
  patienceMs?: number | undefined;
  abort?: AbortSignal | undefined;
}

/** A session without a result, with every failure of the round that ended it. */
export class SessionFailure extends Error {
  override readonly name = 'SessionFailure';
  readonly errors: readonly ClusterError[];
  /** See `ClusterError`. */
  readonly mayBeSigned: boolean;

  constructor(errors: readonly ClusterError[], mayBeSigned = false) {
    super('the session failed');
    this.errors = errors;
    this.mayBeSigned = mayBeSigned;
  }
}

export interface SessionEnd extends Answers<Outcome> {
  /** The last round that was asked of the nodes; 1 is the start, and 0 when it was not reached. */
  asked: number;
  /** How long each node took in all the rounds that all of them answered. */
  times: ReadonlyMap<number, number>;
}

function opening({ bytes: command, signature, approval, enrolment }: SignedCommand): RequestBody {
  if (enrolment) return { kind: 'OpenEnrolment', command, signature };
  return approval === undefined
    ? { kind: 'Open', command, signature }
    : { kind: 'OpenApproved', command, signature, approval };
}

type RoundAnswer = Extract<ResponseBody, { kind: 'Round' }>;

/** An outcome or a failure from each node; only failures when the session ended before its last round. */
export async function runSession(session: Session): Promise<SessionEnd> {
  const { nodes, signed, lastRound } = session;
  const { commandId } = signed;
  const pace = new Pace(session.patienceMs);
  const everyNode = <T>(question: Asked<T>) => everyNodeOf(session, pace, question);
  let ended = false;
  let asked = 0;
  try {
    const hellos = await everyNode({
      ask: () => opening(signed),
      read: (body, node) => {
        if (body.kind !== 'Opened' || body.hello.node !== node.index) throw outOfTurn(node);
        return body.hello;
      },
    });
    asked = 1;
    let rounds = await everyNode({ ask: () => ({ kind: 'Start', commandId, hellos }), read: roundOf });
    for (let round = 2; round < lastRound; round += 1) {
      const requests = continuations(session, round, rounds);
      asked = round;
      rounds = await everyNode({ ask: requests, read: roundOf });
    }
    asked = lastRound;
    const last = await round(session, pace, { ask: continuations(session, lastRound, rounds), read: outcomeOf });
    ended = last.errors.length === 0;
    return { ...last, asked, times: pace.times };
  } catch (error) {
    if (error instanceof SessionFailure) return { values: [], errors: [...error.errors], asked, times: pace.times };
    throw error;
  } finally {
    // A broken request makes a node drop the session at once, and with it the place that it takes.
    if (!ended) for (const node of nodes) drop(node, commandId);
  }
}

type Asked<T> = Pick<Question<T>, 'ask' | 'read'>;

/**
 * One patience for a session: what a round waits for its slowest node after the first has answered is taken off it. So
 * a node that answers each round just in time costs no more than one that does not answer, and load, which slows all
 * nodes, ends no session.
 */
class Pace {
  readonly times = new Map<number, number>();
  #leftMs: number | undefined;

  constructor(patienceMs: number | undefined) {
    this.#leftMs = patienceMs;
  }

  async round<T>(session: Session, question: Asked<T>): Promise<Answers<T>> {
    const took = new Map<number, number>();
    const answers = await askNodes(session.nodes, {
      ...question,
      timeoutMs: session.requestTimeoutMs,
      lagMs: this.#leftMs,
      onAnswer: (node, ms) => took.set(node, ms),
    });
    if (took.size === session.nodes.length) this.#note(took);
    return answers;
  }

  #note(took: ReadonlyMap<number, number>): void {
    const [fastest, slowest] = [Math.min(...took.values()), Math.max(...took.values())];
    for (const [node, ms] of took) this.times.set(node, (this.times.get(node) ?? 0) + ms);
    // A round in which all are slow earns what it costs.
    if (this.#leftMs !== undefined) this.#leftMs = Math.max(this.#leftMs - (slowest - fastest) + fastest, 1);
  }
}

function round<T>(session: Session, pace: Pace, question: Asked<T>): Promise<Answers<T>> {
  if (session.abort?.aborted) throw new SessionFailure([new ClusterError('aborted', 'the caller withdrew the call')]);
  return pace.round(session, question);
}

async function everyNodeOf<T>(session: Session, pace: Pace, question: Asked<T>): Promise<T[]> {
  const { values, errors } = await round(session, pace, question);
  if (errors.length > 0) throw new SessionFailure(errors);
  return values;
}

/** For each node one envelope from each other participant, ascending by sender. */
function continuations({ nodes, signed }: Session, round: number, answers: readonly RoundAnswer[]) {
  return (receiver: NodeTransport): RequestBody => {
    const inbound = nodes.flatMap((sender, position): Envelope[] => {
      if (sender === receiver) return [];
      const [envelope, ...more] = (answers[position]?.outbound ?? []).filter(({ peer }) => peer === receiver.index);
      if (envelope === undefined || more.length > 0) throw new SessionFailure([outOfTurn(sender)]);
      return [{ peer: sender.index, sealed: envelope.sealed }];
    });
    return { kind: 'Continue', commandId: signed.commandId, round, inbound };
  };
}

function roundOf(body: ResponseBody, node: NodeTransport): RoundAnswer {
  if (body.kind !== 'Round' || body.outcome !== null) throw outOfTurn(node);
  return body;
}

function outcomeOf(body: ResponseBody, node: NodeTransport): Outcome {
  if (body.kind !== 'Round' || body.outcome === null) throw outOfTurn(node);
  return body.outcome;
}

function drop(node: NodeTransport, commandId: Uint8Array): void {
  if (node.readiness !== 'open') return;
  node.call({ kind: 'Continue', commandId, round: 0, inbound: [] }, 10_000).catch(() => undefined);
}
