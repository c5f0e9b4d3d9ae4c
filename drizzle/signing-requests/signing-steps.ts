// The life of a signing operation: the statements that make and move one, each with the event that it records.
import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { EventData } from '../../domain/events/event-data.ts';
import { assertArrow, isFinal, type SigningStatus, signingArrows } from '../../domain/statuses.ts';
import type { Database, Transaction } from '../database/connection.ts';
import { notify } from '../database/notifications.ts';
import { preparedQuery } from '../database/prepared-query.ts';
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
  const sealed = { ...request, seal: seals.seal('signing_request', sealedContentOf(request)) };
  if (Object.keys(request).every((name) => name in plainDefaults)) {
    const [row] = await insertPlain(tx).execute(plainValuesOf(sealed));
    return row;
  }
  const mustBeApproved = request.statusReason === 'awaiting_approval';
  const [row] = await tx
    .insert(signingRequests)
    .values(sealed)
    .onConflictDoNothing(byExternalId)
    .returning({
      ...getTableColumns(signingRequests),
      ...(mustBeApproved ? { eventId: recordEvent('signing.pending_approval', recordedWith(shown)) } : {}),
    });
  return row;
}

const byExternalId = { target: [signingRequests.workspaceId, signingRequests.externalId] };

/** The columns that an operation is stored with when nobody has to approve it, each with what is stored when absent. */
const plainDefaults = {
  id: null,
  workspaceId: null,
  walletId: null,
  operationType: null,
  withdrawalId: null,
  networkInternalCode: null,
  keyType: null,
  signingHash: null,
  unsignedTx: null,
  derivationPath: null,
  payloadKind: 'raw_digest',
  approvalsRequired: 0,
  externalId: null,
  typedData: null,
  landing: null,
  nonce: null,
  workflowId: null,
  seal: null,
} satisfies Partial<Record<keyof SigningRequestRow, string | number | null>>;

type PlainColumn = keyof typeof plainDefaults;

const plainColumns = Object.keys(plainDefaults) as PlainColumn[];

function plainValuesOf(request: typeof signingRequests.$inferInsert): Record<PlainColumn, unknown> {
  const values = plainColumns.map((name) => [name, request[name] ?? plainDefaults[name]]);
  // Drizzle would write the null of a placeholder as that of JSON.
  const typedData = request.typedData == null ? null : JSON.stringify(request.typedData);
  return { ...(Object.fromEntries(values) as Record<PlainColumn, unknown>), typedData };
}

const insertPlain = preparedQuery((db) => {
  const placeholders = plainColumns.map((name) => [name, sql.placeholder(name)]);
  const values = { ...Object.fromEntries(placeholders), typedData: sql`${sql.placeholder('typedData')}::jsonb` };
  return db
    .insert(signingRequests)
    .values(values as typeof signingRequests.$inferInsert)
    .onConflictDoNothing(byExternalId)
    .returning()
    .prepare('insert_signing_request');
});

/** What an outcome may write beside the status. */
export type SigningOutcomeFields = Partial<
  Pick<
    SigningRequestRow,
    | 'statusReason'
    | 'mpcCorrelationId'
    | 'errorCode'
    | 'errorReason'
    | 'reason'
    | 'signature'
    | 'publicKey'
    | 'address'
    | 'signedByNodes'
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
