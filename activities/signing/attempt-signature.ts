// One attempt at a signature, whoever carries it out: reads the row, begins by compare-and-set, has the cluster sign,
// verifies what it answered and records it. Stores no signature unverified, and ends no operation but with success.
import { ApplicationFailure, type Duration } from '@temporalio/common';
import { bitcoinNetworkOf } from '../../domain/catalog/bitcoin-networks.ts';
import { storedPath } from '../../domain/paths.ts';
import { type Curve, isFinal, type SigningStatusReason, signingArrows } from '../../domain/statuses.ts';
import { isRecordedInactive } from '../../drizzle/audit/inactive-rows.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { type AttemptsTogether, attemptsTogether } from '../../drizzle/signing-requests/attempts-together.ts';
import {
  endSigningAttempt,
  findSigningStatus,
  noteSigningWait,
  type SigningStanding,
} from '../../drizzle/signing-requests/signing-attempts.ts';
import { payloadOf } from '../../drizzle/signing-requests/signing-payloads.ts';
import { type SigningRequestRow, sealedSigningRequests } from '../../drizzle/signing-requests/signing-requests.ts';
import { signingDigest } from '../../drizzle/votes/approved-content.ts';
import { findSealedKey, type KeyOwner } from '../../drizzle/wallets/wallet-keys.ts';
import type { WalletKeyRow } from '../../drizzle/wallets/wallets.ts';
import { addressOf, addressTypeOf } from '../chains/key-address.ts';
import { asFailure } from '../mpc/cluster-failure.ts';
import { ClusterError, type ClusterErrorCode, type Clusters, type Signature } from '../mpc/port.ts';
import { encodeSignature, verifySignature } from '../mpc/verify/verify-signature.ts';
import { approvedDigestOf } from './approvals.ts';
import { decodePayload } from './decode-payload.ts';

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

export interface AskedAttempt {
  signingId: string;
  /** Its number is this one at least, and higher than that of each attempt before it. */
  numberMin: number;
  /** Throws when who asks may not carry out this operation, which is open. */
  assertCounts: (row: SigningRequestRow) => void | Promise<void>;
  abort: AbortSignal;
  /** Of the workflow that carries it beside others. */
  groupWorkflowId?: string | undefined;
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

/** Who begins an attempt in the same moment as others takes the number after theirs, so often. */
const NUMBERS_TRIED_MAX = 3;

export class SignatureAttempts {
  readonly #dependencies: SigningDependencies;
  readonly #rootKeys: RootKeys;
  readonly #rows: AttemptsTogether;

  constructor(dependencies: SigningDependencies) {
    this.#dependencies = dependencies;
    this.#rootKeys = new RootKeys(dependencies.db, dependencies.seals);
    this.#rows = attemptsTogether(dependencies.db);
  }

