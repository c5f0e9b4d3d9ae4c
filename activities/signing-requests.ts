// What the sign workflow does to the world: moves the row, has the cluster sign, verifies what it answered. Stores no signature unverified.
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { bitcoinNetworkOf } from '../drizzle/bitcoin-networks.ts';
import type { Database } from '../drizzle/database.ts';
import {
  beginSigningAttempt,
  endSigningAttempt,
  findSigningStanding,
  noteSigningWait,
  type SigningStanding,
} from '../drizzle/signing-attempts.ts';
import { advanceSigningRequest, type SigningRequestRow } from '../drizzle/signing-requests.ts';
import type { Curve, PayloadKind, SigningStatus, SigningStatusReason } from '../drizzle/status.ts';
import { type AddressType, findWalletKey, type WalletKeyRow } from '../drizzle/wallets.ts';
import type { TypedData } from '../payloads/typed-data.ts';
import { assertTaskApproved } from './approved-task.ts';
import { beating } from './beating.ts';
import { addressOf } from './chains/address.ts';
import { asFailure } from './cluster-failure.ts';
import { readBitcoinInput } from './mpc/bitcoin-input.ts';
import { ClusterError, type Clusters, type Payload, type Signature } from './mpc/cluster.ts';
import { encodeSignature, verifySignature } from './mpc/verify-signature.ts';

/** Everything that was frozen when the operation was accepted. Plain JSON, hex for bytes: it lies in the workflow's history. */
export interface SigningTask {
  signingId: string;
  workspaceId: string;
  walletId: string;
  networkCode: string;
  addressType: AddressType;
  curve: Curve;
  path: readonly number[];
  payload: SigningPayload;
  /** Of one that must be approved: until when, RFC 3339. */
  approvalUntil?: string;
}

/** Every kind of `payloadKinds`: its bytes as 0x hex, or the EIP-712 document. */
export type SigningPayload =
  | { kind: Exclude<PayloadKind, 'evm_typed_data'>; hex: string }
  | { kind: 'evm_typed_data'; typedData: TypedData };

/** How an operation ended, in this attempt or before it. */
export interface SigningEnd {
  status: 'success' | 'failed';
  mpcCorrelationId: string | null;
  /** Why it failed before this attempt, as the end of a sentence. */
  reason?: string;
}

export interface SigningFailure {
  statusReason: SigningStatusReason;
  errorCode: string;
  errorReason: string;
}

export function createSigningActivities({ db, clusters }: { db: Database; clusters: Clusters }) {
  const rootKeys = new RootKeys(db);
  return {
    /**
     * Takes an operation from pending to success. Safe to repeat at any point: a closed row is only read, each attempt is a fresh session over the
     * same message, which the nodes bind to the signing id, and one result is ever stored. Not retried: what the nodes refuse, a signature that does
     * not verify, a wallet or workspace that may not sign now, and what is not exactly what was approved.
     */
    async fulfilSigningRequest(task: SigningTask): Promise<SigningEnd> {
      const { attempt } = activityInfo();
      const mpcCorrelationId = `${task.signingId}.${attempt}`;
      let isAsked = false;
      return beating(async (): Promise<SigningEnd> => {
        const approvedDigest = task.approvalUntil === undefined ? undefined : await assertTaskApproved(db, task);
        const closed = await begin(db, task.signingId, mpcCorrelationId, approvedDigest);
        if (closed !== undefined) return closed;
        const root = await rootKeys.find(task.walletId, task.curve);
        isAsked = true;
        const signed = await signAndVerify(clusters, root, task, attempt);
        const result = { ...signed, mpcCorrelationId };
        if (await advanceSigningRequest(db, task.signingId, 'submitted', 'success', result))
          return { status: 'success', mpcCorrelationId };
        await endSigningAttempt(db, task.signingId, { mpcCorrelationId, mayBeSigned: true });
        return endOf(db, task.signingId);
      }).catch(async (error: unknown) => {
        const mayBeSigned = isAsked && !(error instanceof ClusterError && !error.mayBeSigned);
        await endSigningAttempt(db, task.signingId, { mpcCorrelationId, mayBeSigned });
        if (error instanceof ClusterError && error.code === 'cluster_not_ready')
          await noteSigningWait(db, task.signingId, 'cluster_not_ready');
        throw asFailure(error);
      });
    },

    /** Idempotent by signing id: compare-and-set to failed, from wherever it still is open. Answers how the operation stands then. */
    async failSigningRequest(signingId: string, failure: SigningFailure): Promise<SigningStatus> {
      if (await advanceSigningRequest(db, signingId, 'submitted', 'failed', failure)) return 'failed';
      if (await advanceSigningRequest(db, signingId, 'pending', 'failed', failure)) return 'failed';
      return (await findSigningStanding(db, signingId))?.status ?? 'failed';
    },
  };
}

/** Undefined when the attempt may go on; the end, when the operation has one already. */
async function begin(
  db: Database,
  signingId: string,
  mpcCorrelationId: string,
  approvedDigest: string | undefined,
): Promise<SigningEnd | undefined> {
  if (await beginSigningAttempt(db, signingId, mpcCorrelationId, approvedDigest)) return undefined;
  const standing = await findSigningStanding(db, signingId);
  if (standing === undefined) throw ApplicationFailure.nonRetryable('the signing request does not exist', 'not_found');
  const { walletStatus, workspaceFrozen } = standing;
  const closed = closedAs(standing);
  if (closed !== undefined) return closed;
  if (workspaceFrozen) throw ApplicationFailure.nonRetryable('the workspace is frozen', 'frozen');
  if (walletStatus !== 'active') throw ApplicationFailure.nonRetryable(`the wallet is ${walletStatus}`, 'frozen');
  if (standing.needsApproval && approvedDigest === undefined)
    throw ApplicationFailure.nonRetryable('it must be approved, and its workflow does not know of it', 'approval_void');
  throw ApplicationFailure.retryable('the wallet was unfrozen a moment ago', 'frozen');
}

/** What another attempt, or an operator, made of the row meanwhile. */
async function endOf(db: Database, signingId: string): Promise<SigningEnd> {
  const standing = await findSigningStanding(db, signingId);
  const closed = standing && closedAs(standing);
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
  task: SigningTask,
  attempt: number,
): Promise<Signed> {
  const { signingId: operationId, walletId, curve, path } = task;
  const payload = decodePayload(task.payload);
  const request = { operationId, attempt, walletId, curve, path, payload };
  const verify = (signature: Signature): Signed => {
    const publicKey = verifySignature({ curve, root, path, payload, signature });
    return {
      signature: encodeSignature(curve, signature),
      publicKey: `0x${Buffer.from(publicKey).toString('hex')}`,
      address: addressOf(task.addressType, publicKey, bitcoinNetworkOf(task.networkCode)),
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
  readonly #known = new Map<string, WalletKeyRow>();

  constructor(db: Database) {
    this.#db = db;
  }

  async find(walletId: string, curve: Curve): Promise<WalletKeyRow> {
    const id = `${walletId}.${curve}`;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const row = await findWalletKey(this.#db, walletId, curve);
    if (row === undefined) throw ApplicationFailure.nonRetryable(`the wallet has no ${curve} key`, 'mpc_refused');
    if (this.#known.size >= ROOT_KEYS_MAX) this.#known.clear();
    this.#known.set(id, row);
    return row;
  }
}
