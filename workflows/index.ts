// Every workflow that a worker runs: the entry of the bundle.
export { checkpointAudit } from './checkpoint-audit.ts';
export { createWallet } from './create-wallet.ts';
export { deliverWebhooks } from './deliver-webhooks.ts';
export { fundFromFaucet } from './fund-from-faucet.ts';
export { mineBlocks } from './mine-blocks.ts';
export { reconcileBalances } from './reconcile-balances.ts';
export { refreshKeys } from './refresh-keys.ts';
export { findLostShares, repairKeys } from './repair-keys.ts';
export { rescanTransaction } from './rescan-transaction.ts';
export { runExportSchedule } from './run-export-schedule.ts';
export { sign } from './sign.ts';
export { signGroup } from './sign-group.ts';
export { watchNetwork } from './watch-network.ts';
export { withdraw } from './withdraw.ts';
export { writeExport } from './write-export.ts';
