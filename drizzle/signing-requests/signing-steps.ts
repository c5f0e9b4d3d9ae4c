// The life of a signing operation: the statements that make and move one, each with the event that it records.
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { EventData } from '../../domain/events/event-data.ts';
import { assertArrow, isFinal, type SigningStatus, signingArrows } from '../../domain/statuses.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { notify } from '../database/notifications.ts';
import { recordEvent } from '../events/events.ts';
import type { RecordedRow } from '../events/recorded-rows.ts';
import type { Seals } from '../seals/seals.ts';
import { type SigningRequestRow, sealedContentOf, signingRequests } from './signing-requests.ts';

const {
  unsignedTx: _tx,
  typedData: _document,
  attemptsOpen: _open,
  mayBeSigned: _may,
  landing: _landing,
  nonce: _nonce,
  workflowId: _workflow,
  groupWorkflowId: _group,
  ...others
} = getTableColumns(signingRequests);
const { approvalsRequired: _required, seal: _seal, ...publicColumns } = others;

/**
 * What its events record. What is signed is for who reads it, and each signature writes this: what no event shows is
 * left out.
 */
export const recordedSigning = publicColumns;
export type RecordedSigning = RecordedRow<typeof recordedSigning>;

/**
 * What the event of an approval that is asked for records besides: what is to be approved, as approvers are shown it
 * (src/signing-requests/shown-payload.ts). No other event has it.
 */
export const recordedForApproval = { payload: sql<EventData | null>`null::jsonb` };
const recordedWith = (shown: EventData | undefined) =>
  shown === undefined
    ? recordedSigning
    : { ...recordedSigning, payload: sql<EventData>`${JSON.stringify(shown)}::jsonb` };

/**
 * Sealed. `shown`: to approvers. Undefined when its external id names an operation that is there already. A concurrent
 * one is waited for.
 */
export async function insertSigningRequest(
  tx: Transaction,
  seals: Seals,
  request: typeof signingRequests.$inferInsert,
  shown?: EventData,
): Promise<SigningRequestRow | undefined> {
  const externalId = { target: [signingRequests.workspaceId, signingRequests.externalId] };
  const mustBeApproved = request.statusReason === 'awaiting_approval';
  const [row] = await tx
    .insert(signingRequests)
    .values({ ...request, seal: seals.seal('signing_request', sealedContentOf(request)) })
    .onConflictDoNothing(externalId)
    .returning({
      ...getTableColumns(signingRequests),
      ...(mustBeApproved ? { eventId: recordEvent('signing.pending_approval', recordedWith(shown)) } : {}),
    });
  return row;
}

/** What an outcome may write beside the status. */
export type SigningOutcomeFields = Partial<
  Pick<
    SigningRequestRow,
    'statusReason' | 'mpcCorrelationId' | 'errorCode' | 'errorReason' | 'reason' | 'signature' | 'publicKey' | 'address'
  >
>;

interface SigningMove {
  from: SigningStatus;
  to: SigningStatus;
  fields?: SigningOutcomeFields;
}

/** Moves a signing operation along one arrow, by compare-and-set. False when it no longer stood at `from`. */
export async function advanceSigningRequest(
  db: Database | Transaction,
  id: string,
  { from, to, fields }: SigningMove,
): Promise<boolean> {
  assertArrow(signingArrows, from, to);
  const final = isFinal(signingArrows, to);
  const moved = await db
    .update(signingRequests)
    .set({
      statusReason: null,
      ...fields,
      status: to,
      updatedAt: sql`now()`,
      ...(final ? { completedAt: sql`now()` } : {}),
    })
    .where(and(eq(signingRequests.id, id), eq(signingRequests.status, from)))
    .returning({
      id: signingRequests.id,
      eventId: recordEvent(`signing.${to as Exclude<SigningStatus, 'pending'>}`, recordedSigning),
      ...(final ? { announced: notify(signingRequests.id) } : {}),
    });
  return moved.length === 1;
}
