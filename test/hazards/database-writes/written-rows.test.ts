// Goal: whoever writes PostgreSQL as the owner of the tables, triggers switched off, has nothing signed, no money moved
// twice or elsewhere, and no address of his shown as ours. Method: the rows are written and changed by SQL while the
// product's workflows and activities run on real PostgreSQL, Temporal and anvil.
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { parseEther } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evmChain } from '../../../activities/chains/evm/evm-chain.ts';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import { mayMakeTransaction } from '../../../activities/withdrawals/may-make-transaction.ts';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { sealedTables } from '../../../drizzle/sealed-rows/all-sealed-tables.ts';
import { findWalletCluster } from '../../../drizzle/wallets/wallet-queries.ts';
import {
  insertChainTransaction,
  listSealedTransactions,
  storeSigned,
} from '../../../drizzle/withdrawals/chain-transactions.ts';
import { findWithdrawalContext } from '../../../drizzle/withdrawals/withdrawal-context.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { noQuote } from '../../support/rows/funded.ts';
import {
  makeSigningRequest,
  makeWallet,
  makeWorkspace,
  readSigningRequest,
} from '../../support/rows/operation-rows.ts';
import { testSeals } from '../../support/rows/seals.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const thief = anyEvmAddress();

let anvil: Anvil;
let stack: WithdrawalStack;
let walletId: string;

beforeAll(async () => {
  anvil = await startAnvil();
  stack = await startWithdrawals({ [networkCode]: anvil.url }, { confirmations: 2 });
});
afterAll(async () => {
  await stack.stop();
  await anvil.stop();
});
beforeEach(async () => {
  walletId = await stack.makeWallet();
  const address = (await stack.addressOf(walletId, networkCode)) as `0x${string}`;
  await anvil.client.setBalance({ address, value: parseEther('10') });
  await stack.credit(walletId, networkCode, parseEther('10'));
});

/** As the owner of the tables, past every trigger. */
const write = (...statements: ReturnType<typeof sql>[]) =>
  stack.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of statements) await tx.execute(statement);
  });

/** Under the operation's own id, which no row decides. */
function run(workflow: string, id: string, input: object): Promise<unknown> {
  const { client, taskQueue } = stack.worker;
  return client.workflow.execute(workflow, { workflowId: workflowIdOf(workflow, id), taskQueue, args: [input] });
}

async function assertNotSigned(signingId: string): Promise<void> {
  const made = stack.cluster.signaturesMade;
  await run('sign', signingId, { signingId });
  expect(stack.cluster.signaturesMade).toBe(made);
  const { status, statusReason, errorCode, signature } = await readSigningRequest(stack.db, signingId);
  expect({ status, statusReason, errorCode, signature }).toEqual({
    status: 'failed',
    statusReason: 'mpc_error',
    errorCode: 'row_not_sealed',
    signature: null,
  });
}

