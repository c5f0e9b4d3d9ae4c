// The port to the clusters that hold the keys: what the activities may ask and how it may fail. Another cluster product
// must fit behind it, so nothing here may name a protocol, a round or a connection.

import { clusterFailures } from '../../domain/failures.ts';
import type { TypedData } from '../../domain/payloads/typed-data.ts';
import type { Curve } from '../../domain/statuses.ts';

/**
 * What is signed: the content itself where there is one, so that a node's own policy can read it. Only `raw_digest` is
 * signed blind, on either curve; the `evm_` kinds and `bitcoin_input` are signed on secp256k1, the `solana_` kinds on
 * ed25519.
 */
export type Payload =
  | { kind: 'raw_digest'; digest: Uint8Array }
  | { kind: 'evm_transaction'; unsigned: Uint8Array }
  | { kind: 'evm_message'; text: Uint8Array }
  | { kind: 'evm_typed_data'; typedData: TypedData }
  /**
   * The serialized message, legacy or version 0, of which the signing key is a required signer; at most 1232 bytes. It
   * is signed itself, unhashed.
   */
  | { kind: 'solana_transaction'; message: Uint8Array }
  | ({ kind: 'bitcoin_input' } & BitcoinInput)
  /** Text that a Solana key signs itself, without a prefix: never what reads as a transaction. */
  | { kind: 'solana_message'; text: Uint8Array };

/** One input of an unsigned transaction, which its key signs by BIP-143 with SIGHASH_ALL. */
export interface BitcoinInput {
  transaction: Uint8Array;
  index: number;
  /** What each input spends, in their order: satoshis and the script that is paid to. */
  coins: readonly { amount: bigint; script: Uint8Array }[];
}

export interface PublicKey {
  /** Compressed point: 33 bytes on secp256k1, 32 on ed25519. */
  publicKey: Uint8Array;
  /** 32 bytes; public, and needed to derive child keys. */
  chainCode: Uint8Array;
}

export interface WalletKey {
  /** A UUID. */
  walletId: string;
  curve: Curve;
}

export interface GenerateKeyRequest extends WalletKey {
  /**
   * A UUID: whose wallet it is. The nodes keep it with the key, and nothing changes it afterwards, so that a policy of
   * theirs can name it. Without it, the key is in no workspace for them.
   */
  workspaceId?: string;
}

export interface RefreshKeyRequest extends WalletKey {
  /** As it was stored when the key was made. */
  root: PublicKey;
}

/** Whether a node's share of a key signs, is there but signs only after a refresh, or is gone. */
export type ShareState = 'whole' | 'unrefreshed' | 'missing';

export interface KeyShares {
  /** How often the key was refreshed; of the newest share. */
  epoch: number;
  shares: { node: number; state: ShareState }[];
}

/**
 * As `mpc-node sign-enrolment` prints it, in hex: who holds the enrolment key has signed that one node gets one share
 * again.
 */
export interface RepairCommand {
  command: string;
  signature: string;
}

export interface SignRequest {
  /**
   * A UUID. The nodes bind it for ever to wallet, curve, path and payload: another message under the same id is
   * refused.
   */
  operationId: string;
  attempt: number;
  walletId: string;
  curve: Curve;
  /** Non-hardened indexes only, at most ten. */
  path: readonly number[];
  payload: Payload;
}

export interface Signature {
  /** 64 bytes: r‖s with a low s on secp256k1, R‖z on ed25519. */
  bytes: Uint8Array;
  /** Always 0 on ed25519. */
  recoveryId: 0 | 1;
  /** The nodes that signed, ascending. */
  signers: readonly number[];
}

export interface NodeHealth {
  node: number;
  reachable: boolean;
  /** How long it took to answer. */
  answerMs?: number;
  /** How long it usually takes in all rounds of a session; absent before it has taken part in one. */
  signingMs?: number;
  version?: string;
  liveSessions?: number;
  keys?: number;
  bans?: readonly { rootPublicKey: string; peer: number; generation: number; at: string }[];
  /** Of the policy file that it signs by. Those of other operators may differ. */
  policySha256?: string;
  /** Why the node is not usable, in one sentence. */
  reason?: string;
}

