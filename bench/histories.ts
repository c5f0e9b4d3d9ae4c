// Reads the histories of finished signatures: how many events and billable actions one takes, and where its time went.
import { Client, Connection } from '@temporalio/client';
import { workflowIdOf } from '../domain/workflow-ids.ts';
import { spreadOf } from './support/rounds.ts';
import type { Posted } from './support/signers.ts';

export interface Histories {
  events: number;
  actions: number;
  /** Names of the events, with how often each occurs in one history. */
  kinds: ReadonlyMap<string, number>;
  /** Median milliseconds of each step, in order. */
  steps: readonly { name: string; medianMs: number }[];
}

type Event = { name: string; atMs: number; taskCompletedEventId: string };

export async function readHistories(temporalAddress: string, posted: readonly Posted[]): Promise<Histories> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const client = new Client({ connection });
    const histories: { posted: Posted; events: Event[] }[] = [];
    for (const one of posted) {
      const { events } = await client.workflow.getHandle(workflowIdOf('sign', one.signingId)).fetchHistory();
      histories.push({ posted: one, events: (events ?? []).map(readEvent) });
    }
    const last = histories.at(-1);
    if (last === undefined) throw new Error('There is no history to read.');
    const kinds = new Map<string, number>();
    for (const { name } of last.events) kinds.set(name, (kinds.get(name) ?? 0) + 1);
    return { events: last.events.length, actions: countActions(last.events), kinds, steps: medianSteps(histories) };
  } finally {
    await connection.close();
  }
}

/**
 * As Temporal Cloud counts them (docs.temporal.io/cloud/actions): the start, each activity, each upsert of search
 * attributes, each timer, and the local activities of one workflow task together as one. Heartbeats that reach the
 * server would add to it; a signature is faster than the first.
 */
function countActions(events: readonly Event[]): number {
  const single = [
    'workflowExecutionStarted',
    'activityTaskScheduled',
    'upsertWorkflowSearchAttributes',
    'timerStarted',
  ];
  const tasksWithLocalActivities = new Set(
    events.filter(({ name }) => name === 'markerRecorded').map(({ taskCompletedEventId }) => taskCompletedEventId),
  );
  return events.filter(({ name }) => single.includes(name)).length + tasksWithLocalActivities.size;
}

/** From the POST over the moments that a history of one task has. */
function medianSteps(histories: readonly { posted: Posted; events: readonly Event[] }[]): Histories['steps'] {
  const momentsOf = ({ posted, events }: { posted: Posted; events: readonly Event[] }) => [
    posted.sentMs,
    ...['workflowExecutionStarted', 'workflowTaskStarted', 'workflowTaskCompleted'].map(
      (name) => events.find((event) => event.name === name)?.atMs ?? Number.NaN,
    ),
  ];
  const names = [
    'POST sent → workflow started (the 202 goes out meanwhile)',
    'workflow started → a worker has its task',
    'the task: the nodes sign, the signature is verified and stored',
  ];
  const all = histories.map(momentsOf);
  const steps = names.map((name, index) => ({
    name,
    medianMs: spreadOf(all.map((moments) => (moments[index + 1] ?? 0) - (moments[index] ?? 0))).median,
  }));
  const answers = histories.map(({ posted }) => posted.answeredMs - posted.sentMs);
  return [{ name: 'POST sent → 202 (whole milliseconds)', medianMs: spreadOf(answers).median }, ...steps];
}

interface Long {
  toString(): string;
}

interface ProtoEvent {
  eventTime?: { seconds?: Long | null; nanos?: number | null } | null;
}

/** An event is named by the one `…EventAttributes` field that it carries. */
function readEvent(event: ProtoEvent): Event {
  const fields = Object.entries(event as Record<string, unknown>);
  const [name = '', attributes] =
    fields.find(([field, value]) => field.endsWith('EventAttributes') && value !== null && value !== undefined) ?? [];
  const { workflowTaskCompletedEventId } = (attributes ?? {}) as { workflowTaskCompletedEventId?: Long | null };
  const { seconds, nanos } = event.eventTime ?? {};
  return {
    name: name.replace(/EventAttributes$/, ''),
    atMs: Number(seconds?.toString() ?? 0) * 1000 + (nanos ?? 0) / 1e6,
    taskCompletedEventId: workflowTaskCompletedEventId?.toString() ?? '',
  };
}
