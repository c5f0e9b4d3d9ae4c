// Goal: "1 ETH a day" bounds what leaves a wallet by whatever route: signatures count like withdrawals, in both
// directions, with their fees, also when many ask at once; and they are given back only when it is certain that nothing
// of them can land. Method: the API over HTTP on a real database, Temporal away; what workers would write is written by
// the functions that they use.
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import {
  encodeFunctionData,
  erc20Abi,
  parseEther,
  parseGwei,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dollars } from '../../../domain/catalog/sandbox.ts';
import { sumMoved } from '../../../drizzle/policies/policy-facts.ts';
import { unknownMovements } from '../../../drizzle/policies/unknown-movements.ts';
import { beginSigningAttempt, endSigningAttempt } from '../../../drizzle/signing-requests/signing-attempts.ts';
import { signingMovements } from '../../../drizzle/signing-requests/signing-movements.ts';
import { advanceSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { chainTransactions } from '../../../drizzle/withdrawals/chain-transactions.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { type Answer, startApi, type TestApi } from '../../support/api/api.ts';
import { signPath } from '../../support/api/sign.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { connectNetwork, feesOf, noQuote, sandbox } from '../../support/rows/funded.ts';

const network_internal_code = 'ETHEREUM_SANDBOX';
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const asset_id = sandbox.ETH.assetId;
const DAY_SECONDS = 86_400;
const RACERS = 12;

let api: TestApi;
let stage: ApprovalStage;
let approver: KnownKey;
let walletId: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  await connectNetwork(api.db, sandbox.ETH.networkId, feesOf(parseEther('0.01')));
  approver = await stage.makeApprover();
});
beforeEach(async () => {
  walletId = await stage.makeFundedWallet();
  await stage.setPolicy({
    rules: [
      {
        name: 'one a day',
        when: { velocity: { asset_id, per: 'wallet', window_seconds: DAY_SECONDS, more_than: '1' } },
        then: { action: 'deny' },
      },
    ],
    default: { action: 'allow' },
  });
});
afterAll(() => api.stop());

let nonce = 0;
const transactionOf = (ether: string, fields: object = {}) => {
  nonce += 1;
  const transaction: TransactionSerializable = {
    chainId: 31337,
    nonce,
    gas: 21_000n,
    to: TO,
    value: parseEther(ether),
    type: 'eip1559' as const,
    maxFeePerGas: parseGwei('1'),
    maxPriorityFeePerGas: 1n,
    ...fields,
  };
  return serializeTransaction(transaction);
};
const sign = (ether: string, fields: object = {}, wallet = walletId) =>
  stage.call('POST', signPath('signTransaction', wallet), {
    network_internal_code,
    unsigned_tx: transactionOf(ether, fields),
  });
const withdraw = (amount: string, more: object = {}) =>
  stage.call('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, {
    asset_id,
    amount,
    recipient_address: TO,
    max_fee: '0.01',
    ...more,
  });
const denied = { status: 403, body: { code: 'policy_denied', data: null } };
const accepted = { status: 202 };
const idOf = ({ body }: Answer): string => body.data.transaction_id;
const counted = () =>
  api.db.transaction((tx) => sumMoved(tx, { workspaceId: api.workspaceId, walletId, seconds: DAY_SECONDS }, asset_id));

