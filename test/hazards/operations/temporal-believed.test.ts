// Goal: whoever reaches Temporal's port, and nothing else, has nothing signed but what a row of the service says, and
// no money moved twice. Method: the attacks themselves, on real PostgreSQL, Temporal and anvil: workflows started with
// foreign ids and payloads, and a worker of the attacker's that schedules our activities with inputs of his own.
import { eq } from 'drizzle-orm';
import { parseEther } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import type { SigningTask } from '../../../domain/workflow-inputs.ts';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { isValid } from '../../support/api/verify.ts';
import { type Anvil, startAnvil } from '../../support/chains/anvil.ts';
import { type Attacker, startAttacker } from '../../support/processes/attacker.ts';
import {
  makeSigningRequest,
  makeWallet,
  makeWorkspace,
  readSigningRequest,
  readWallet,
} from '../../support/rows/operation-rows.ts';
import { anyEvmAddress, startWithdrawals, type WithdrawalStack } from '../../support/withdrawals/withdrawals.ts';

const networkCode = 'ETHEREUM_SANDBOX';
const theft = { kind: 'raw_digest', hex: `0x${'cd'.repeat(32)}` } as const;

let anvil: Anvil;
let stack: WithdrawalStack;
let attacker: Attacker;
/** Of another tenant, frozen. */
let victim: string;
/** The attacker's own wallet, in a workspace of his own. */
let own: { workspaceId: string; walletId: string };

beforeAll(async () => {
  anvil = await startAnvil();
  stack = await startWithdrawals({ [networkCode]: anvil.url }, { confirmations: 2 });
  attacker = await startAttacker(stack.worker.client, stack.worker.taskQueue);
  victim = await stack.makeWallet();
  const workspaceId = await makeWorkspace(stack.db);
  const walletId = await makeWallet(stack.db, workspaceId);
  await attacker.run('createWallet', { walletId, workspaceId }, walletId);
  own = { workspaceId, walletId };
  await stack.db.update(wallets).set({ status: 'frozen' }).where(eq(wallets.id, victim));
});
afterAll(async () => {
  await attacker.stop();
  await stack.stop();
  await anvil.stop();
});

/** As inputs of `sign` were before they held ids only, with the victim's wallet in them. */
const oldTask = (signingId: string) => ({
  signingId,
  workspaceId: stack.workspaceId,
  walletId: victim,
  networkCode,
  addressType: 'evm',
  curve: 'secp256k1',
  path: [44, 60, 0, 0, 0],
  payload: theft,
});

const newRow = (walletId = own.walletId, workspaceId = own.workspaceId): Promise<SigningTask> =>
  makeSigningRequest(stack.db, workspaceId, walletId);

async function assertSignedAsTheRowSays(signingId: string): Promise<void> {
  const { keyType: key_type, signingHash: signing_hash, ...row } = await readSigningRequest(stack.db, signingId);
  expect(row.status).toBe('success');
  const signed = { key_type, signing_hash, public_key: row.publicKey, signature: row.signature, address: row.address };
  expect(await isValid(signed as Parameters<typeof isValid>[0])).toBe(true);
  const asked = stack.cluster.signCalls.filter(({ operationId }) => operationId === signingId);
  expect(asked.map(({ walletId }) => walletId)).toEqual(asked.map(() => row.walletId));
}

describe('sign, started at the port', () => {
  test('for an operation that nobody asked for: nothing is signed', async () => {
    const made = stack.cluster.signaturesMade;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const id = crypto.randomUUID();
      await attacker.run('sign', oldTask(id), id);
      expect(await attacker.schedule('fulfilSigningRequest', oldTask(id))).toEqual({ failed: 'not_found' });
    }
    expect(stack.cluster.signaturesMade).toBe(made);
  });

  test('for an operation of his own, with another wallet, path and payload: what its row says is signed', async () => {
    const task = await newRow();
    await attacker.run('sign', oldTask(task.signingId), workflowIdOf('sign', task.signingId));
    await assertSignedAsTheRowSays(task.signingId);
    const direct = await newRow();
    await attacker.schedule('fulfilSigningRequest', oldTask(direct.signingId));
    await assertSignedAsTheRowSays(direct.signingId);
  });

  test('for an operation of a frozen wallet, said to be another one: nothing is signed', async () => {
    const made = stack.cluster.signaturesMade;
    const task = await newRow(victim, stack.workspaceId);
    const lie = { ...oldTask(task.signingId), ...own };
    expect(await attacker.schedule('fulfilSigningRequest', lie)).toEqual({ failed: 'frozen' });
    await attacker.run('sign', lie, workflowIdOf('sign', task.signingId));
    expect(await readSigningRequest(stack.db, task.signingId)).toMatchObject({ status: 'failed', signature: null });
    expect(stack.cluster.signaturesMade).toBe(made);
  });
});