  /**
   * Takes an operation from pending or submitted to success. Safe to repeat at any point and beside itself: a closed
   * row is only read, each attempt is a fresh session over the same message, which the nodes bind to the signing id,
   * and one result is ever stored. Throws why not, as a failure that Temporal retries or not.
   */
  async make(asked: AskedAttempt): Promise<SigningEnd> {
    const { db, seals, clusters, onSigning } = this.#dependencies;
    const { signingId } = asked;
    const rows = this.#rows;
    let attempt: number | undefined;
    let isAsked = false;
    try {
      const { row, hasRound } = await requireSigningRequest(rows, seals, signingId);
      if (isFinal(signingArrows, row.status)) return await endOf(db, signingId);
      await asked.assertCounts(row);
      // Most have none, and who begins an attempt looks again.
      const asksForApproval = hasRound || row.approvalsRequired > 0;
      const approvedDigest = asksForApproval ? await approvedDigestOf(db, seals, row, signingDigest(row)) : undefined;
      for (let tried = 1, before = row.mpcCorrelationId; ; tried += 1) {
        attempt = Math.max(asked.numberMin, numberOf(before) + 1);
        const mpcCorrelationId = correlationOf(signingId, attempt);
        const { groupWorkflowId } = asked;
        if (await rows.begin({ id: signingId, mpcCorrelationId, before, approvedDigest, groupWorkflowId })) break;
        const { closed, latest } = await standingOf(db, signingId);
        if (closed !== undefined) return closed;
        if (latest === before || tried === NUMBERS_TRIED_MAX) throw passedBy();
        before = latest;
      }
      const root = await this.#rootKeys.find(row, row.keyType);
      isAsked = true;
      onSigning?.(row.workspaceId);
      const signed = await signAndVerify(clusters, root, row, { attempt, abort: asked.abort });
      const mpcCorrelationId = correlationOf(signingId, attempt);
      if (await rows.succeed({ id: signingId, fields: { ...signed, mpcCorrelationId } }))
        return { status: 'success', mpcCorrelationId };
      await endSigningAttempt(db, signingId, { mpcCorrelationId, mayBeSigned: true });
      return await endOf(db, signingId);
    } catch (error) {
      const mayBeSigned = isAsked && !(error instanceof ClusterError && !error.mayBeSigned);
      if (attempt !== undefined)
        await endSigningAttempt(db, signingId, { mpcCorrelationId: correlationOf(signingId, attempt), mayBeSigned });
      const waitsFor = error instanceof ClusterError ? waits[error.code] : undefined;
      if (waitsFor !== undefined) await noteSigningWait(db, signingId, waitsFor);
      throw asFailure(error, isAtLimit(error) ? spreadPause() : undefined);
    }
  }
}

const correlationOf = (signingId: string, attempt: number) => `${signingId}.${attempt}`;

/** Of the attempt that the row names; 0 before the first. */
const numberOf = (mpcCorrelationId: string | null) => Number(/\.(\d{1,9})$/.exec(mpcCorrelationId ?? '')?.[1] ?? 0);

const passedBy = () => ApplicationFailure.retryable('the wallet was unfrozen, or it was begun, a moment ago', 'frozen');

/**
 * Throws BrokenSealError, also where the audit log says that the operation has ended, or that its wallet signs nothing.
 */
async function requireSigningRequest(
  rows: Pick<AttemptsTogether, 'read'>,
  seals: Seals,
  id: string,
): Promise<{ row: SigningRequestRow; hasRound: boolean }> {
  const found = await rows.read(id);
  if (found === undefined) throw notFound();
  const { walletStatus, sealedEntries, hasRound, ...row } = found;
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
  return { row, hasRound };
}

const notFound = () => ApplicationFailure.nonRetryable('the signing request does not exist', 'not_found');

/**
 * Of one that could not be begun: its end, when it has one already, else which attempt began last. Throws what holds it
 * back.
 */
async function standingOf(db: Database, id: string): Promise<{ closed?: SigningEnd; latest: string | null }> {
  const found = await findSigningStatus(db, id);
  if (found === undefined) throw notFound();
  const { walletStatus, workspaceFrozen, mpcCorrelationId: latest } = found;
  const closed = closedAs(found);
  if (closed !== undefined) return { closed, latest };
  if (workspaceFrozen) throw ApplicationFailure.nonRetryable('the workspace is frozen', 'frozen');
  if (walletStatus !== 'active') throw ApplicationFailure.nonRetryable(`the wallet is ${walletStatus}`, 'frozen');
  return { latest };
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

type Signed = Pick<SigningRequestRow, 'signature' | 'publicKey' | 'address' | 'signedByNodes'>;

async function signAndVerify(
  clusters: Clusters,
  root: WalletKeyRow,
  row: SigningRequestRow,
  { attempt, abort }: { attempt: number; abort: AbortSignal },
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
      signedByNodes: [...signature.signers],
    };
  };
  return clusters.sign(request, verify, abort);
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
