// Every sealed table, for what an operator does to all of them (sealed-tables.ts). Each resource has its own here.
import { sealedApiKeys } from './api-keys.ts';
import { sealedApprovalRounds, sealedApprovals } from './approvals.ts';
import { sealedChainTransactions, sealedSignedTransactions } from './chain-transactions.ts';
import { sealedAddresses, sealedPolicies } from './policies.ts';
import type { AnySealedTable } from './sealed-tables.ts';
import { sealedSigningRequests } from './signing-requests.ts';
import { sealedUsers } from './users.ts';
import { sealedWalletAddresses, sealedWalletKeys, sealedWallets } from './wallets.ts';
import { sealedWithdrawals } from './withdrawals.ts';

export const sealedTables: readonly AnySealedTable[] = [
  sealedUsers,
  sealedApiKeys,
  sealedPolicies,
  sealedAddresses,
  sealedApprovalRounds,
  sealedApprovals,
  sealedWallets,
  sealedWalletKeys,
  sealedWalletAddresses,
  sealedSigningRequests,
  sealedWithdrawals,
  sealedChainTransactions,
  sealedSignedTransactions,
];
