// What a caller wants sent, read and checked, before anything is stored. Every route that makes a withdrawal makes one
// of these first.
import type { StoredCall } from '../../domain/withdrawals/stored-call.ts';
import type { AssetRow } from '../../drizzle/networks/assets.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import type { WalletAddressRow } from '../../drizzle/wallets/wallets.ts';
import type { WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';

/** Which asset, how much of it. */
export interface TransferIntent {
  network: NetworkRow;
  asset: AssetRow;
  /** The native asset of the network. */
  feeAsset: AssetRow;
  /** Base units; of `max` 0 until it is resolved (resolve-amount.ts). */
  amount: bigint;
  /**
   * Where the amount is not what the recipient gets: all that is available is meant, or the fee comes out of it.
   */
  amountRule?: 'max' | 'fee_subtracted';
}

export interface WithdrawalIntent extends TransferIntent {
  /** Canonical: whom the transaction is to. */
  recipient: string;
  /** Who receives the amount: the recipient, unless a call has a token's contract move it. */
  payee: string;
  call: StoredCall | null;
  /** Base units of the fee asset, where its own bytes say what it pays at most. */
  ownFee?: bigint;
  notes: string | null;
  feeLevel: WithdrawalRow['feeLevel'];
  /** Base units of the fee asset. */
  maxFee: bigint | null;
  externalId: string | null;
  /** Canonical: whose transaction the caller took it for, when it said so. */
  sender?: string;
}

/** Under which id, by whom and from where. */
export interface Requester {
  id: string;
  workspaceId: string;
  walletId: string;
  /** The API key. */
  initiator: string;
  from: WalletAddressRow;
}