describe('1 ETH a day', () => {
  test('0.9 ETH is signed once, and not again and again', async () => {
    expect(await sign('0.9')).toMatchObject(accepted);
    for (let times = 0; times < 5; times++) expect(await sign('0.9')).toMatchObject(denied);
    expect(await sign('0.09')).toMatchObject(accepted);
  });

  test('a withdrawal counts signatures, and a signature withdrawals', async () => {
    expect(await sign('0.6')).toMatchObject(accepted);
    expect(await withdraw('0.5')).toMatchObject(denied);
    expect(await withdraw('0.3')).toMatchObject(accepted);
    expect(await sign('0.1')).toMatchObject(denied);
  });

  test('fees count: of signatures, of withdrawals, and of what moves only a token', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [TO, 1n] });
    const token = { to: dollars.ETHEREUM_SANDBOX, value: 0n, data, gas: 90_000n, maxFeePerGas: parseGwei('1000') };
    expect(await sign('0', token)).toMatchObject(accepted);
    expect(await withdraw('0.5', { max_fee: '0.1' })).toMatchObject(accepted);
    expect(await counted()).toBe(parseEther('0.69'));
    expect(await sign('0.32')).toMatchObject(denied);
    expect(await sign('0.3')).toMatchObject(accepted);
  });

  test('a speed-up that is dearer than what was judged counts as it was built, and what was paid as it was paid', async () => {
    const { body } = await withdraw('0.5', { max_fee: '0.02' });
    expect(await counted()).toBe(parseEther('0.52'));
    const { id: withdrawalId } = body.data.withdrawal;
    const built = { withdrawalId, networkId: sandbox.ETH.networkId, fromAddress: '', unsigned: '', fee: noQuote };
    for (const [ordinal, fee] of ['0.03', '0.05', '0.04'].entries())
      await api.db.insert(chainTransactions).values({
        id: uuidv7(),
        ordinal,
        kind: 'speed_up',
        maxFeeBaseUnits: parseEther(fee),
        payloads: [],
        signingIds: [],
        ...built,
      });
    expect(await counted()).toBe(parseEther('0.55'));
    const paid = { status: 'failed', feePaidBaseUnits: parseEther('0.01') } as const;
    await api.db.update(withdrawals).set(paid).where(eq(withdrawals.id, withdrawalId));
    expect(await counted()).toBe(parseEther('0.01'));
  });

  test('the items of a batch count one after the other', async () => {
    const items = ['0.5', '0.6', '0.4'].map((ether) => ({
      type: 'transaction',
      network_internal_code,
      unsigned_tx: transactionOf(ether),
    }));
    const { body } = await stage.call('POST', signPath('signBatch', walletId), { items });
    expect(body.data.results.map((result: { error?: { code: string } }) => result.error?.code)).toEqual([
      undefined,
      'policy_denied',
      undefined,
    ]);
    expect(await sign('0.1')).toMatchObject(denied);
  });

  test(`${RACERS} signatures and ${RACERS} withdrawals at once: no more pass than the sum allows`, async () => {
    const answers = await Promise.all(
      Array.from({ length: 2 * RACERS }, (_, index) => (index % 2 === 0 ? sign('0.29') : withdraw('0.29'))),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(2 * RACERS - 3);
    expect(await counted()).toBeLessThanOrEqual(parseEther('1'));
  });

  test('what it cannot read is not within the sum', async () => {
    const document = {
      rules: [
        {
          name: 'small',
          when: {
            payload_kinds: ['raw_digest'],
            velocity: { asset_id, per: 'wallet', window_seconds: DAY_SECONDS, at_most: '1' },
          },
          then: { action: 'allow' },
        },
      ],
      default: { action: 'deny' },
    } as const;
    await stage.setPolicy(document as never);
    const body = { network_internal_code, signing_hash: `0x${'ab'.repeat(32)}` };
    expect(await stage.call('POST', signPath('signRaw', walletId), body)).toMatchObject(denied);
  });
});

describe('what was accepted with an unknown amount', () => {
  const digest = (wallet = walletId) =>
    stage.call('POST', signPath('signRaw', wallet), { network_internal_code, signing_hash: `0x${'ab'.repeat(32)}` });
  const sum = (limit: object, per = 'wallet') => ({
    velocity: { asset_id, per, window_seconds: DAY_SECONDS, ...limit },
  });
  const raw = { name: 'raw', when: { payload_kinds: ['raw_digest'] }, then: { action: 'allow' } };
  const unknownCall = { name: 'calls', when: { calls: ['unknown'] }, then: { action: 'allow' } };
  const setRules = (...rules: object[]) => stage.setPolicy({ rules, default: { action: 'deny' } } as never);
  const transfers = { operations: ['signing'], calls: ['transfer'] };
  const small = { name: 'small', when: { ...transfers, ...sum({ at_most: '1' }) }, then: { action: 'allow' } };
  const large = { name: 'large', when: { ...transfers, ...sum({ more_than: '1' }) }, then: { action: 'deny' } };
  const rest = { name: 'rest', when: transfers, then: { action: 'allow' } };

  test('a digest: the sum is within no limit, and above every one', async () => {
    await setRules(raw, small);
    expect(await sign('0.1')).toMatchObject(accepted);
    expect(await digest()).toMatchObject(accepted);
    expect(await sign('0.1')).toMatchObject(denied);
    await setRules(raw, large, rest);
    const { status, body } = await sign('0.1');
    expect([status, body.code]).toEqual([403, 'policy_denied']);
    expect(body.message).toMatch(/whose amount nobody knows was accepted in that time/);
  });

  test('also when people had to approve it, and while they have not yet', async () => {
    await setRules({ ...raw, then: { action: 'require_approvals', approvals: 1 } }, large, rest);
    expect(await digest()).toMatchObject(accepted);
    expect(await sign('0.1')).toMatchObject(denied);
  });

  test('a call that is not understood, signed or sent as a withdrawal', async () => {
    const call = { data: '0xd0e30db0', gas: 60_000n };
    await setRules(unknownCall, large, rest);
    expect(await sign('0.1', call)).toMatchObject(accepted);
    expect(await sign('0.1')).toMatchObject(denied);
    walletId = await stage.makeFundedWallet();
    expect(await sign('0.1')).toMatchObject(accepted);
    const transaction = { to: TO, chainId: 31337, value: '1', data: call.data, gasLimit: '60000' };
    expect(await stage.call('POST', signPath('signRaw', walletId), { transaction })).toMatchObject(accepted);
    expect(await sign('0.1')).toMatchObject(denied);
  });

  test('an earlier item of a batch', async () => {
    await setRules(unknownCall, large, rest);
    const items = ['0xd0e30db0', undefined].map((data) => ({
      type: 'transaction',
      network_internal_code,
      unsigned_tx: transactionOf('0.1', data === undefined ? {} : { data, gas: 60_000n }),
    }));
    const { body } = await stage.call('POST', signPath('signBatch', walletId), { items });
    expect(body.data.results.map((result: { error?: { code: string } }) => result.error?.code)).toEqual([
      undefined,
      'policy_denied',
    ]);
  });

  test('concerns its own wallet, unless the sum is of the workspace', async () => {
    const other = await stage.makeFundedWallet();
    await setRules(unknownCall, large, rest);
    expect(await sign('0.1', { data: '0xd0e30db0', gas: 60_000n })).toMatchObject(accepted);
    expect(await sign('0.1', {}, other)).toMatchObject(accepted);
    await setRules({ ...large, when: { ...transfers, ...sum({ more_than: '1000' }, 'workspace') } }, rest);
    expect(await sign('0.1', {}, other)).toMatchObject(denied);
    await api.db.update(unknownMovements).set({ createdAt: new Date(Date.now() - (DAY_SECONDS + 1) * 1000) });
    expect(await sign('0.1', {}, other)).toMatchObject(accepted);
  });

  test('that was cancelled before anything of it was signed counts no longer', async () => {
    await setRules(unknownCall, large, rest);
    const id = idOf(await sign('0.1', { data: '0xd0e30db0', gas: 60_000n }));
    expect(await sign('0.1')).toMatchObject(denied);
    expect((await stage.cancel('signing', id)).status).toBe(200);
    expect(await sign('0.1')).toMatchObject(accepted);
  });
});

