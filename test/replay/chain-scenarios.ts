// The scenarios of record.ts that need a chain: a wallet of the sandbox is paid, watched, and pays.

import { setTimeout as pause } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { parseEther } from 'viem';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { insertApprovalRound } from '../../drizzle/approvals/approvals.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { postLedgerEvent } from '../../drizzle/ledger/ledger.ts';
import { assets } from '../../drizzle/networks/assets.ts';
import { networks } from '../../drizzle/networks/networks.ts';
import { findWalletAddress } from '../../drizzle/wallets/wallet-keys.ts';
import { advanceWithdrawal, insertWithdrawal } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { testSeals } from '../support/rows/seals.ts';
import type { Scenario, Stage } from './record.ts';

const networkCode = 'ETHEREUM_SANDBOX';

export const chainScenarios: Record<string, Scenario> = {
  'fund-from-faucet-success': async (stage) => (await fundedWallet(stage)).payment,
  'mine-blocks-success': ({ workspaceId, run }) => run('mineBlocks', uuidv7(), { workspaceId, networkCode, blocks: 2 }),
  'withdraw-completed': (stage) => withdraw(stage),
  'withdraw-failed': (stage) => withdraw(stage, { before: () => stage.cluster.meet('sign', 'mpc_refused') }),
  'withdraw-not-approved': (stage) => withdraw(stage, { approval: true }),
  // Its signatures run under ids that carry their type.
  'withdraw-names-children': (stage) => withdraw(stage),
  'reconcile-balances': (stage) => reconcile(stage),
  'reconcile-balances-says': (stage) => reconcile(stage),
  'rescan-transaction-unknown': ({ workspaceId, run }) =>
    run('rescanTransaction', uuidv7(), { workspaceId, networkCode, txHash: `0x${'5a'.repeat(32)}` }),
  // It never ends: what it did until then.
  'watch-network': async ({ start }) => {
    const pace = { shortestMs: 100, longestMs: 200, lingerMs: 300, delayMs: 100 };
    const id = await start('watchNetwork', uuidv7(), { networkCode, pace });
    await pause(3_000);
    return id;
  },
};

const reconcile = ({ run }: Stage) => run('reconcileBalances', uuidv7(), {});

async function fundedWallet(stage: Stage): Promise<{ walletId: string; address: string; payment: string }> {
  const { db, workspaceId, run } = stage;
  const walletId = await stage.createWallet();
  const row = await findWalletAddress(db, walletId, 'evm');
  if (row === undefined) throw new Error('the wallet has no address');
  const faucetId = uuidv7();
  const amount = `${parseEther('1')}`;
  const { address } = row;
  const asked = { faucetId, workspaceId, walletId, networkCode, address, contract: null, decimals: 18, amount };
  return { walletId, address, payment: await run('fundFromFaucet', faucetId, asked) };
}

async function withdraw(
  stage: Stage,
  { before = () => {}, approval = false }: { before?: () => void; approval?: boolean } = {},
): Promise<string> {
  const { db, workspaceId, run } = stage;
  const { walletId, address } = await fundedWallet(stage);
  const { asset, network } = await readEther(db);
  const withdrawalId = uuidv7();
  await db.transaction(async (tx) => {
    const movements = [{ assetId: asset.id, from: 'outside', to: 'available', amount: parseEther('1') }] as const;
    await postLedgerEvent(tx, { kind: 'deposit_confirmed', subjectId: uuidv7(), walletId, movements });
    await insertWithdrawal(tx, testSeals, {
      id: withdrawalId,
      workflowId: workflowIdOf('withdraw', withdrawalId),
      workspaceId,
      walletId,
      assetId: asset.id,
      networkId: network.id,
      feeAssetId: asset.id,
      amountBaseUnits: parseEther('0.5'),
      decimals: 18,
      fromAddress: address,
      derivationPath: 'm/44/60/0/0/0',
      recipientAddress: `0x${'5e'.repeat(20)}`,
      requestedBy: uuidv7(),
    });
    if (approval) await awaitApproval(stage, tx, withdrawalId, walletId);
    else await advanceWithdrawal(tx, withdrawalId, { from: 'pending', to: 'approved', details: 'Allowed.' });
  });
  before();
  return run('withdraw', withdrawalId, { withdrawalId, workspaceId, walletId, networkCode });
}

/** Nobody approves it within its second. */
async function awaitApproval(
  { workspaceId }: Stage,
  tx: Parameters<typeof insertApprovalRound>[0],
  subjectId: string,
  walletId: string,
): Promise<void> {
  const round = { subject: 'withdrawal', requestedBy: uuidv7(), required: 1, digest: '00'.repeat(32) } as const;
  await insertApprovalRound(tx, testSeals, { ...round, subjectId, workspaceId, walletId, expiresInSeconds: 1 });
  await advanceWithdrawal(tx, subjectId, { from: 'pending', to: 'pending_approval', details: 'It needs an approval.' });
}

async function readEther(db: Database) {
  const [row] = await db
    .select({ asset: assets, network: networks })
    .from(assets)
    .innerJoin(networks, eq(networks.id, assets.networkId))
    .where(and(eq(networks.internalCode, networkCode), eq(assets.isNative, true)));
  if (row === undefined) throw new Error('the sandbox has no ether');
  return row;
}
