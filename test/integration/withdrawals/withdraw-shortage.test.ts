// Goal: whoever runs a wallet hears once that a withdrawal waits for funds, how much is missing and until when it
// waits, and hears again only when that is another sum. Method: the product's workflow and activities on real
// PostgreSQL, Temporal and anvil, whose balances the test sets; the other families say the same in their own files.
import { parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assetSeed } from '../../../domain/catalog/assets.ts';
import type { Shortage } from '../../../domain/withdrawals/shortage.ts';
import { listWithdrawalEvents } from '../../../drizzle/withdrawals/withdrawal-history.ts';
import { eventsOf } from '../../support/api/events.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const ETHER = parseEther('1');
const waiting = { timeout: 60_000 };
const ethId = assetSeed.find(({ symbol, networkId }) => symbol === 'ETH' && networkId.endsWith('0001'))?.id;

let anvil: Anvil;
let stack: WithdrawalStack;
let walletId: string;
let address: `0x${string}`;

beforeAll(async () => {
  anvil = await startAnvil();
  stack = await startWithdrawals({ [networkCode]: anvil.url }, { fastRetries: true });
});
afterAll(async () => {
  await stack.stop();
  await anvil.stop();
});
beforeEach(async () => {
  walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as `0x${string}`;
  await stack.credit(walletId, networkCode, 10n * ETHER);
});

const holds = (value: bigint) => anvil.client.setBalance({ address, value });
const ask = (amount = ETHER) => stack.withdraw({ walletId, networkCode, amount, to: anyEvmAddress() });
const heardOf = async (id: string) =>
  (await eventsOf(stack.db, stack.workspaceId, id))
    .filter(({ type }) => type === 'withdrawal.insufficient_funds')
    .map(({ data }) => data['shortage'] as Record<string, string>);
async function untilShort(id: string): Promise<Shortage> {
  await expect.poll(async () => (await stack.read(id)).subStatus, waiting).toBe('insufficient_funds');
  const { shortage } = await stack.read(id);
  if (shortage === null) throw new Error('it does not say what is missing');
  return shortage;
}

test('what is missing, and in which currency: in the row, the history and one event', async () => {
  await holds(ETHER / 2n);
  const id = await ask();
  const shortage = await untilShort(id);
  expect(shortage).toMatchObject({ symbol: 'ETH', assetId: ethId });
  const missing = parseEther(shortage.missing ?? '');
  expect(missing).toBeGreaterThan(ETHER / 2n);
  expect(missing).toBeLessThan((ETHER * 51n) / 100n);
  const { missing: said } = shortage;
  expect(await heardOf(id)).toEqual([{ asset_id: ethId, asset: 'ETH', missing: said }]);
  const details = (await listWithdrawalEvents(stack.db, id)).at(-1)?.details;
  expect(details).toContain(`It waits for ${said} ETH, which the wallet lacks`);
  // What it says suffices.
  await holds(ETHER / 2n + missing);
  await expect.poll(async () => (await stack.read(id)).subStatus, waiting).toBe('confirming');
});

test('looked at again and again it is one event, until it is another sum', async () => {
  await holds(0n);
  const id = await ask();
  await untilShort(id);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(await heardOf(id)).toHaveLength(1);
  await holds((ETHER * 8n) / 10n);
  await expect.poll(async () => (await heardOf(id)).length, waiting).toBe(2);
  const [first, second] = (await heardOf(id)).map(({ missing }) => parseEther(missing ?? ''));
  expect([(first ?? 0n) > ETHER, (second ?? ETHER) < (ETHER * 21n) / 100n]).toEqual([true, true]);
});

test('what the ledger lacks counts, too: what is on the chain is owed to others', async () => {
  await holds(100n * ETHER);
  const id = await ask(10n * ETHER);
  const { missing } = await untilShort(id);
  expect(parseEther(missing ?? '')).toBeGreaterThan(0n);
  expect(parseEther(missing ?? '')).toBeLessThan(ETHER / 100n);
  await stack.credit(walletId, networkCode, parseEther(missing ?? ''));
  await expect.poll(async () => (await stack.read(id)).subStatus, waiting).toBe('confirming');
});