test('keys of his own, published as those of a wallet: its addresses are of the key that the cluster has', async () => {
  const walletId = await makeWallet(stack.db, own.workspaceId);
  const foreign = {
    publicKey: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    chainCode: '00'.repeat(32),
  };
  const keys = [
    { curve: 'secp256k1', ...foreign },
    {
      curve: 'ed25519',
      publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      chainCode: '00'.repeat(32),
    },
  ];
  await attacker.schedule('activateWallet', walletId, keys);
  const stored = await readWallet(stack.db, walletId);
  const cluster = await stack.cluster.generateKey({ walletId, curve: 'secp256k1' });
  const key = stored.keys.find(({ curve }) => curve === 'secp256k1');
  expect(Buffer.from(key?.publicKey ?? []).toString('hex')).toBe(Buffer.from(cluster.publicKey).toString('hex'));
});

describe('a withdrawal whose transaction is out', () => {
  let id: string;
  const to = anyEvmAddress();
  let walletId: string;

  beforeAll(async () => {
    walletId = await stack.makeWallet();
    const address = (await stack.addressOf(walletId, networkCode)) as `0x${string}`;
    await anvil.client.setBalance({ address, value: parseEther('10') });
    await stack.credit(walletId, networkCode, parseEther('10'));
    // So that its signature has a workflow of its own.
    stack.cluster.meet('sign', 'mpc_error');
    id = await stack.withdraw({ walletId, networkCode, amount: parseEther('1'), to });
    while ((await stack.read(id)).subStatus !== 'confirming') await new Promise((resolve) => setTimeout(resolve, 50));
  });

  test.each([
    ['a renewal', { ordinal: 1, kind: 'renewal' }, { outcome: 'ended' }],
    ['a speed-up that nobody wants', { ordinal: 1, kind: 'speed_up', feeLevel: 'high' }, { failed: 'not_due' }],
    ['a drop that nobody wants', { ordinal: 1, kind: 'drop' }, { failed: 'not_due' }],
    ['a fill', { ordinal: 1, kind: 'fill' }, { failed: 'not_due' }],
    ['a second transfer', { ordinal: 1, kind: 'transfer' }, { failed: 'not_due' }],
    ['a transaction with a later ordinal', { ordinal: 7, kind: 'renewal' }, { failed: 'not_due' }],
    ['one with an ordinal below the first', { ordinal: -1, kind: 'transfer' }, { failed: 'not_due' }],
  ])('%s, scheduled at the port, is not made', async (_name, asked, answer) => {
    const made = stack.cluster.signaturesMade;
    expect(await attacker.schedule('prepareTransaction', { withdrawalId: id, ...asked })).toEqual(answer);
    expect(await stack.transactionsOf(id)).toHaveLength(1);
    expect(stack.cluster.signaturesMade).toBe(made);
  });

  test('the same workflow beside it, under another id: paid once', async () => {
    const input = { withdrawalId: id, workspaceId: own.workspaceId, walletId: own.walletId, networkCode };
    const beside = attacker.run('withdraw', input);
    await anvil.client.mine({ blocks: 3 });
    await beside;
    await stack.until(id, 'completed');
    expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
    await attacker.run('withdraw', input);
    await attacker.schedule('prepareTransaction', { withdrawalId: id, ordinal: 1, kind: 'renewal' });
    await anvil.client.mine({ blocks: 3 });
    expect(await anvil.client.getBalance({ address: to })).toBe(parseEther('1'));
    expect(await stack.transactionsOf(id)).toHaveLength(1);
  });

  test('nothing that is signed lies in a history', async () => {
    const [transaction] = await stack.transactionsOf(id);
    const signings = (transaction?.signingIds ?? []).map((signingId) => ['sign', signingId] as const);
    for (const [type, rowId] of [['withdraw', id] as const, ...signings]) {
      const text = Buffer.from(JSON.stringify(await historyOf(workflowIdOf(type, rowId)))).toString();
      expect(text).toContain(rowId);
      expect(text).not.toContain(transaction?.unsigned.slice(2));
      expect(text).not.toContain(to.slice(2).toLowerCase());
    }
  });
});

/** With the payloads as text. */
async function historyOf(workflowId: string): Promise<unknown> {
  const history = await stack.worker.client.workflow.getHandle(workflowId).fetchHistory();
  return JSON.parse(
    JSON.stringify(history, (_key, value: unknown) =>
      value instanceof Uint8Array || Buffer.isBuffer(value) ? Buffer.from(value).toString('utf8') : value,
    ),
  );
}
