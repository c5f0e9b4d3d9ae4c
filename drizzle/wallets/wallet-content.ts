// What a wallet is and what it receives and signs with, as its seals are of it. The workspace is in each, so that a
// wallet that is moved to another one signs nothing there and shows nothing there as its own. Pure.
import type { SealedContent } from '../seals/seals.ts';

export const walletContent = (row: { id: string; workspaceId: string; cluster: string }): SealedContent => ({
  id: row.id,
  workspace_id: row.workspaceId,
  cluster: row.cluster,
});

export interface KeyColumns {
  workspaceId: string;
  walletId: string;
  curve: string;
  publicKey: Uint8Array;
  chainCode: Uint8Array;
}

export const walletKeyContent = (row: KeyColumns): SealedContent => ({
  workspace_id: row.workspaceId,
  wallet_id: row.walletId,
  curve: row.curve,
  public_key: Buffer.from(row.publicKey).toString('hex'),
  chain_code: Buffer.from(row.chainCode).toString('hex'),
});

export interface AddressColumns {
  workspaceId: string;
  walletId: string;
  addressType: string;
  address: string;
  derivationPath: string;
}

export const walletAddressContent = (row: AddressColumns): SealedContent => ({
  workspace_id: row.workspaceId,
  wallet_id: row.walletId,
  address_type: row.addressType,
  address: row.address,
  derivation_path: row.derivationPath,
});
