// What the load stands on: wallets with money on every chain, a wallet whose withdrawals a second user approves, and a
// webhook for all events.

import { eventTypes } from '../../../domain/events/event-types.ts';
import { CountersignClient } from '../../../src/client/client.ts';
import { readCredentials, type Topology } from '../topology/topology.ts';

const WALLET_MS = 5 * 60_000;
const FUNDED_MS = 5 * 60_000;
const LOOK_EVERY_MS = 500;

export interface PaidAsset {
  id: string;
  symbol: string;
  networkCode: string;
  decimals: number;
}

export interface Setting {
  client: CountersignClient;
  approver: CountersignClient;
  /** Wallets with money. The last one pays only what the approver allows. */
  payers: string[];
  approvedPayer: string;
  /** It has no money, and signs transactions. */
  signer: string;
  /** Every active wallet; those that the load makes join it. */
  wallets: string[];
  assets: PaidAsset[];
  /** Those that withdrawals are of. */
  withdrawn: PaidAsset[];
  /** The webhook gets what happens from this moment on. */
  webhookSince: string;
  workspaceId: string;
}

/** What each payer gets, by symbol and network. Several payments of bitcoin are several coins. */
const funds = [
  { symbol: 'ETH', networkCode: 'ETHEREUM_SANDBOX', amounts: ['100'] },
  { symbol: 'USDC', networkCode: 'ETHEREUM_SANDBOX', amounts: ['100000'] },
  { symbol: 'SOL', networkCode: 'SOL_SANDBOX', amounts: ['500'] },
  { symbol: 'USDC', networkCode: 'SOL_SANDBOX', amounts: ['100000'] },
  { symbol: 'BTC', networkCode: 'BTC_SANDBOX', amounts: ['0.5', '0.6', '0.7', '0.8'] },
];

export interface SettingOptions {
  payerCount: number;
  paysOnSolana: boolean;
}

export async function provideSetting(
  topology: Topology,
  { payerCount, paysOnSolana }: SettingOptions,
): Promise<Setting> {
  const { stack, receiver } = topology;
  const { api_key, api_secret, approver, workspace_id } = readCredentials(topology);
  const clientOf = (apiKey: string, apiSecret: string) =>
    new CountersignClient({ baseUrl: stack.baseUrl, apiKey, apiSecret, retries: 6 });
  const client = clientOf(api_key, api_secret);
  const approving = clientOf(approver.api_key, approver.api_secret);
  const body = { url: receiver.url, events: [...eventTypes] };
  const { secret, created_at } = await client.post('/api/v1/workspaces/{workspace_id}/webhooks', { body });
  receiver.secret = secret;

  const makeWallet = async (name: string) =>
    (await client.createWallet({ name }).wait({ timeoutMs: WALLET_MS })).wallet_id;
  const signer = await makeWallet('signer');
  const payers: string[] = [];
  for (let number = 1; number <= payerCount; number += 1) payers.push(await makeWallet(`payer ${number}`));
  const approvedPayer = payers.at(-1) ?? '';
  await askForApprovals({ client, approving, walletId: approvedPayer });
  const listed = await client.get('/api/v1/assets');
  const assets = funds.map(({ symbol, networkCode }) => {
    const found = listed.find((each) => each.symbol === symbol && each.network.internal_code === networkCode);
    if (found === undefined) throw new Error(`The catalogue has no ${symbol} on ${networkCode}.`);
    return { id: found.id, symbol, networkCode, decimals: found.decimals };
  });
  await Promise.all(payers.map((walletId) => fund(client, walletId, assets)));
  return {
    client,
    approver: approving,
    payers,
    approvedPayer,
    signer,
    wallets: [...payers, signer],
    assets,
    withdrawn: assets.filter(({ networkCode }) => paysOnSolana || networkCode !== 'SOL_SANDBOX'),
    webhookSince: created_at,
    workspaceId: workspace_id,
  };
}

async function askForApprovals(given: {
  client: CountersignClient;
  approving: CountersignClient;
  walletId: string;
}): Promise<void> {
  const { client, approving, walletId } = given;
  const { user_id } = await approving.get('/api/v1/api-keys/self');
  const { active } = await client.policy();
  const rule = {
    name: 'a second user approves',
    when: { operations: ['withdrawal' as const], wallet_ids: [walletId] },
    then: { action: 'require_approvals' as const, approvals: 1, approvers: [user_id] },
  };
  await client.setPolicy({ ...active.document, rules: [rule, ...active.document.rules] });
}

async function fund(client: CountersignClient, walletId: string, assets: readonly PaidAsset[]): Promise<void> {
  for (const [place, { amounts }] of funds.entries()) {
    const { id } = assets[place] as PaidAsset;
    for (const amount of amounts)
      await client.post('/api/v1/sandbox/faucet', { body: { wallet_id: walletId, asset_id: id, amount } });
  }
  const deadlineMs = Date.now() + FUNDED_MS;
  for (;;) {
    const available = new Map<string, number>();
    for await (const { asset_id, available: amount } of client.walletBalances(walletId))
      available.set(asset_id, Number(amount));
    const isThere = funds.every(({ amounts }, place) => {
      const wanted = amounts.reduce((sum, amount) => sum + Number(amount), 0);
      return (available.get(assets[place]?.id ?? '') ?? 0) >= wanted - 1e-9;
    });
    if (isThere) return;
    if (Date.now() > deadlineMs) throw new Error(`The money of wallet ${walletId} did not arrive.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** What waits for the approver when the load is over, because the caller could not be heard: nobody will come. */
export async function rejectWhatWaits({ approver }: Setting): Promise<void> {
  for await (const { id } of approver.withdrawals({ status: ['pending_approval'] }))
    await approver.rejectWithdrawal(id, { reason: 'the run is over' });
}
