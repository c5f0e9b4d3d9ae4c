// Goal: who may move little without approval moves no more as a fee. Method: the API over HTTP on a real database,
// Temporal away; a policy that asks for approval beyond an amount, and the attempts of a key without one: huge prices,
// huge gas, on every route that signs or sends.
import { eq } from 'drizzle-orm';
import { encodeFunctionData, erc20Abi, formatEther, parseEther, parseGwei, serializeTransaction, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dollars } from '../../../domain/catalog/sandbox.ts';
import type { Conditions, PolicyDocument } from '../../../domain/policies/policy-document.ts';
import { assets } from '../../../drizzle/networks/assets.ts';
import { networkStates } from '../../../drizzle/networks/network-states.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { type Answer, startApi, type TestApi } from '../../support/api/api.ts';
import { signPath } from '../../support/api/sign.ts';
import { ApprovalStage } from '../../support/rows/approvals.ts';
import { connectNetwork, feesOf, sandbox } from '../../support/rows/funded.ts';

const network_internal_code = 'ETHEREUM_SANDBOX';
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const asset_id = sandbox.ETH.assetId;
/** Of a plain transfer at low, medium and high. */
const quote = feesOf(parseEther('0.01'), { gasLimit: '21000', maxFeePerGas: '10000000000' });

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
beforeAll(async () => {
  // Caps so high that only the policy is left to stop anything.
  api = await startApi({ temporalAddress: '127.0.0.1:1', feeCaps: { [network_internal_code]: { fee: '50' } } });
  stage = new ApprovalStage(api);
  await connectNetwork(api.db, sandbox.ETH.networkId, quote);
});
beforeEach(async () => {
  walletId = await stage.makeFundedWallet();
});
afterAll(() => api.stop());

const beyond = (when: Conditions): PolicyDocument => ({
  rules: [{ name: 'beyond', when, then: { action: 'require_approvals', approvals: 1 } }],
  default: { action: 'allow' },
});
const aboveOne = { amount: { asset_id, more_than: '1' } };

const transactionOf = (fields: object) => ({
  chainId: 31337,
  nonce: 3,
  gas: 21_000n,
  to: TO,
  value: 1n,
  type: 'eip1559',
  maxFeePerGas: parseGwei('2'),
  maxPriorityFeePerGas: 1n,
  ...fields,
});
const signTransaction = (fields: object) =>
  stage.call('POST', signPath('signTransaction', walletId), {
    network_internal_code,
    unsigned_tx: serializeTransaction(transactionOf(fields) as Parameters<typeof serializeTransaction>[0]),
  });
const send = (fields: object, more: object = {}) =>
  stage.call('POST', signPath('signRaw', walletId), {
    transaction: { to: TO, chainId: 31337, value: '1', ...fields },
    ...more,
  });
const withdraw = (fields: object) =>
  stage.call('POST', `/api/v1/wallets/${walletId}/request-withdrawal`, {
    asset_id,
    amount: '0.1',
    recipient_address: TO,
    ...fields,
  });

const stateOf = ({ status, body }: Answer): string => {
  if (status !== 202) return `${status} ${body.code}`;
  return body.data.withdrawal?.status ?? body.data.signing_request.status_reason ?? 'allowed';
};
const dear = { maxFeePerGas: parseGwei('900'), gas: 2_400_000n };

describe('a fee of 2.1 ETH on 1 wei, where more than 1 ETH needs approval', () => {
  beforeEach(() => stage.setPolicy(beyond(aboveOne)));

  test('a transaction to be signed waits for approval, and one with a usual fee does not', async () => {
    expect(stateOf(await signTransaction(dear))).toBe('awaiting_approval');
    expect(stateOf(await signTransaction({}))).toBe('allowed');
    const legacy = { type: 'legacy', gasPrice: dear.maxFeePerGas, gas: dear.gas };
    expect(
      stateOf(await signTransaction({ ...legacy, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined })),
    ).toBe('awaiting_approval');
  });

  test('also when what moves is a token', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [TO, 1n] });
    const token = { to: dollars.ETHEREUM_SANDBOX, value: 0n, data };
    expect(stateOf(await signTransaction({ ...token, ...dear }))).toBe('awaiting_approval');
    expect(stateOf(await signTransaction({ ...token, gas: 60_000n }))).toBe('allowed');
  });

  test('also in a batch, where each is judged by itself', async () => {
    const item = (fields: object) => ({
      type: 'transaction',
      network_internal_code,
      unsigned_tx: serializeTransaction(transactionOf(fields) as Parameters<typeof serializeTransaction>[0]),
    });
    const answer = await stage.call('POST', signPath('signBatch', walletId), { items: [item(dear), item({})] });
    const reasons = answer.body.data.results.map(
      ({ signing_request }: { signing_request: { status_reason?: string } }) => signing_request.status_reason,
    );
    expect(reasons).toEqual(['awaiting_approval', undefined]);
  });

  test.each([
    ['a price and gas', { gasLimit: toHex(dear.gas), maxFeePerGas: toHex(dear.maxFeePerGas) }],
    ['a tip and gas', { gasLimit: toHex(dear.gas), maxPriorityFeePerGas: toHex(dear.maxFeePerGas) }],
    ['gas without a price', { gasLimit: '900000000' }],
    ['nothing: how much gas it takes, only a trial tells', {}],
  ])('a call that gives %s waits', async (_, fields) => {
    expect(stateOf(await send(fields))).toBe('pending_approval');
  });

  test('a call within the limit by its own fields, or by its max_fee, goes through', async () => {
    expect(stateOf(await send({ gasLimit: '30000', maxFeePerGas: '2000000000' }))).toBe('approved');
    expect(stateOf(await send({}, { max_fee: '0.5' }))).toBe('approved');
  });
});

