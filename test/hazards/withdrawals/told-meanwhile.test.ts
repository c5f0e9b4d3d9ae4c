// Goal: a caller's cancellation, of which the workflow was told while its transaction waited to be made, keeps it from
// being signed, whatever the database says by then: the activity that makes a transaction signs it too. Method: the
// product's workflow and activities on real PostgreSQL, Temporal and anvil; the row says throughout that it goes on, as
// after somebody who writes to the database has set it back.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TOLD_WITHIN_MS } from '../../../domain/time-limits.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';

let anvil: Anvil;
let stack: WithdrawalStack;
let address: Address;
let id: string;

beforeAll(async () => {
  anvil = await startAnvil();
  stack = await startWithdrawals({ [networkCode]: anvil.url });
});
afterAll(async () => {
  await stack.stop();
  await anvil.stop();
});
beforeEach(async () => {
  const walletId = await stack.makeWallet();
  address = (await stack.addressOf(walletId, networkCode)) as Address;
  await stack.credit(walletId, networkCode, parseEther('10'));
  id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to: anyEvmAddress() });
  // Nothing is there on the chain.
  await expect.poll(async () => (await stack.read(id)).subStatus, { timeout: 60_000 }).toBe('insufficient_funds');
  await sleep(TOLD_WITHIN_MS);
});

const pay = () => anvil.client.setBalance({ address, value: parseEther('10') });

test('nothing is signed for what a caller has ended', async () => {
  const made = stack.cluster.signaturesMade;
  await stack.workflowOf(id).signal('changed', { ended: true });
  await pay();
  expect(await stack.until(id, 'failed')).toMatchObject({ errorCode: 'row_not_sealed', txHash: null });
  expect(stack.cluster.signaturesMade).toBe(made);
});

test('what nobody has ended is signed by the same attempt', async () => {
  const made = stack.cluster.signaturesMade;
  await pay();
  await expect.poll(async () => (await stack.read(id)).txHash, { timeout: 60_000 }).not.toBeNull();
  await anvil.client.mine({ blocks: 2 });
  await stack.until(id, 'completed');
  expect(stack.cluster.signaturesMade).toBe(made + 1);
  const { events } = await stack.workflowOf(id).fetchHistory();
  const children = (events ?? []).filter((event) => event.childWorkflowExecutionStartedEventAttributes != null);
  expect(children).toEqual([]);
});
