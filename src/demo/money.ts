// Money in and out: the faucet pays a wallet on every chain that runs, and a part of it goes on to a second wallet,
// approved by a second user. All of it over HTTP.
import type { CountersignClient } from '../client/client.ts';
import type { Approver } from './approver.ts';
import { startTimeline, type TimelineReporter } from './report.ts';

export interface Leg {
  name: string;
  symbol: string;
  network: string;
  paid: string;
  sent: string;
}

/** In the asset's unit. */
export const legs: readonly Leg[] = [
  { name: 'ETH', symbol: 'ETH', network: 'ETHEREUM_SANDBOX', paid: '1', sent: '0.25' },
  { name: 'USDC ERC-20', symbol: 'USDC', network: 'ETHEREUM_SANDBOX', paid: '250', sent: '100.5' },
  { name: 'SOL', symbol: 'SOL', network: 'SOL_SANDBOX', paid: '2', sent: '0.5' },
  { name: 'USDC SPL', symbol: 'USDC', network: 'SOL_SANDBOX', paid: '250', sent: '100.5' },
  { name: 'BTC', symbol: 'BTC', network: 'BTC_SANDBOX', paid: '0.1', sent: '0.04' },
];

export interface Wallets {
  from: string;
  to: string;
}

/** Where a leg's money was seen: ids of the workspace's list of transactions. */
export interface Moved {
  leg: Leg;
  deposit: string;
  withdrawal: string;
  inboundTransfer: string;
}

const POLL_EVERY_MS = 200;
/** Steps of a withdrawal's history that report nothing here. */
const QUIET = new Set(['policy_check', 'queued']);
const GIVE_UP_AFTER_MS = 120_000;

export interface MoneyMovementOptions {
  chosen: readonly Leg[];
  /** Runs while the withdrawals do, and tells what it does in their table. */
  duringWithdrawals: (report: TimelineReporter) => Promise<void>;
}

export async function moveMoney(
  client: CountersignClient,
  approver: Approver,
  { from, to }: Wallets,
  { chosen, duringWithdrawals }: MoneyMovementOptions,
): Promise<Moved[]> {
  const assets = await client.get('/api/v1/assets');
  const withIds = chosen.map((leg) => {
    const asset = assets.find((each) => each.symbol === leg.symbol && each.network.internal_code === leg.network);
    if (asset === undefined) throw new Error(`The catalogue has no ${leg.symbol} on ${leg.network}.`);
    return { leg, assetId: asset.id, networkId: asset.network_id };
  });

  const reportDeposit = startTimeline('Deposits: the faucet pays the wallet');
  const deposits = await Promise.all(
    withIds.map(async ({ leg, assetId }) => {
      const report = (what: string) => reportDeposit(leg.name, what);
      const body = { wallet_id: from, asset_id: assetId, amount: leg.paid };
      const { address } = await client.post('/api/v1/sandbox/faucet', { body });
      report(`${leg.paid} ${leg.symbol} asked for, to ${address}`);
      return inboundTransferOf(client, from, assetId, report);
    }),
  );

  const reportWithdrawal = startTimeline('Withdrawals: a part goes to a second wallet, approved by a second user');
  const moved = Promise.all(
    withIds.map(async ({ leg, assetId, networkId }, index) => {
      const report = (what: string) => reportWithdrawal(leg.name, what);
      const recipient = await addressOn(client, to, networkId);
      const withdrawal = await withdraw(client, approver, { from, leg, assetId, recipient }, report);
      const inboundTransfer = await inboundTransferOf(client, to, assetId, (what) => report(`second wallet: ${what}`));
      return { leg, deposit: deposits[index] ?? '', withdrawal, inboundTransfer };
    }),
  );
  await Promise.all([moved, duringWithdrawals(reportWithdrawal)]);
  return moved;
}

type LegReporter = (what: string) => void;