describe('a withdrawal', () => {
  test.each([
    ['its amount and what it may pay: three times the last quote', { amount: '0.94' }, 'approved'],
    ['the same, a bit more', { amount: '0.941' }, 'pending_approval'],
    ['a dearer level', { amount: '0.94', fee_level: 'high' }, 'pending_approval'],
    ['its own max_fee', { amount: '0.98', max_fee: '0.03' }, 'pending_approval'],
    ['a lower one', { amount: '0.98', max_fee: '0.02' }, 'approved'],
  ])('is judged by %s', async (_, fields, status) => {
    await stage.setPolicy(beyond(aboveOne));
    expect(stateOf(await withdraw(fields))).toBe(status);
  });

  test.each([
    ['three times the quote of its level', {}, '0.06'],
    ['of a dearer level', { fee_level: 'high' }, '0.12'],
    ['its own max_fee', { max_fee: '0.02' }, '0.02'],
    ["never more than the operator's cap", { max_fee: '60' }, '50'],
  ])('may pay what was judged, and no more: %s', async (_, fields, bound) => {
    await stage.setPolicy(beyond({ fee: { asset_id, more_than: bound } }));
    const { body } = await withdraw(fields);
    const { id, status } = body.data.withdrawal;
    expect(status).toBe('approved');
    const [row] = await api.db.select().from(withdrawals).where(eq(withdrawals.id, id));
    expect(row?.feeBoundBaseUnits).toBe(parseEther(bound));
    const less = formatEther(parseEther(bound) - 1n);
    await stage.setPolicy(beyond({ fee: { asset_id, more_than: less } }));
    expect(stateOf(await withdraw(fields))).toBe('pending_approval');
  });

  test('of which no quote is known is judged by the cap, which it may pay', async () => {
    await stage.setPolicy(beyond({ fee: { asset_id, more_than: '49' } }));
    const { networkId } = sandbox.ETH;
    await api.db.update(networkStates).set({ fees: null }).where(eq(networkStates.networkId, networkId));
    const answer = await withdraw({});
    await api.db.update(networkStates).set({ fees: quote }).where(eq(networkStates.networkId, networkId));
    expect(stateOf(answer)).toBe('pending_approval');
  });
});

describe('the condition `fee`', () => {
  const isDear = { fee: { asset_id, more_than: '0.5' } };

  test('holds for transactions, calls and withdrawals alike', async () => {
    await stage.setPolicy(beyond(isDear));
    expect([
      stateOf(await signTransaction(dear)),
      stateOf(await signTransaction({})),
      stateOf(await send({ gasLimit: toHex(dear.gas), maxFeePerGas: toHex(dear.maxFeePerGas) })),
      stateOf(await withdraw({ max_fee: '0.51' })),
      stateOf(await withdraw({ max_fee: '0.5' })),
    ]).toEqual(['awaiting_approval', 'allowed', 'pending_approval', 'pending_approval', 'approved']);
  });

  test('a digest, whose fee nobody knows, is never one with a small fee', async () => {
    const small: PolicyDocument = {
      rules: [
        {
          name: 'small',
          when: { payload_kinds: ['raw_digest'], fee: { asset_id, at_most: '9' } },
          then: { action: 'allow' },
        },
      ],
      default: { action: 'deny' },
    };
    await stage.setPolicy(small);
    const body = { network_internal_code, signing_hash: `0x${'ab'.repeat(32)}` };
    expect(stateOf(await stage.call('POST', signPath('signRaw', walletId), body))).toBe('403 policy_denied');
  });

  test('400: in an asset that pays no fees', async () => {
    const tokens = await api.db.select().from(assets);
    const token = tokens.find(({ contractAddress }) => contractAddress === dollars.ETHEREUM_SANDBOX);
    const document = beyond({ fee: { asset_id: token?.id ?? '', more_than: '1' } });
    const answer = await stage.call('PUT', `/api/v1/workspaces/${api.workspaceId}/policy`, document);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(answer.body.message).toMatch(/fees are paid in the native currency/);
  });
});

describe("above the operator's cap, whatever the policy says", () => {
  const tooDear = { maxFeePerGas: parseGwei('1000'), gas: 50_000_001n };
  beforeEach(() => stage.setPolicy({ rules: [], default: { action: 'allow' } }));

  test('400: a transaction, a digest that comes with its transaction, an item of a batch, a call', async () => {
    const unsigned_tx = serializeTransaction(transactionOf(tooDear) as Parameters<typeof serializeTransaction>[0]);
    const item = { type: 'transaction', network_internal_code, unsigned_tx };
    const batch = await stage.call('POST', signPath('signBatch', walletId), { items: [item] });
    expect(batch.body.data.results).toMatchObject([{ error: { code: 'invalid_request' } }]);
    for (const answer of [
      await signTransaction(tooDear),
      await send({ gasLimit: toHex(tooDear.gas), maxFeePerGas: toHex(tooDear.maxFeePerGas) }),
      await send({ maxFeePerGas: toHex(parseGwei('1001')) }),
      await send({ maxPriorityFeePerGas: toHex(parseGwei('1001')) }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
      expect(answer.body.message).toMatch(
        /may pay too much: a (fee|price) .* is above the cap of (50|1000) on ETHEREUM_SANDBOX/,
      );
    }
  });
});
