// The rows that the activities move, put in as the API would, and read back whole.

import { sha256 } from '@noble/hashes/sha2.js';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { digestOf, isSolana, signedBytesOf } from '../../../activities/mpc/verify/digest.ts';
import { decodePayload } from '../../../activities/signing/decode-payload.ts';
import { type SigningPayload } from '../../../domain/signing/signing-payload.ts';
import type { Curve } from '../../../domain/statuses.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import type { SigningTask } from '../../../domain/workflow-inputs.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import { type SigningRequestRow, signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { insertWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import {
  type WalletAddressRow,
  type WalletKeyRow,
  type WalletRow,
  walletAddresses,
  walletKeys,
  wallets,
} from '../../../drizzle/wallets/wallets.ts';
import { insertWorkspace } from '../../../drizzle/workspaces/workspaces.ts';
import { testSeals } from './seals.ts';

export async function makeWorkspace(db: Database): Promise<string> {
  const id = uuidv7();
  await db.transaction((tx) => insertWorkspace(tx, { id, name: 'test' }));
  return id;
}

export async function makeWallet(db: Database, workspaceId: string): Promise<string> {
  const id = uuidv7();
  const workflowId = workflowIdOf('createWallet', id);
  const row = { id, workflowId, workspaceId, name: 'test', walletType: 'mpc' } as const;
  await db.transaction((tx) => insertWallet(tx, testSeals, row));
  return id;
}

export const onEvm = { networkCode: 'ETHEREUM_SANDBOX', curve: 'secp256k1' } as const;
export const onSolana = { networkCode: 'SOL_SANDBOX', curve: 'ed25519' } as const;

/** What is to be signed, and with which key. */
export interface ChosenSigning {
  networkCode: string;
  curve: Curve;
  path: readonly number[];
  payload: SigningPayload;
  approvalsRequired: number;
  /** Columns of its row beside these. */
  fields: Partial<typeof signingRequests.$inferInsert>;
}

/** A pending request for a wallet, with what its workflow takes. */
export async function makeSigningRequest(
  db: Database,
  workspaceId: string,
  walletId: string,
  chosen: Partial<ChosenSigning> = {},
): Promise<SigningTask> {
  const { networkCode, curve, path, payload, approvalsRequired, fields }: ChosenSigning = {
    ...onEvm,
    path: [44, 60, 0, 0, 0],
    payload: { kind: 'raw_digest', hex: `0x${'5a'.repeat(32)}` },
    approvalsRequired: 0,
    fields: {},
    ...chosen,
  };
  const id = uuidv7();
  const row = {
    id,
    workflowId: workflowIdOf('sign', id),
    workspaceId,
    walletId,
    operationType: 'generic' as const,
    networkInternalCode: networkCode,
    keyType: curve,
    derivationPath: ['m', ...path].join('/'),
    approvalsRequired,
    ...contentOf(payload),
    ...fields,
  };
  await db.transaction((tx) => insertSigningRequest(tx, testSeals, row));
  return { signingId: row.id, workspaceId, walletId, networkCode, kind: payload.kind };
}

/** As src/signing-requests stores it. */
function contentOf(payload: SigningPayload) {
  const decoded = decodePayload(payload);
  const hash = isSolana(decoded) ? sha256(signedBytesOf(decoded)) : digestOf(decoded);
  return {
    payloadKind: payload.kind,
    signingHash: `0x${Buffer.from(hash).toString('hex')}`,
    unsignedTx: payload.kind === 'evm_message' ? prefixed(payload.hex) : 'hex' in payload ? payload.hex : '0x',
    typedData: 'typedData' in payload ? payload.typedData : null,
  };
}

const prefixed = (hex: string) =>
  `0x${Buffer.from(`\x19Ethereum Signed Message:\n${(hex.length - 2) / 2}`).toString('hex')}${hex.slice(2)}`;

export async function readSigningRequest(db: Database, id: string): Promise<SigningRequestRow> {
  const [row] = await db.select().from(signingRequests).where(eq(signingRequests.id, id));
  if (row === undefined) throw new Error(`there is no signing request ${id}`);
  return row;
}

export interface StoredWallet {
  wallet: WalletRow;
  keys: WalletKeyRow[];
  addresses: WalletAddressRow[];
}

export async function readWallet(db: Database, id: string): Promise<StoredWallet> {
  const [wallet] = await db.select().from(wallets).where(eq(wallets.id, id));
  if (wallet === undefined) throw new Error(`there is no wallet ${id}`);
  const keys = await db.select().from(walletKeys).where(eq(walletKeys.walletId, id)).orderBy(walletKeys.curve);
  const addresses = await db
    .select()
    .from(walletAddresses)
    .where(eq(walletAddresses.walletId, id))
    .orderBy(walletAddresses.addressType);
  return { wallet, keys, addresses };
}