describe('a signature that failed', () => {
  const attempt = (id: string) => `${id}.1`;
  const fail = (id: string) =>
    advanceSigningRequest(api.db, id, {
      from: 'submitted',
      to: 'failed',
      fields: { statusReason: 'mpc_error', errorCode: 'mpc_error' },
    });
  const begun = async () => {
    const id = idOf(await sign('0.9'));
    expect(await beginSigningAttempt(api.db, { id, mpcCorrelationId: attempt(id), before: null })).toBe(true);
    return id;
  };

  test('cancelled before anything began: given back', async () => {
    const id = idOf(await sign('0.9'));
    expect(await sign('0.9')).toMatchObject(denied);
    expect((await stage.cancel('signing', id)).status).toBe(200);
    expect(await sign('0.9')).toMatchObject(accepted);
  });

  test('rejected by an approver: given back; while it waits it counts', async () => {
    await stage.setPolicy({
      rules: [
        {
          name: 'one a day',
          when: { velocity: { asset_id, per: 'wallet', window_seconds: DAY_SECONDS, more_than: '1' } },
          then: { action: 'deny' },
        },
      ],
      default: { action: 'require_approvals', approvals: 1 },
    });
    const id = idOf(await sign('0.9'));
    expect(await sign('0.9')).toMatchObject(denied);
    const { digest } = (await stage.read('signing', id)).approval;
    expect((await stage.decide('signing', id, { verb: 'reject', key: approver, body: { digest } })).status).toBe(200);
    expect(await sign('0.9')).toMatchObject(accepted);
  });

  test('begun, and no node can have it: given back when it has failed', async () => {
    const id = await begun();
    await endSigningAttempt(api.db, id, { mpcCorrelationId: attempt(id), mayBeSigned: false });
    expect(await sign('0.9')).toMatchObject(denied);
    await fail(id);
    expect(await sign('0.9')).toMatchObject(accepted);
  });

  test('a node may have it: it counts on', async () => {
    const id = await begun();
    await endSigningAttempt(api.db, id, { mpcCorrelationId: attempt(id), mayBeSigned: true });
    await fail(id);
    expect(await sign('0.9')).toMatchObject(denied);
  });

  test('nobody said how its attempt ended: it counts on', async () => {
    const id = await begun();
    await fail(id);
    expect(await sign('0.9')).toMatchObject(denied);
  });
});

test('what was signed leaves the window like a withdrawal, and messages count nothing', async () => {
  expect(await sign('0.9')).toMatchObject(accepted);
  await api.db.update(signingMovements).set({ createdAt: new Date(Date.now() - (DAY_SECONDS + 1) * 1000) });
  expect(await sign('0.9')).toMatchObject(accepted);
  const before = await counted();
  const body = { network_internal_code, message: 'Hello' };
  expect(await stage.call('POST', signPath('signMessage', walletId), body)).toMatchObject(accepted);
  expect(await counted()).toBe(before);
});
