// What the sign workflow does to the world: moves the row, has the cluster sign, verifies what it answered. Stores no
// signature unverified.

import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure, type Duration } from '@temporalio/common';
import { bitcoinNetworkOf } from '../../domain/catalog/bitcoin-networks.ts';
import { type FailedSigning } from '../../domain/failures.ts';
import { storedPath } from '../../domain/paths.ts';
import type { SigningPayload } from '../../domain/signing/signing-payload.ts';
import {
  type Curve,
  isFinal,
  openSigningStatuses,
  type SigningStatus,
  type SigningStatusReason,
  signingArrows,
} from '../../domain/statuses.ts';
import { workflowIdOfRow } from '../../domain/workflow-ids.ts';
import type { SigningTask } from '../../domain/workflow-inputs.ts';
import type { RunFacts } from '../../domain/workflow-runs.ts';
import { isRecordedInactive } from '../../drizzle/audit/inactive-rows.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { endSigningRequest } from '../../drizzle/operations/end-operations.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import {
  beginSigningAttempt,
  endSigningAttempt,
  findSigningStatus,
  noteSigningWait,
  type SigningStanding,
} from '../../drizzle/signing-requests/signing-attempts.ts';
import { payloadOf } from '../../drizzle/signing-requests/signing-payloads.ts';
import { readSigningWork } from '../../drizzle/signing-requests/signing-queries.ts';
import { type SigningRequestRow, sealedSigningRequests } from '../../drizzle/signing-requests/signing-requests.ts';
import { advanceSigningRequest } from '../../drizzle/signing-requests/signing-steps.ts';
import { signingDigest } from '../../drizzle/votes/approved-content.ts';
import { findSealedKey, type KeyOwner } from '../../drizzle/wallets/wallet-keys.ts';
import type { WalletKeyRow } from '../../drizzle/wallets/wallets.ts';
import { addressOf, addressTypeOf } from '../chains/key-address.ts';
import { asFailure } from '../mpc/cluster-failure.ts';
import { ClusterError, type ClusterErrorCode, type Clusters, type Payload, type Signature } from '../mpc/port.ts';
import { readBitcoinInput } from '../mpc/verify/bitcoin-input.ts';
import { encodeSignature, verifySignature } from '../mpc/verify/verify-signature.ts';
import { assertRunCounts } from '../runtime/assert-run-counts.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';
import { approvedDigestOf } from './approvals.ts';

/**
 * The network is what metrics count by (src/observability/observe-activities.ts); what is signed is read from the row.
 */
export type FulfilInput = Pick<SigningTask, 'signingId'> &
  Partial<Pick<SigningTask, 'networkCode'>> & { run?: RunFacts };

/** How an operation ended, in this attempt or before it. */
export interface SigningEnd {
  status: 'success' | 'failed';
  mpcCorrelationId: string | null;
  /** Why it failed before this attempt, as the end of a sentence. */
  reason?: string;
}

export interface SigningDependencies {
  db: Database;
  clusters: Clusters;
  seals: Seals;
  /** Told of the workspace whenever nodes are asked for a signature, before they are. */
  onSigning?: ((workspaceId: string) => void) | undefined;
}

/** Before what met a limit of a node is tried again, on average. */
const LIMIT_PAUSE_MS = 6_000;

/** What an operation that is tried again says that it waits for. */
const waits: Readonly<Partial<Record<ClusterErrorCode, SigningStatusReason>>> = {
  cluster_not_ready: 'cluster_not_ready',
  cluster_busy: 'queued',
};

/** A node's limit has room again with its next minute, hour or day. */
const isAtLimit = (error: unknown) =>
  error instanceof ClusterError && error.code === 'cluster_busy' && error.node !== undefined;

/** Else a backlog would ask all at once, again and again. */
const spreadPause = (): Duration => Math.round(LIMIT_PAUSE_MS * (0.5 + Math.random()));