describe('a signing operation', () => {
  test.each([
    ['another payload', sql`signing_hash = ${`0x${'cd'.repeat(32)}`}`],
    ['another wallet', sql`wallet_id = (select id from wallets where status = 'active' and id <> wallet_id limit 1)`],
    ['another network', sql`network_internal_code = 'BSC_MAINNET'`],
    ['another path', sql`derivation_path = 'm/44/60/0/0/9'`],
    ['approvals that it no longer needs', sql`approvals_required = 0`],
    ['a seal that nobody made', sql`seal = ${`1.${'ab'.repeat(32)}`}`],
    ['no seal', sql`seal = null`],
  ])('that was changed to %s signs nothing', async (_name, change) => {
    await stack.makeWallet();
    const { signingId } = await makeSigningRequest(stack.db, stack.workspaceId, walletId, { approvalsRequired: 1 });
    await write(sql`update signing_requests set ${change} where id = ${signingId}`);
    await assertNotSigned(signingId);
  });

  test('that needs approval, of which the round was taken away, signs nothing', async () => {
    const { signingId } = await makeSigningRequest(stack.db, stack.workspaceId, walletId, { approvalsRequired: 1 });
    const made = stack.cluster.signaturesMade;
    await run('sign', signingId, { signingId });
    expect(stack.cluster.signaturesMade).toBe(made);
    expect(await readSigningRequest(stack.db, signingId)).toMatchObject({ statusReason: 'policy_denied' });
  });

  test('that was inserted, or copied from one that is ours, signs nothing', async () => {
    const { signingId } = await makeSigningRequest(stack.db, stack.workspaceId, walletId);
    const copy = uuidv7();
    await write(
      sql`create temp table copied on commit drop as select * from signing_requests where id = ${signingId}`,
      sql`update copied set id = ${copy}`,
      sql`insert into signing_requests select * from copied`,
    );
    await assertNotSigned(copy);
  });

  test('of a wallet that was moved to another workspace signs nothing there, although the service sealed it', async () => {
    const workspaceId = await makeWorkspace(stack.db);
    await write(sql`update wallets set workspace_id = ${workspaceId} where id = ${walletId}`);
    const { signingId } = await makeSigningRequest(stack.db, workspaceId, walletId);
    await assertNotSigned(signingId);
  });

  test('of a wallet whose key was replaced signs nothing', async () => {
    const { signingId } = await makeSigningRequest(stack.db, stack.workspaceId, walletId);
    const publicKey = sql`(select public_key from wallet_keys where curve = 'secp256k1' and wallet_id <> ${walletId} limit 1)`;
    await write(sql`update wallet_keys set public_key = ${publicKey} where wallet_id = ${walletId}`);
    await assertNotSigned(signingId);
  });
});