/** The id of the one deposit of this asset, once it is final. */
async function inboundTransferOf(
  client: CountersignClient,
  walletId: string,
  assetId: string,
  report: LegReporter,
): Promise<string> {
  const query = { wallet_id: [walletId], asset_id: [assetId], direction: ['in' as const] };
  let shown = '';
  return until('the deposit', async () => {
    for await (const { id, status, amount, block_number, tx_hash } of client.transactions(query)) {
      if (status !== shown) report(`deposit of ${amount} is ${status} in block ${block_number}: ${tx_hash}`);
      shown = status;
      if (status === 'confirmed') {
        const { total } = await balanceOf(client, walletId, assetId);
        report(`balance ${total}`);
        return id;
      }
    }
    return undefined;
  });
}

async function balanceOf(client: CountersignClient, walletId: string, assetId: string) {
  const path = { wallet_id: walletId };
  const [balance] = await client.get('/api/v1/wallets/{wallet_id}/balances', { path, query: { asset_id: [assetId] } });
  if (balance === undefined) throw new Error('A confirmed deposit has a balance.');
  return balance;
}

async function addressOn(client: CountersignClient, walletId: string, networkId: string): Promise<string> {
  const path = { wallet_id: walletId };
  const query = { network_id: networkId };
  return (await client.get('/api/v1/wallets/{wallet_id}/deposit-address', { path, query })).address;
}

async function withdraw(
  client: CountersignClient,
  approver: Approver,
  { from, leg, assetId, recipient }: { from: string; leg: Leg; assetId: string; recipient: string },
  report: LegReporter,
): Promise<string> {
  const { auto_approved, withdrawal } = await client.post('/api/v1/wallets/{wallet_id}/request-withdrawal', {
    path: { wallet_id: from },
    body: { asset_id: assetId, amount: leg.sent, recipient_address: recipient, notes: 'Demo' },
  });
  if (auto_approved || withdrawal.approval === null) throw new Error('The policy let a withdrawal through.');
  report(`${leg.sent} ${leg.symbol} asked for; ${withdrawal.status}`);
  await approver.client.post('/api/v1/withdrawals/{withdrawal_id}/approve', {
    path: { withdrawal_id: withdrawal.id },
    body: { digest: withdrawal.approval.digest },
  });
  report(`approved by the second user: ${withdrawal.approval.digest.slice(0, 16)}…`);
  await followWithdrawal(client, withdrawal.id, report);
  return withdrawal.id;
}

async function followWithdrawal(client: CountersignClient, id: string, report: LegReporter): Promise<void> {
  const path = { withdrawal_id: id };
  let shown = 0;
  await until('the withdrawal', async () => {
    const history = await client.get('/api/v1/withdrawals/{withdrawal_id}/history', { path });
    for (const { sub_status, details } of history.slice(shown))
      if (sub_status !== undefined && details !== undefined && !QUIET.has(sub_status)) report(details);
    shown = history.length;
    const last = history.at(-1)?.status;
    if (last === 'failed' || last === 'rejected' || last === 'cancelled') {
      const { error_reason } = await client.get('/api/v1/withdrawals/{withdrawal_id}', { path });
      throw new Error(`The withdrawal ${id} is ${last}: ${error_reason}.`);
    }
    return last === 'completed' || undefined;
  });
  const { tx_hash, block_number, fee_paid } = await client.get('/api/v1/withdrawals/{withdrawal_id}', { path });
  report(`completed in block ${block_number} for a fee of ${fee_paid}: ${tx_hash}`);
}

async function until<Result>(what: string, poll: () => Promise<Result | undefined>): Promise<Result> {
  const deadlineMs = Date.now() + GIVE_UP_AFTER_MS;
  while (Date.now() < deadlineMs) {
    const result = await poll();
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
  throw new Error(`After ${GIVE_UP_AFTER_MS / 1000} s ${what} is not there yet: see the Temporal UI for why.`);
}
