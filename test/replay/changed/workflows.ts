// The product's workflows with a change that looks harmless in each and breaks every one that is under way: what
// replay.test.ts must notice.
import { proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { CheckpointActivities } from '../../../activities/audit/checkpoint-audit.ts';
import type { ReconciliationActivities } from '../../../activities/deposits/reconcile-balances.ts';
import type { Activities } from '../../../activities/index.ts';
import type { SandboxActivities } from '../../../activities/sandbox/faucet.ts';
import type { WebhookActivities } from '../../../activities/webhooks/deliver-webhooks.ts';
import type {
  CreateWalletInput,
  DeliverWebhooksInput,
  FundFromFaucetInput,
  MineBlocksInput,
  RescanTransactionInput,
  RunExportScheduleInput,
  SigningGroup,
  SigningTask,
  WithdrawInput,
  WriteExportInput,
} from '../../../domain/workflow-inputs.ts';
import {
  checkpointOptions,
  generateKeyOptions,
  prepareOptions,
  readBlocksOptions,
  reconciliationOptions,
  rowOptions,
} from '../../../workflows/activity-options.ts';
import type { CheckpointAuditInput } from '../../../workflows/checkpoint-audit.ts';
import type { ReconcileBalancesInput } from '../../../workflows/reconcile-balances.ts';
import type { RefreshKeysInput } from '../../../workflows/refresh-keys.ts';
import type { FindLostSharesInput, RepairKeysInput } from '../../../workflows/repair-keys.ts';
import type { WatchNetworkInput } from '../../../workflows/watch-network.ts';

const { generateKey, activateWallet } = proxyActivities<Activities>(generateKeyOptions);
const { prepareTransaction } = proxyActivities<Activities>(prepareOptions);
const { compareCheckpoints, keepCheckpoints } = proxyActivities<CheckpointActivities>(checkpointOptions);
const { startScheduledExport } = proxyActivities<Activities>(prepareOptions);
const { readBlocks } = proxyActivities<Activities>(readBlocksOptions);
const { compareBalances, findImbalances } = proxyActivities<ReconciliationActivities>(reconciliationOptions);
const { fulfilSigningRequest, recordTransaction } = proxyLocalActivities<Activities>(rowOptions);
const { refreshKeys: refreshPage } = proxyLocalActivities<Activities>(rowOptions);
const { findLostShares: find, repairShares } = proxyLocalActivities<Activities>(rowOptions);
const { writeExport: writeFile } = proxyLocalActivities<Activities>(rowOptions);
const { deliverDue } = proxyLocalActivities<WebhookActivities>(rowOptions);
const { signFaucetPayment, readSandboxHeight } = proxyLocalActivities<SandboxActivities>(rowOptions);

/** The curves one after the other instead of side by side. */
export async function createWallet({ walletId }: CreateWalletInput): Promise<void> {
  const keys = [await generateKey(walletId, 'secp256k1'), await generateKey(walletId, 'ed25519')];
  await activateWallet(walletId, keys);
}

/** The step as a local activity instead of an ordinary one. */
export async function sign(task: SigningTask): Promise<void> {
  await fulfilSigningRequest(task);
}

/** Each is signed by a step of its own. */
export async function signGroup({ members }: SigningGroup): Promise<void> {
  for (const { signingId } of members) await fulfilSigningRequest({ signingId });
}

/** A transaction is built without a look at whether it may be. */
export async function withdraw({ withdrawalId }: WithdrawInput): Promise<void> {
  await prepareTransaction({ withdrawalId, ordinal: 0, kind: 'transfer' });
}

/** A wait before the first reading. */
export async function watchNetwork({ networkCode, pace }: WatchNetworkInput): Promise<void> {
  await sleep(pace.delayMs);
  await readBlocks(networkCode, pace);
}

/** As a local activity. */
export async function rescanTransaction({ networkCode, txHash }: RescanTransactionInput): Promise<void> {
  await recordTransaction(networkCode, txHash);
}

/** The balances before the ledger. */
export async function reconcileBalances(_input: ReconcileBalancesInput): Promise<void> {
  await compareBalances();
  await findImbalances();
}

/** What is due is kept before the chains are compared. */
export async function checkpointAudit({ despite }: CheckpointAuditInput): Promise<void> {
  await keepCheckpoints([]);
  await compareCheckpoints('newest', despite);
}

/** As a local activity. */
export async function fundFromFaucet({ faucetId, amount, ...to }: FundFromFaucetInput): Promise<void> {
  const { networkCode, address, contract, decimals } = to;
  await signFaucetPayment({ key: faucetId, networkCode, address, contract, decimals, amount });
}

/** As a local activity. */
export async function mineBlocks({ networkCode }: MineBlocksInput): Promise<void> {
  await readSandboxHeight(networkCode);
}

/** As a local activity. */
export async function deliverWebhooks({ webhookId }: DeliverWebhooksInput): Promise<void> {
  await deliverDue(webhookId);
}

/** In the worker itself. */
export async function refreshKeys({ walletId }: RefreshKeysInput): Promise<void> {
  await refreshPage(undefined, walletId);
}

export async function findLostShares({ cluster, node }: FindLostSharesInput): Promise<void> {
  await find({ cluster, node });
}

export async function repairKeys({ commands }: RepairKeysInput): Promise<void> {
  await repairShares(commands);
}

/** In a task queue. */
export async function runExportSchedule({ scheduleId, workspaceId }: RunExportScheduleInput): Promise<void> {
  await startScheduledExport({ scheduleId, workspaceId, due: '' });
}

/** In the worker that runs the workflow, in the place of one that has time for it. */
export async function writeExport({ exportId }: WriteExportInput): Promise<void> {
  await writeFile(exportId);
}
