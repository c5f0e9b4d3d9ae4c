// Every sealed table, for what an operator does to all of them (sealed-tables.ts). Each resource has its own here.
import { sealedApiKeys } from '../api-keys/api-keys.ts';
import { sealedApprovalRounds, sealedApprovals } from '../approvals/approvals.ts';
import { sealedEnrolmentLinks } from '../passkeys/enrolment-links.ts';
import { sealedPasskeys } from '../passkeys/passkeys.ts';
import { sealedSessions } from '../passkeys/sessions.ts';
import { sealedAddresses } from '../policies/address-book.ts';
import { sealedPolicies } from '../policies/policies.ts';
import type { AnySealedTable } from '../seals/sealed-tables.ts';
import { sealedSigningRequests } from '../signing-requests/signing-requests.ts';
import { sealedUsers } from '../users/users.ts';
import { sealedWalletAddresses, sealedWalletKeys, sealedWallets } from '../wallets/wallets.ts';
import { sealedChainTransactions, sealedSignedTransactions } from '../withdrawals/chain-transactions.ts';
import { sealedWithdrawals } from '../withdrawals/withdrawals.ts';

export const sealedTables: readonly AnySealedTable[] = [
  sealedUsers,
  sealedApiKeys,
  sealedPasskeys,
  sealedEnrolmentLinks,
  sealedSessions,
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
