// What the sign workflow does to the world: moves the row, has the cluster sign, verifies what it answered. Stores no signature unverified.
import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../drizzle/database.ts';
import { advanceSigningRequest, findSigningStatus, noteSigningAttempt } from '../drizzle/signing-requests.ts';
import type { Curve, SigningStatus, SigningStatusReason } from '../drizzle/status.ts';
import { type AddressType, findWalletKey, type WalletKeyRow } from '../drizzle/wallets.ts';
import { addressOf } from './chains/address.ts';
import { bitcoinNetworkOf } from './chains/bitcoin.ts';
import { asFailure } from './cluster-failure.ts';
import { type Cluster, ClusterError, type Payload } from './mpc/cluster.ts';
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
  payload: { kind: 'raw_digest' | 'evm_transaction' | 'evm_message'; hex: string };
}

export interface SigningResult {
  /** 0x r‖s‖v with v = 27/28 on secp256k1, 0x R‖z on ed25519. */
  signature: string;
  /** The derived child key, hex. */
  publicKey: string;
  address: string;
  mpcCorrelationId: string;
}

export interface SigningFailure {
  statusReason: SigningStatusReason;
  errorCode: string;
  errorReason: string;
}

const HEARTBEAT_EVERY_MS = 2_000;

export function createSigningActivities({ db, cluster }: { db: Database; cluster: Cluster }) {
  const rootKeys = new RootKeys(db);
  return {
    /** Idempotent by signing id: compare-and-set pending → submitted; repeated, it finds `submitted` and changes nothing. */
    async submitSigningRequest(signingId: string): Promise<SigningStatus> {
      const fields = { mpcCorrelationId: correlationId(signingId, 1) };
      if (await advanceSigningRequest(db, signingId, 'pending', 'submitted', fields)) return 'submitted';
      const status = await findSigningStatus(db, signingId);
      if (status === undefined)
        throw ApplicationFailure.nonRetryable('the signing request does not exist', 'not_found');
      return status;
    },

    /**
     * Safe to repeat: each attempt is a fresh session over the same message, which the nodes bind to the signing id, and only one result is ever
     * stored. Not retried: what the nodes refuse, and a signature that does not verify.
     */
    async signWithCluster(task: SigningTask): Promise<SigningResult> {
      const { attempt } = activityInfo();
      const mpcCorrelationId = correlationId(task.signingId, attempt);
      if (attempt > 1) await noteSigningAttempt(db, task.signingId, { mpcCorrelationId });
      const stillHere = setInterval(() => heartbeat(), HEARTBEAT_EVERY_MS);
      try {
        const root = await rootKeys.find(task.walletId, task.curve);
        const payload = decodePayload(task.payload);
        const { signingId: operationId, walletId, curve, path } = task;
        const signature = await cluster.sign(
          { operationId, attempt, walletId, curve, path, payload },
          cancellationSignal(),
        );
        const publicKey = verifySignature({ curve, root, path, payload, signature });
        return {
          signature: encodeSignature(curve, signature),
          publicKey: `0x${Buffer.from(publicKey).toString('hex')}`,
          address: addressOf(task.addressType, publicKey, bitcoinNetworkOf(task.networkCode)),
          mpcCorrelationId,
        };
      } catch (error) {
        if (error instanceof ClusterError && error.code === 'cluster_not_ready')
          await noteSigningAttempt(db, task.signingId, { mpcCorrelationId, statusReason: 'cluster_not_ready' });
        throw asFailure(error);
      } finally {
        clearInterval(stillHere);
      }
    },

    /** Idempotent by signing id: compare-and-set submitted → success. */
    async completeSigningRequest(signingId: string, result: SigningResult): Promise<void> {
      await advanceSigningRequest(db, signingId, 'submitted', 'success', result);
    },

    /** Idempotent by signing id: compare-and-set submitted → failed. */
    async failSigningRequest(signingId: string, failure: SigningFailure): Promise<void> {
      await advanceSigningRequest(db, signingId, 'submitted', 'failed', failure);
    },
  };
}

const correlationId = (signingId: string, attempt: number) => `${signingId}.${attempt}`;

function decodePayload({ kind, hex }: SigningTask['payload']): Payload {
  const bytes = Buffer.from(hex.slice(2), 'hex');
  switch (kind) {
    case 'raw_digest':
      return { kind, digest: bytes };
    case 'evm_transaction':
      return { kind, unsigned: bytes };
    case 'evm_message':
      return { kind, text: bytes };
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