/** What the audit chain of a workspace was: the hash of its entry `seq`, 32 bytes in hex. */
export interface AuditCheckpoint {
  /** A UUID. */
  workspaceId: string;
  seq: number;
  hash: string;
}

/**
 * `newest`: the last one of each workspace. `first_of_days`: the first one of each day, which no later one replaces.
 */
export type CheckpointList = 'newest' | 'first_of_days';

export interface CheckpointQuestion {
  node: number;
  list: CheckpointList;
  /** The last one of the page before. */
  after?: AuditCheckpoint | undefined;
}

/** What is asked about a wallet's key, wherever it is. */
export interface WalletKeys {
  /**
   * Creates the wallet's key on that curve, or returns the one that exists; safe to repeat after a crash at any point.
   * Refuses a key that the nodes keep for another workspace.
   */
  generateKey(request: GenerateKeyRequest): Promise<PublicKey>;
  /**
   * Renews every share; the key stays. Resolves with the number of times it was done, once every quorum signs with the
   * new shares. Needs all nodes; safe to repeat after a crash at any point, and while signatures are made.
   */
  refreshKey(request: RefreshKeyRequest): Promise<number>;
  /** Fails when a node does not answer, or none knows the key. */
  sharesOf(request: WalletKey): Promise<KeyShares>;
  /**
   * Has the others make a node's lost share again, which signs after `refreshKey`. Safe to repeat: what is there
   * already is left.
   */
  repairShare(command: RepairCommand): Promise<void>;
  /**
   * Resolves with what `verify` makes of the first answer that it accepts. It throws `signature_invalid` for one that
   * is not of the caller's key and message (`verify-signature.ts`): then other nodes are asked, so that one that lies
   * ends nothing.
   */
  sign<Verified>(
    request: SignRequest,
    verify: (signature: Signature) => Verified,
    abort?: AbortSignal,
  ): Promise<Verified>;
  /** Ends the connections; calls under way fail with `cluster_not_ready`. */
  close(): Promise<void>;
}

/** Nodes that share keys. */
export interface Cluster extends WalletKeys {
  /** Ascending. */
  readonly nodes: readonly number[];
  /** How many of them act together. */
  readonly threshold: number;
  health(): Promise<NodeHealth[]>;
  /**
   * Has the nodes keep it, forward only. Safe to repeat. Fails unless `threshold` of them confirm: with `mpc_refused`
   * when what stands in the way is that a node keeps a later or another one.
   */
  keepCheckpoint(checkpoint: AuditCheckpoint): Promise<void>;
  /** A page of what one node keeps, by workspace and seq; an empty one is behind the last. */
  readCheckpoints(question: CheckpointQuestion): Promise<AuditCheckpoint[]>;
}

/** Each cluster numbers its nodes from 1. */
export interface NodePlace {
  /** Its name. */
  cluster: string;
  node: number;
}

/** All clusters that this process knows. A question about a key goes to the one cluster that the wallet belongs to. */
export interface Clusters extends WalletKeys {
  readonly named: ReadonlyMap<string, Cluster>;
}

/** Every way in which the cluster fails: what each means stands there. */
export type ClusterErrorCode = keyof typeof clusterFailures;

/** `message` is one plain sentence, without secrets and without what was to be signed. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly code: ClusterErrorCode;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  readonly node: number | undefined;
  /**
   * Whether a node may have the signature that the caller does not get: what was to be signed must then be taken for
   * signed.
   */
  readonly mayBeSigned: boolean;

  constructor(
    code: ClusterErrorCode,
    message: string,
    details: { node?: number; cause?: unknown; mayBeSigned?: boolean } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.retryable = clusterFailures[code].retryHelps;
    this.node = details.node;
    this.mayBeSigned = details.mayBeSigned ?? code === 'signature_invalid';
  }
}
