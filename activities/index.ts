// Every activity that a worker serves. Workflows import only the type.
import type { Seals } from '../drizzle/seals/seals.ts';
import { createApprovalActivities } from './approvals.ts';
import type { RpcUrls } from './chains/connect-chains.ts';
import { createCheckpointActivities } from './checkpoint-audit.ts';
import { createDepositActivities, type DepositDependencies } from './deposits.ts';
import { createFollowActivities } from './follow-withdrawal.ts';
import { createReconciliationActivities } from './reconcile-balances.ts';
import { createRefreshActivities } from './refresh-keys.ts';
import { createRepairActivities } from './repair-keys.ts';
import { createSandboxActivities } from './sandbox.ts';
import { createSendActivities, type SendDependencies } from './send-withdrawal.ts';
import { createSigningActivities } from './signing-requests.ts';
import { createWalletActivities, type WalletDependencies } from './wallets.ts';
import { createWithdrawalActivities } from './withdrawals.ts';

export type ActivityDependencies = WalletDependencies &
  DepositDependencies &
  SendDependencies & {
    /** What the API sealed when it was accepted, and what this worker writes. */
    seals: Seals;
    /** Absent in production, where nobody is paid from a faucet. */
    sandbox?: { rpcUrls: RpcUrls } | undefined;
  };

export function createActivities(dependencies: ActivityDependencies) {
  return {
    ...createWalletActivities(dependencies),
    ...createSigningActivities(dependencies),
    ...createApprovalActivities(dependencies),
    ...createWithdrawalActivities(dependencies),
    ...createSendActivities(dependencies),
    ...createFollowActivities(dependencies),
    ...createDepositActivities(dependencies),
    ...createReconciliationActivities(dependencies),
    ...createCheckpointActivities(dependencies),
    ...createRefreshActivities(dependencies),
    ...createRepairActivities(dependencies),
    ...(dependencies.sandbox && createSandboxActivities({ chains: dependencies.chains, ...dependencies.sandbox })),
  };
}

export type Activities = ReturnType<typeof createActivities>;
