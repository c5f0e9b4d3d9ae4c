// Signing operations that wait to be started: one that comes alone is started by itself, and what comes while some of
// its workspace are under way waits for one of them to end, and goes together, in one workflow. Only what this process
// has accepted itself is grouped: who writes the outbox in the database forms no group.
import { v7 as uuidv7 } from 'uuid';
import { GROUP_MEMBERS_MAX } from '../../domain/signing-groups.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { SigningGroup, SigningTask, WorkflowStart } from '../../domain/workflow-inputs.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { sealGroup } from '../../drizzle/signing-requests/signing-groups.ts';
import type { OutboxEntry } from '../../drizzle/writes/workflow-outbox.ts';
import { FairQueue } from './fair-queue.ts';

/** While so many workflows of a workspace are under way, what comes waits, and goes together. */
const UNDER_WAY_MAX = 2;
/**
 * So many wait as fill a group: to wait longer would make none larger. Then they go up to this many under way, and a
 * crowd is with Temporal, and off this process, in seconds.
 */
const FULL_UNDER_WAY_MAX = 12;
/** Nobody waits longer for one: what takes its time holds up nothing else. */
const UNDER_WAY_MAX_MS = 1_000;
const STARTS_MAX = 32;
const QUEUE_MAX = 2_000;
/** After a group could not be started, operations are started one by one for so long. */
const ALONE_FOR_MS = 60_000;

export type PlainSigning = OutboxEntry & { workflow: 'sign'; input: SigningTask };

export interface GroupStarter {
  seals: Seals;
  /** Has `onFinal` called with each operation that reaches its end. One that is not told of costs a little time. */
  listen(onFinal: (id: string) => void): void;
  /** Both resolve when the start was tried. What failed is left to the outbox relay. */
  startOne(entry: OutboxEntry): Promise<boolean>;
  /** False when Temporal did not take it. */
  startGroup(group: WorkflowStart, entries: readonly OutboxEntry[]): Promise<boolean>;
}

/** A workflow that was started, until its members have ended. */
interface Flight {
  workspaceId: string;
  members: Set<string>;
  timeout: NodeJS.Timeout;
  isOver: boolean;
}

export class GroupedStarts {
  readonly #starter: GroupStarter;
  readonly #queue = new FairQueue<PlainSigning>(QUEUE_MAX);
  readonly #underWay = new Map<string, number>();
  readonly #flights = new Map<string, Flight>();
  #listening = false;
  #starting = 0;
  #aloneUntilMs = 0;

  constructor(starter: GroupStarter) {
    this.#starter = starter;
  }

  get starting(): number {
    return this.#starting;
  }

  push(entry: PlainSigning): void {
    if (!this.#listening) this.#starter.listen((id) => this.#landed(id));
    this.#listening = true;
    this.#queue.push(entry.input.workspaceId, entry);
    this.#next();
  }

  /** What waits is left to the outbox relay. */
  clear(): void {
    this.#queue.clear();
  }

  #next(): void {
    const most = performance.now() < this.#aloneUntilMs ? 1 : GROUP_MEMBERS_MAX;
    const mayCome = (workspaceId: string, waiting: number) =>
      (this.#underWay.get(workspaceId) ?? 0) < (waiting >= GROUP_MEMBERS_MAX ? FULL_UNDER_WAY_MAX : UNDER_WAY_MAX);
    while (this.#starting < STARTS_MAX) {
      const entries = this.#queue.shiftTogether({ most, mayCome, goesWith: isOnSameNetwork });
      const [first] = entries;
      if (first === undefined) return;
      void this.#start(first.input.workspaceId, entries);
    }
  }

  async #start(workspaceId: string, entries: readonly PlainSigning[]): Promise<void> {
    this.#starting += 1;
    const flight = this.#begin(workspaceId, entries);
    const [first, second] = entries;
    const isAlone = first !== undefined && second === undefined;
    const isStarted = await (isAlone
      ? this.#starter.startOne(first)
      : this.#starter.startGroup(this.#groupOf(entries), entries));
    if (!isStarted && !isAlone) this.#aloneUntilMs = performance.now() + ALONE_FOR_MS;
    this.#starting -= 1;
    if (isStarted) this.#next();
    else this.#end(flight);
  }

  #begin(workspaceId: string, entries: readonly PlainSigning[]): Flight {
    const members = new Set(entries.map(({ input: { signingId } }) => signingId));
    const timeout = setTimeout(() => this.#end(flight), UNDER_WAY_MAX_MS).unref();
    const flight: Flight = { workspaceId, members, timeout, isOver: false };
    for (const id of members) this.#flights.set(id, flight);
    this.#underWay.set(workspaceId, (this.#underWay.get(workspaceId) ?? 0) + 1);
    return flight;
  }

  #landed(id: string): void {
    const flight = this.#flights.get(id);
    if (flight === undefined) return;
    this.#flights.delete(id);
    flight.members.delete(id);
    if (flight.members.size === 0) this.#end(flight);
  }

  /** Once: by its last member, its time, or a start that failed. */
  #end(flight: Flight): void {
    if (flight.isOver) return;
    flight.isOver = true;
    clearTimeout(flight.timeout);
    for (const id of flight.members) this.#flights.delete(id);
    const left = (this.#underWay.get(flight.workspaceId) ?? 1) - 1;
    if (left > 0) this.#underWay.set(flight.workspaceId, left);
    else this.#underWay.delete(flight.workspaceId);
    this.#next();
  }

  #groupOf(entries: readonly PlainSigning[]): WorkflowStart {
    const [{ input: shared }] = entries as [PlainSigning];
    const { workspaceId, networkCode } = shared;
    const members = entries.map(({ workflowId, input: { signingId, walletId, kind } }) => {
      return { signingId, workflowId, walletId, kind };
    });
    const group: SigningGroup = sealGroup(this.#starter.seals, {
      groupId: uuidv7(),
      workspaceId,
      networkCode,
      members,
    });
    return { workflow: 'signGroup', workflowId: workflowIdOf('signGroup', group.groupId), input: group };
  }
}

const isOnSameNetwork = (one: PlainSigning, other: PlainSigning) => one.input.networkCode === other.input.networkCode;

/** One that asks for nobody's approval and tells its workflow nothing. A request that is traced has its own trace. */
export function isPlainSigning(entry: OutboxEntry): entry is PlainSigning {
  const { workflow, workflowId, input, signal, traceContext } = entry;
  if (workflow !== 'sign' || signal || traceContext || !('signingId' in input)) return false;
  const isOwn = workflowId === workflowIdOf('sign', input.signingId);
  return isOwn && input.atOnce === true && input.approvalUntil === undefined && input.ended === undefined;
}