export function createSigningActivities({ db, clusters, seals, onSigning }: SigningDependencies) {
  const rootKeys = new RootKeys(db, seals);
  return {
    /**
     * Takes an operation from pending to success. Safe to repeat at any point: a closed row is only read, each attempt
     * is a fresh session over the same message, which the nodes bind to the signing id, and one result is ever stored.
     * What is signed and with which key is what the row says: whoever starts the workflow names an operation and
     * nothing else. Not retried: a row that is not sealed, a run that does not count, what the nodes refuse, a wallet
     * or workspace that may not sign now, and what is not exactly what was approved.
     */
    async fulfilSigningRequest({ signingId, run }: FulfilInput): Promise<SigningEnd> {
      const { attempt } = activityInfo();
      const mpcCorrelationId = `${signingId}.${attempt}`;
      let isAsked = false;
      return withHeartbeat(async (): Promise<SigningEnd> => {
        const row = await requireSigningRequest(db, seals, signingId);
        if (!isFinal(signingArrows, row.status))
          assertRunCounts(seals, { ...row, kind: 'signing_request', workflowId: workflowIdOfRow(row) }, run);
        const closed = await begin(db, seals, row, mpcCorrelationId);
        if (closed !== undefined) return closed;
        const root = await rootKeys.find(row, row.keyType);
        isAsked = true;
        onSigning?.(row.workspaceId);
        const signed = await signAndVerify(clusters, root, row, attempt);
        const result = { ...signed, mpcCorrelationId };
        if (await advanceSigningRequest(db, signingId, { from: 'submitted', to: 'success', fields: result }))
          return { status: 'success', mpcCorrelationId };
        await endSigningAttempt(db, signingId, { mpcCorrelationId, mayBeSigned: true });
        return endOf(db, signingId);
      }).catch(async (error: unknown) => {
        const mayBeSigned = isAsked && !(error instanceof ClusterError && !error.mayBeSigned);
        await endSigningAttempt(db, signingId, { mpcCorrelationId, mayBeSigned });
        const waitsFor = error instanceof ClusterError ? waits[error.code] : undefined;
        if (waitsFor !== undefined) await noteSigningWait(db, signingId, waitsFor);
        throw asFailure(error, isAtLimit(error) ? spreadPause() : undefined);
      });
    },

    /**
     * Idempotent by signing id: compare-and-set to failed, from wherever it still is open. Answers how the operation
     * stands then.
     */
    async failSigningRequest(signingId: string, failure: FailedSigning): Promise<SigningStatus> {
      // The later one first: whoever begins it meanwhile moves it there.
      for (const from of openSigningStatuses.toReversed())
        if (await db.transaction((tx) => endSigningRequest(tx, seals, signingId, { from, fields: failure })))
          return 'failed';
      return (await findSigningStatus(db, signingId))?.status ?? 'failed';
    },
  };
}

/**
 * Throws BrokenSealError, also where the audit log says that the operation has ended, or that its wallet signs nothing.
 */
async function requireSigningRequest(db: Database, seals: Seals, id: string): Promise<SigningRequestRow> {
  const found = await readSigningWork(db, id);
  if (found === undefined) throw notFound();
  const { walletStatus, sealedEntries, ...row } = found;
  sealedSigningRequests.assert(seals, row);
  const { workspaceId, walletId } = row;
  if (
    !isFinal(signingArrows, row.status) &&
    isRecordedInactive(seals, sealedEntries, { kind: 'signing_request', workspaceId, id })
  )
    throw seals.broken('signing_request', id);
  if (
    walletStatus === 'active' &&
    isRecordedInactive(seals, sealedEntries, { kind: 'wallet', workspaceId, id: walletId })
  )
    throw seals.broken('wallet', walletId);
  return row;
}

const notFound = () => ApplicationFailure.nonRetryable('the signing request does not exist', 'not_found');