describe('a withdrawal', () => {
  /** Approved and not begun: no workflow was started for it yet. */
  async function accepted(fields: object = {}): Promise<string> {
    const asked = { walletId, networkCode, amount: parseEther('1'), to: anyEvmAddress() };
    return stack.accept({ ...asked, fields });
  }

  async function assertNotPaid(id: string): Promise<void> {
    const made = stack.cluster.signaturesMade;
    await run('withdraw', id, { withdrawalId: id, workspaceId: stack.workspaceId, walletId, networkCode });
    expect(stack.cluster.signaturesMade).toBe(made);
    expect(await anvil.client.getBalance({ address: thief })).toBe(0n);
    expect(await stack.transactionsOf(id)).toEqual([]);
    expect(await stack.read(id)).toMatchObject({ status: 'failed' });
  }

  test.each([
    ['another recipient', sql`recipient_address = ${thief}`],
    ['another amount', sql`amount_base_units = amount_base_units * 2`],
    ['another asset', sql`asset_id = (select id from assets where not is_native limit 1)`],
    ['another network', sql`network_id = (select n.id from networks n where n.id <> network_id limit 1)`],
    ['no limit of its fee', sql`max_fee_base_units = null`],
    ['a fee that nobody judged', sql`fee_bound_base_units = fee_bound_base_units * 100`],
    ['no bound of its fee', sql`fee_bound_base_units = null`],
    ['approvals that it no longer needs', sql`approvals_required = 0`],
  ])('that was changed to %s pays nobody', async (name, change) => {
    await stack.makeWallet();
    const needsApproval = name.startsWith('approvals');
    const fees = { maxFeeBaseUnits: parseEther('1'), feeBoundBaseUnits: parseEther('1') };
    const id = await accepted({ ...fees, approvalsRequired: needsApproval ? 1 : 0 });
    await write(sql`update withdrawals set ${change} where id = ${id}`);
    await assertNotPaid(id);
    expect(await stack.read(id)).toMatchObject({ errorCode: 'row_not_sealed' });
  });

  test('of another wallet pays nobody, and what was held there stays', async () => {
    const other = await stack.makeWallet();
    const id = await accepted();
    await write(sql`update withdrawals set wallet_id = ${other} where id = ${id}`);
    const made = stack.cluster.signaturesMade;
    const { client, taskQueue } = stack.worker;
    const input = { withdrawalId: id, workspaceId: stack.workspaceId, walletId, networkCode };
    const workflowId = workflowIdOf('withdraw', id);
    const handle = await client.workflow.start('withdraw', { workflowId, taskQueue, args: [input] });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await handle.terminate();
    expect(stack.cluster.signaturesMade).toBe(made);
    expect(await stack.transactionsOf(id)).toEqual([]);
    expect(await stack.balance(walletId, networkCode, 'held')).toBe(parseEther('1'));
  });

  test('that needs approval, said to be approved, of which there is no round, pays nobody', async () => {
    const id = await accepted({ approvalsRequired: 2 });
    await assertNotPaid(id);
    expect(await stack.read(id)).toMatchObject({ errorCode: 'approval_void' });
  });

  test('that was copied under another id pays nobody', async () => {
    const id = await accepted();
    const copy = uuidv7();
    await write(
      sql`create temp table copied on commit drop as select * from withdrawals where id = ${id}`,
      sql`update copied set id = ${copy}, recipient_address = ${thief}`,
      sql`insert into withdrawals select * from copied`,
    );
    await assertNotPaid(copy);
  });

  test('that was paid, set back to approved, of which every trace was deleted: paid once', async () => {
    const to = anyEvmAddress();
    const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
    await expect.poll(async () => (await stack.read(id)).subStatus, { timeout: 60_000 }).toBe('confirming');
    await anvil.client.mine({ blocks: 3 });
    await stack.until(id, 'completed');
    await stack.workflowOf(id).result();
    const [transaction] = await stack.transactionsOf(id);
    const input = { withdrawalId: id, workspaceId: stack.workspaceId, walletId, networkCode };
    await write(
      sql`delete from chain_transactions where withdrawal_id = ${id}`,
      sql`delete from nonces where withdrawal_id = ${id}`,
      sql`delete from signing_requests where withdrawal_id = ${id}`,
      sql`update withdrawals set status = 'approved', sub_status = null, tx_hash = null, completed_at = null where id = ${id}`,
      sql`insert into outbox (workflow, workflow_id, input) values ('withdraw', ${uuidv7()}, ${JSON.stringify(input)}::jsonb)`,
    );
    const made = stack.cluster.signaturesMade;
    await run('withdraw', id, input);
    await anvil.client.mine({ blocks: 3 });
    expect(await stack.read(id)).toMatchObject({ status: 'failed', errorCode: 'mpc_error' });
    const [again] = await stack.transactionsOf(id);
    expect(again?.signingIds).toEqual(transaction?.signingIds);
    expect(again?.unsigned).not.toBe(transaction?.unsigned);
    expect(stack.cluster.signaturesMade).toBe(made);
    expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
  });

  test('that is out, with another nonce written for it: a speed-up keeps the one of the sealed transaction', async () => {
    const to = anyEvmAddress();
    const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
    await expect.poll(async () => (await stack.read(id)).subStatus, { timeout: 60_000 }).toBe('confirming');
    await write(
      sql`update nonces set nonce = nonce + 1 where withdrawal_id = ${id}`,
      sql`update withdrawals set wish = 'speed_up' where id = ${id}`,
    );
    await stack.signal(id);
    await expect.poll(async () => (await stack.read(id)).requestedReplacement, { timeout: 60_000 }).toBeNull();
    expect(await stack.transactionsOf(id)).toHaveLength(1);
    await anvil.client.mine({ blocks: 3 });
    await stack.until(id, 'completed');
    expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
  });

  test('that is out, of which the bytes were taken away: no money is given back, and it waits', async () => {
    const to = anyEvmAddress();
    const id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
    await expect.poll(async () => (await stack.read(id)).subStatus, { timeout: 60_000 }).toBe('confirming');
    const held = await stack.balance(walletId, networkCode, 'held');
    await write(
      sql`update chain_transactions set signed = ${'0x00'}, tx_hash = ${`0x${'11'.repeat(32)}`} where withdrawal_id = ${id}`,
    );
    await stack.signal(id);
    await anvil.client.mine({ blocks: 3 });
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await stack.read(id)).toMatchObject({ status: 'processing' });
    expect(await stack.balance(walletId, networkCode, 'held')).toBe(held);
    expect(await stack.transactionsOf(id)).toHaveLength(1);
    await stack.workflowOf(id).terminate();
  });
});

