// `tsx bench/withdrawals.ts [--count 1000] [--wallets 1]`: pays so many withdrawals out of so many wallets of a running
// `npm start`, and tells how long it took from the first POST until the last one is completed, and whether the ledger
// is what the chain has then. Over HTTP alone, as a client of the service. Run by hand.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { CountersignClient } from '../src/client/client.ts';

const NETWORK = 'ETHEREUM_SANDBOX';
const POSTED_AT_ONCE = 32;
const LOOK_EVERY_MS = 500;
const GIVE_UP_AFTER_MS = 600_000;
const root = resolve(import.meta.dirname, '..');

const { values } = parseArgs({
  options: {
    credentials: { type: 'string', default: join(root, '.local', 'credentials.json') },
    count: { type: 'string', default: '1000' },
    wallets: { type: 'string', default: '1' },
  },
});
const [count, walletCount] = [Number(values.count), Number(values.wallets)];
const shown = JSON.parse(readFileSync(values.credentials, 'utf8')) as Record<
  'base_url' | 'api_key' | 'api_secret',
  string
>;
const client = new CountersignClient({ baseUrl: shown.base_url, apiKey: shown.api_key, apiSecret: shown.api_secret });

/** So many run side by side; each takes the next index that is left. */
async function each(total: number, atOnce: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const takeTurns = async () => {
    while (next < total) await act(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, takeTurns));
}

async function fundWallets(assetId: string): Promise<string[]> {
  const wallets: string[] = [];
  const amount = String(Math.max(1, Math.ceil(count / walletCount / 100)));
  await each(walletCount, 4, async (index) => {
    const { wallet_id: id } = await client
      .createWallet({ name: `Bench ${Date.now()} ${index}` })
      .wait({ timeoutMs: GIVE_UP_AFTER_MS });
    wallets.push(id);
    await client.faucet({ wallet_id: id, asset_id: assetId, amount });
  });
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (const id of wallets) {
    const isPaid = async () => {
      for await (const { available } of client.walletBalances(id)) if (Number(available) > 0) return true;
      return false;
    };
    while (!(await isPaid())) {
      if (Date.now() > deadline) throw new Error('The faucet did not pay in time.');
      await sleep(LOOK_EVERY_MS);
    }
  }
  return wallets;
}

/** How many of ours have not ended. */
async function untilNoneIsOpen(since: string): Promise<void> {
  const deadline = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const open = client.withdrawals({ status: ['pending', 'approved', 'processing'], limit: 1 });
    if ((await open.next()).done === true) return;
    if (Date.now() > deadline) throw new Error(`Some withdrawals since ${since} have not ended.`);
    await sleep(LOOK_EVERY_MS);
  }
}

const asset = (await client.get('/api/v1/assets')).find(
  ({ symbol, network }) => symbol === 'ETH' && network.internal_code === NETWORK,
);
if (asset === undefined) throw new Error(`There is no ETH on ${NETWORK}: does npm start run with its chains?`);
console.log(`${walletCount} wallets are made and paid`);
const wallets = await fundWallets(asset.id);

const ids: string[] = [];
const startedMs = performance.now();
const seconds = () => ((performance.now() - startedMs) / 1000).toFixed(1);
await each(count, POSTED_AT_ONCE, async (index) => {
  const { withdrawal } = await client.requestWithdrawal(wallets[index % wallets.length] ?? '', {
    asset_id: asset.id,
    amount: '0.001',
    recipient_address: `0x${randomBytes(20).toString('hex')}`,
  });
  ids.push(withdrawal.id);
});
console.log(`${seconds()} s: ${ids.length} withdrawals are accepted`);
await untilNoneIsOpen(ids[0] ?? '');
console.log(`${seconds()} s: none is open`);

const ends = new Map<string, number>();
const hashes = new Set<string | null>();
await each(ids.length, POSTED_AT_ONCE, async (index) => {
  const { status, error_code, tx_hash } = await client.withdrawal(ids[index] ?? '');
  const end = error_code === null || error_code === undefined ? status : `${status} (${error_code})`;
  ends.set(end, (ends.get(end) ?? 0) + 1);
  hashes.add(tx_hash ?? null);
});
console.log(`${[...ends].map(([end, many]) => `${many} ${end}`).join(', ')}; ${hashes.size} transactions`);
// Reads where it finds the database and Temporal from what `npm start` has written for operators.
const command = `set -a; . .local/environment; exec node dist/reconcile-balances.js`;
const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: root });
console.log(stdout.trim());