/** Undefined when the attempt may go on; the end, when the operation has one already. */
async function begin(
  db: Database,
  seals: Seals,
  row: SigningRequestRow,
  mpcCorrelationId: string,
): Promise<SigningEnd | undefined> {
  if (isFinal(signingArrows, row.status)) return endOf(db, row.id);
  const approvedDigest = await approvedDigestOf(db, seals, row, signingDigest(row));
  if (await beginSigningAttempt(db, row.id, mpcCorrelationId, approvedDigest)) return undefined;
  const found = await findSigningStatus(db, row.id);
  if (found === undefined) throw notFound();
  const { walletStatus, workspaceFrozen } = found;
  const closed = closedAs(found);
  if (closed !== undefined) return closed;
  if (workspaceFrozen) throw ApplicationFailure.nonRetryable('the workspace is frozen', 'frozen');
  if (walletStatus !== 'active') throw ApplicationFailure.nonRetryable(`the wallet is ${walletStatus}`, 'frozen');
  throw ApplicationFailure.retryable('the wallet was unfrozen a moment ago', 'frozen');
}

/** What another attempt, or an operator, made of the row meanwhile. */
async function endOf(db: Database, signingId: string): Promise<SigningEnd> {
  const found = await findSigningStatus(db, signingId);
  const closed = found && closedAs(found);
  if (closed === undefined) throw new Error('a signing request is neither open nor closed');
  return closed;
}

function closedAs({ status, mpcCorrelationId, reason }: SigningStanding): SigningEnd | undefined {
  if (status === 'success') return { status, mpcCorrelationId };
  return status === 'failed' ? { status, mpcCorrelationId, ...(reason === null ? {} : { reason }) } : undefined;
}

type Signed = Pick<SigningRequestRow, 'signature' | 'publicKey' | 'address'>;

async function signAndVerify(
  clusters: Clusters,
  root: WalletKeyRow,
  row: SigningRequestRow,
  attempt: number,
): Promise<Signed> {
  const { id: operationId, walletId, keyType: curve, networkInternalCode } = row;
  const path = storedPath(row.derivationPath);
  const payload = decodePayload(payloadOf(row));
  const request = { operationId, attempt, walletId, curve, path, payload };
  const verify = (signature: Signature): Signed => {
    const publicKey = verifySignature({ curve, root, path, payload, signature });
    return {
      signature: encodeSignature(curve, signature),
      publicKey: `0x${Buffer.from(publicKey).toString('hex')}`,
      address: addressOf(addressTypeOf(networkInternalCode), publicKey, bitcoinNetworkOf(networkInternalCode)),
    };
  };
  return clusters.sign(request, verify, cancellationSignal());
}

export function decodePayload(payload: SigningPayload): Payload {
  if (payload.kind === 'evm_typed_data') return payload;
  const { kind, hex } = payload;
  const bytes = Buffer.from(hex.slice(2), 'hex');
  switch (kind) {
    case 'raw_digest':
      return { kind, digest: bytes };
    case 'evm_transaction':
      return { kind, unsigned: bytes };
    case 'evm_message':
    case 'solana_message':
      return { kind, text: bytes };
    case 'solana_transaction':
      return { kind, message: bytes };
    case 'bitcoin_input':
      return { kind, ...readBitcoinInput(bytes) };
  }
}

const ROOT_KEYS_MAX = 10_000;

/** A wallet's root key never changes, so it is read once. */
class RootKeys {
  readonly #db: Database;
  readonly #seals: Seals;
  readonly #known = new Map<string, WalletKeyRow>();

  constructor(db: Database, seals: Seals) {
    this.#db = db;
    this.#seals = seals;
  }

  /** Throws BrokenSealError unless it was sealed for this very workspace. */
  async find(owner: KeyOwner, curve: Curve): Promise<WalletKeyRow> {
    const id = `${owner.workspaceId}.${owner.walletId}.${curve}`;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const row = await findSealedKey(this.#db, this.#seals, owner, curve);
    if (row === undefined) throw ApplicationFailure.nonRetryable(`the wallet has no ${curve} key`, 'mpc_refused');
    if (this.#known.size >= ROOT_KEYS_MAX) this.#known.clear();
    this.#known.set(id, row);
    return row;
  }
}