describe('a renewal, of which every node says that what was sent before is dead', () => {
  /** Nobody listens at its address: it is asked nothing but this. */
  const dead: Chain = {
    ...evmChain({ rpcUrl: 'http://127.0.0.1:1', chainId: 31_337 }),
    fateOf: async () => ({ state: 'dead', reason: 'it has expired' }),
  };

  async function sent(): Promise<string> {
    const id = await stack.accept({ walletId, networkCode, amount: parseEther('1'), to: anyEvmAddress() });
    const { networkId, fromAddress } = await stack.read(id);
    const row = { id: uuidv7(), withdrawalId: id, ordinal: 0, kind: 'transfer', networkId, fromAddress } as const;
    const built = { fee: noQuote, maxFeeBaseUnits: 1n, unsigned: '0x', payloads: [], signingIds: [] };
    await stack.db.transaction((tx) => insertChainTransaction(tx, testSeals, { ...row, ...built }));
    await storeSigned(stack.db, testSeals, row, { signed: '0x01', txHash: 'hash' });
    return id;
  }

  async function ask(id: string): Promise<boolean> {
    const context = await findWithdrawalContext(stack.db, id);
    if (context === undefined) throw new Error('there is no withdrawal');
    const earlier = await listSealedTransactions(stack.db, testSeals, id);
    const sending = { withdrawalId: id, ordinal: 1, kind: 'renewal' } as const;
    return mayMakeTransaction({ db: stack.db, seals: testSeals, context, sending, earlier, witnesses: [dead, dead] });
  }

  test('is made of the very transaction that was sent', async () => {
    expect(await ask(await sent())).toBe(true);
  });

  test.each([
    ['other bytes', sql`signed = '0x02'`],
    ['another hash, which no chain knows', sql`tx_hash = 'another'`],
    ['a seal of nothing', sql`signed_seal = null`],
    ['an earlier expiry', sql`valid_until = 1`],
    ['another ordinal', sql`ordinal = 1`],
  ])('is refused where the row says %s', async (_name, change) => {
    const id = await sent();
    await write(sql`update chain_transactions set ${change} where withdrawal_id = ${id}`);
    await expect(ask(id)).rejects.toThrow('was not written by this service');
  });

  test.each([
    ['was never signed', sql`update chain_transactions set signed = null, tx_hash = null, signed_seal = null`],
    ['is not there', sql`delete from chain_transactions`],
  ])('is refused where the row says that the one before %s', async (_name, statement) => {
    const id = await sent();
    await write(sql`${statement} where withdrawal_id = ${id}`);
    await expect(ask(id)).rejects.toMatchObject({ type: 'not_due', nonRetryable: true });
  });
});

test('a wallet that was given to another cluster, or written by SQL, has no key made', async () => {
  const made = await makeWallet(stack.db, stack.workspaceId);
  await write(sql`update wallets set cluster = 'weak' where id = ${made}`);
  await expect(findWalletCluster(stack.db, testSeals, made)).rejects.toThrow('was not written by this service');
});

test('every sealed table finds what was changed, and seals nothing of it again', async () => {
  const { signingId } = await makeSigningRequest(stack.db, stack.workspaceId, walletId);
  await write(sql`update signing_requests set derivation_path = 'm/1' where id = ${signingId}`);
  const broken = [];
  for (const table of sealedTables) broken.push(...(await table.resealAll(stack.db, testSeals)).broken);
  expect(broken).toContain(signingId);
});
