// Every activity that a worker serves. Workflows import only the type.
import type { Seals } from '../drizzle/seals/seals.ts';
import { createCheckpointActivities } from './audit/checkpoint-audit.ts';
import type { RpcUrls } from './chains/connect-chains.ts';
import { createDepositActivities, type DepositDependencies } from './deposits/deposits.ts';
import { createReconciliationActivities } from './deposits/reconcile-balances.ts';
import { createExportScheduleActivities } from './exports/run-export-schedule.ts';
import { createExportActivities, type ExportDependencies } from './exports/write-export.ts';
import { createWalletActivities, type WalletDependencies } from './keys/create-wallet.ts';
import { createRefreshActivities } from './keys/refresh-keys.ts';
import { createRepairActivities } from './keys/repair-keys.ts';
import { createSandboxActivities } from './sandbox/faucet.ts';
import { createApprovalActivities } from './signing/approvals.ts';
import { SignatureAttempts, type SigningDependencies } from './signing/attempt-signature.ts';
import { ShortAttempts } from './signing/short-attempts.ts';
import { createSigningActivities } from './signing/signing-requests.ts';
import { createFollowActivities, type FollowDependencies } from './withdrawals/follow-withdrawal.ts';
import { createSendActivities, type SendDependencies } from './withdrawals/send-withdrawal.ts';
import { createWithdrawalActivities } from './withdrawals/withdrawals.ts';

export type ActivityDependencies = WalletDependencies &
  SigningDependencies &
  DepositDependencies &
  Omit<SendDependencies, 'shortAttempts' | 'follow'> &
  FollowDependencies &
  ExportDependencies & {
    /** What the API sealed when it was accepted, and what this worker writes. */
    seals: Seals;
    /** Absent in production, where nobody is paid from a faucet. */
    sandbox?: { rpcUrls: RpcUrls } | undefined;
  };

export function createActivities(dependencies: ActivityDependencies) {
  const attempts = new SignatureAttempts(dependencies);
  const shortAttempts = new ShortAttempts(attempts);
  const following = createFollowActivities(dependencies);
  return {
    ...createWalletActivities(dependencies),
    ...createSigningActivities(dependencies, attempts, shortAttempts),
    ...createApprovalActivities(dependencies),
    ...createWithdrawalActivities(dependencies),
    ...createSendActivities({ ...dependencies, shortAttempts, follow: (id) => following.followWithdrawal(id) }),
    ...following,
    ...createDepositActivities(dependencies),
    ...createReconciliationActivities(dependencies),
    ...createCheckpointActivities(dependencies),
    ...createRefreshActivities(dependencies),
    ...createRepairActivities(dependencies),
    ...createExportActivities(dependencies),
    ...createExportScheduleActivities(dependencies),
    ...(dependencies.sandbox && createSandboxActivities({ chains: dependencies.chains, ...dependencies.sandbox })),
  };
}

export type Activities = ReturnType<typeof createActivities>;
