// The rows that the activities move, put in as the API would, and read back whole.
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { SigningTask } from '../../../activities/signing-requests.ts';
import type { Database } from '../../../drizzle/database.ts';
import { insertSigningRequest, type SigningRequestRow, signingRequests } from '../../../drizzle/signing-requests.ts';
import {
  insertWallet,
  type WalletAddressRow,
  type WalletKeyRow,
  type WalletRow,
  walletAddresses,
  walletKeys,
  wallets,
} from '../../../drizzle/wallets.ts';
import { insertWorkspace } from '../../../drizzle/workspaces.ts';

export async function makeWorkspace(db: Database): Promise<string> {
  const id = uuidv7();
  await db.transaction((tx) => insertWorkspace(tx, { id, name: 'test' }));
  return id;
}

export async function makeWallet(db: Database, workspaceId: string): Promise<string> {
  const id = uuidv7();
  await db.transaction((tx) => insertWallet(tx, { id, workspaceId, name: 'test', walletType: 'mpc' }));
  return id;
}

export const onEvm = { networkCode: 'ETHEREUM_SANDBOX', addressType: 'evm', curve: 'secp256k1' } as const;
export const onSolana = { networkCode: 'SOL_SANDBOX', addressType: 'sol', curve: 'ed25519' } as const;

/** A pending request for a wallet, with the task that the API would freeze for it. */
export async function makeSigningRequest(
  db: Database,
  workspaceId: string,
  walletId: string,
  chosen: Partial<SigningTask> = {},
): Promise<SigningTask> {
  const task: SigningTask = {
    ...onEvm,
    path: [44, 60, 0, 0, 0],
    payload: { kind: 'raw_digest', hex: `0x${'5a'.repeat(32)}` },
    ...chosen,
    signingId: uuidv7(),
    workspaceId,
    walletId,
  };
  const row = {
    id: task.signingId,
    workspaceId,
    walletId,
    operationType: 'generic' as const,
    networkInternalCode: task.networkCode,
    keyType: task.curve,
    signingHash: 'hex' in task.payload ? task.payload.hex : `0x${'5a'.repeat(32)}`,
    unsignedTx: '',
    derivationPath: `m/${task.path.join('/')}`,
  };
  await db.transaction((tx) => insertSigningRequest(tx, row));
  return task;
}

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
