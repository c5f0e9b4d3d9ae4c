// What the wallet workflows do to the world: have keys generated, publish them with their addresses, or record the
// failure.
import { ApplicationFailure } from '@temporalio/common';
import type { BitcoinNetwork } from '../../domain/catalog/bitcoin-networks.ts';
import { type FailureCode } from '../../domain/failures.ts';
import type { Curve } from '../../domain/statuses.ts';
import { type AddressType } from '../../domain/wallets/address-types.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { walletKeyContent } from '../../drizzle/wallets/wallet-content.ts';
import { findWalletWorkspace } from '../../drizzle/wallets/wallet-queries.ts';
import { activateWallet, advanceWallet, noteWalletWaiting } from '../../drizzle/wallets/wallet-steps.ts';
import { addressOf } from '../chains/key-address.ts';
import { asFailure } from '../mpc/cluster-failure.ts';
import {
  ClusterError,
  type ClusterErrorCode,
  type Clusters,
  type GenerateKeyRequest,
  type PublicKey,
} from '../mpc/port.ts';
import { deriveChild } from '../mpc/verify/derive-child-key.ts';
import { withHeartbeat } from '../runtime/with-heartbeat.ts';

export interface GeneratedKey {
  curve: Curve;
  /** Hex. */
  publicKey: string;
  /** Hex; public, needed to derive child keys. */
  chainCode: string;
  /**
   * Of a key that this service had from its cluster: what comes back out of a workflow is believed by this only. Absent
   * in older histories.
   */
  seal?: string;
}

/**
 * The key of a family of chains: BIP-44's shape with SLIP-44's coin type, non-hardened, since no threshold cluster can
 * harden.
 */
const addressPlan: readonly { addressType: AddressType; curve: Curve; path: readonly number[] }[] = [
  { addressType: 'evm', curve: 'secp256k1', path: [44, 60, 0, 0, 0] },
  { addressType: 'btc', curve: 'secp256k1', path: [44, 0, 0, 0, 0] },
  { addressType: 'tron', curve: 'secp256k1', path: [44, 195, 0, 0, 0] },
  { addressType: 'sol', curve: 'ed25519', path: [44, 501, 0, 0, 0] },
];

export interface WalletDependencies {
  db: Database;
  clusters: Clusters;
  bitcoinNetwork: BitcoinNetwork;
  seals: Seals;
}

/** What a wallet waits for; its readers are told. */
const waitsFor = new Set<ClusterErrorCode>(['cluster_not_ready', 'cluster_busy']);
/** A node at its limit may be so until midnight UTC, and many wallets may wait for it. */
const BUSY_FOR = '30s';

export function createWalletActivities({ db, clusters, bitcoinNetwork, seals }: WalletDependencies) {
  return {
    /**
     * Idempotent by (wallet, curve): the wallet's cluster returns the key that exists. Not retried: what the nodes
     * refuse.
     */
    async generateKey(walletId: string, curve: Curve): Promise<GeneratedKey> {
      try {
        const workspaceId = await workspaceOf(db, walletId);
        const key = await withHeartbeat(() => clusters.generateKey({ walletId, curve, workspaceId }));
        const seal = seals.seal('wallet_key', walletKeyContent({ workspaceId, walletId, curve, ...key }));
        return { curve, publicKey: hex(key.publicKey), chainCode: hex(key.chainCode), seal };
      } catch (error) {
        if (!(error instanceof ClusterError)) throw asFailure(error);
        if (waitsFor.has(error.code)) await noteWalletWaiting(db, walletId, error.code);
        throw asFailure(error, error.code === 'cluster_busy' ? BUSY_FOR : undefined);
      }
    },

    /**
     * Idempotent by wallet: compare-and-set from `creating`. A key that is not sealed as the cluster's is asked for
     * again: nobody's input names a key.
     */
    async activateWallet(walletId: string, generated: readonly GeneratedKey[]): Promise<void> {
      const workspaceId = await workspaceOf(db, walletId);
      const keys = await Promise.all(
        generated.map(async ({ curve, seal, ...said }) => {
          const key = { publicKey: Buffer.from(said.publicKey, 'hex'), chainCode: Buffer.from(said.chainCode, 'hex') };
          const content = walletKeyContent({ workspaceId, walletId, curve, ...key });
          if (seals.holds('wallet_key', content, seal ?? null)) return { curve, ...key };
          return { curve, ...(await askAgain(clusters, { walletId, curve, workspaceId })) };
        }),
      );
      const addresses = addressPlan.map(({ addressType, curve, path }) => {
        const root = keys.find((key) => key.curve === curve);
        if (root === undefined) throw ApplicationFailure.nonRetryable(`no ${curve} key was generated`, 'mpc_error');
        const address = addressOf(addressType, deriveChild(curve, root, path), bitcoinNetwork);
        return { addressType, address, derivationPath: `m/${path.join('/')}` };
      });
      await activateWallet(db, seals, walletId, { keys, addresses }).catch((error: unknown) => {
        throw asFailure(error);
      });
    },

    /** Idempotent by wallet: compare-and-set from `creating`. */
    async failWallet(walletId: string, errorCode: FailureCode, errorReason: string): Promise<void> {
      await advanceWallet(db, walletId, { from: 'creating', to: 'failed', fields: { errorCode, errorReason } });
    },
  };
}

async function workspaceOf(db: Database, walletId: string): Promise<string> {
  const workspaceId = await findWalletWorkspace(db, walletId);
  if (workspaceId === undefined) throw ApplicationFailure.nonRetryable('the wallet does not exist', 'not_found');
  return workspaceId;
}

async function askAgain(clusters: Clusters, request: GenerateKeyRequest): Promise<PublicKey> {
  try {
    return await clusters.generateKey(request);
  } catch (error) {
    throw asFailure(error);
  }
}

const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');
