// What a run of a workflow knows by itself of the operation that it carries out, and what follows from it: no row says
// otherwise. Temporal refuses a second run of a workflow for as long as it remembers the first, and an operation is run
// under the one id that its sealed row names. So whoever sets an operation back in the database has to wait until its
// workflow is forgotten, and by then a run of it begins too late.
import { SECOND_RUN_REFUSED_FOR_MS, STARTED_WITHIN_MS } from './time-limits.ts';

export interface RunFacts {
  /** When the run began, RFC 3339. */
  startedAt: string;
  /** The run was told that a caller has ended the operation. */
  ended?: true;
  /** Of the workflow that it is a run of. Absent from runs of an older version. */
  workflowId?: string;
  /** The id of the workflow that the run is a child of. */
  parentId?: string;
}

/** The query that a run answers by whether it was told that a caller has ended the operation. */
export const ENDED_QUERY = 'ended';

/** What the signal `changed` says when a caller has ended the operation: it goes on by no row any more. */
export interface OperationChange {
  ended?: true;
}

/** When an operation was accepted, in milliseconds since 1970: its id is a UUID of version 7. */
export function acceptedAtMs(id: string): number | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id) ?? [];
  return high === undefined ? undefined : Number.parseInt(`${high}${low}`, 16);
}

/** Also of an id that does not say when it was made. */
export function isStartedTooLate(id: string, { startedAt }: RunFacts): boolean {
  const acceptedAt = acceptedAtMs(id);
  return acceptedAt === undefined || !(Date.parse(startedAt) - acceptedAt <= STARTED_WITHIN_MS);
}

/** Whether a namespace remembers closed workflows for long enough. */
export const isRetentionEnough = (retentionMs: number): boolean => retentionMs >= SECOND_RUN_REFUSED_FOR_MS;
