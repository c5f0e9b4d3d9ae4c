// Goal: the policy decides about every withdrawal and signature, by facts that no race can bend: of requests at once no
// more pass than a limit allows. Method: requests over HTTP on a real database, one at a time and twenty at once;
// Temporal is away.
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PolicyDocument, PolicyRule } from '../../../domain/policies/policy-document.ts';
import { lockTotals } from '../../../drizzle/policies/policy-facts.ts';
import { unknownMovements } from '../../../drizzle/policies/unknown-movements.ts';
import { signingMovements } from '../../../drizzle/signing-requests/signing-movements.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { type Answer, startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { mail, signPath } from '../../support/api/sign.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { sandbox } from '../../support/rows/funded.ts';
import { outboxEntriesOf } from '../../support/rows/outbox-entries.ts';

const RACERS = 20;
const COW = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const BOB = '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB';
const { assetId: asset_id, networkId: network_id } = sandbox.ETH;
const network_internal_code = 'ETHEREUM_SANDBOX';
/** Every start is tried once more before the starter lets go, and Temporal is away. */
const STOP_TIMEOUT_MS = 180_000;

let api: TestApi;
let stage: ApprovalStage;
let approver: KnownKey;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  await stage.connect();
  approver = await stage.makeApprover();
});
afterAll(() => api.stop(), STOP_TIMEOUT_MS);

/** What was asked for before is out of every window. */
async function forgetAll(): Promise<void> {
  await api.db.update(withdrawals).set({ createdAt: new Date(0) });
  await api.db.update(signingMovements).set({ createdAt: new Date(0) });
  await api.db.update(unknownMovements).set({ createdAt: new Date(0) });
}

const policy = (...rules: PolicyRule[]): PolicyDocument => ({ rules, default: { action: 'allow' } });
const denyWhen = (when: PolicyRule['when']): PolicyRule => ({ name: 'denied', when, then: { action: 'deny' } });
const withdraw = (walletId: string, amount = '1', recipient_address = COW, key?: TestKey) =>
  stage.call(
    'POST',
    `/api/v1/wallets/${walletId}/request-withdrawal`,
    { asset_id, amount, recipient_address },
    { key },
  );
const sign = (walletId: string, message = 'Hello') =>
  stage.call('POST', signPath('signMessage', walletId), { network_internal_code, message });
const statusesOf = (answers: Answer[]) => {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries(counts);
};
const times = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const denied = { status: 403, body: { code: 'policy_denied', data: null } };

describe('a denial', () => {
  test('says which rule and why, and stores nothing', async () => {
    await stage.setPolicy(policy(denyWhen({ amount: { asset_id, more_than: '5' } })));
    const walletId = await stage.makeFundedWallet();
    const answer = await withdraw(walletId, '5.1');
    expect(answer).toMatchObject(denied);
    expect(answer.body.message).toBe(
      'The policy denies it: The rule "denied" denies it: the amount is 5.1, more than 5.',
    );
    expect(await api.db.select().from(withdrawals).where(eq(withdrawals.walletId, walletId))).toEqual([]);
    expect((await withdraw(walletId, '5')).status).toBe(202);
  });

  test('leaves the idempotency key free', async () => {
    await stage.setPolicy(policy(denyWhen({ operations: ['signing'] })));
    const walletId = await api.makeActiveWallet();
    const headers = { 'x-idempotency-key': 'denied' };
    const body = { network_internal_code, message: 'Hello' };
    const ask = () => stage.call('POST', signPath('signMessage', walletId), body, { headers });
    expect(await ask()).toMatchObject(denied);
    expect(await api.db.select().from(signingRequests).where(eq(signingRequests.walletId, walletId))).toEqual([]);
    await stage.setPolicy(policy());
    expect((await ask()).status).toBe(202);
  });
});

describe('what rules look at', () => {
  test('who asks, from which wallet, to whom', async () => {
    const [walletId, other] = [await stage.makeFundedWallet(), await stage.makeFundedWallet()];
    const clerk = await stage.makeApprover({ scopes: ['withdrawals:write'] });
    const deny = async (when: PolicyRule['when'], refused: () => Promise<Answer>, taken: () => Promise<Answer>) => {
      await stage.setPolicy(policy(denyWhen(when)));
      expect(await refused()).toMatchObject(denied);
      expect((await taken()).status).toBe(202);
    };
    await deny(
      { initiators: [clerk.id] },
      () => withdraw(walletId, '1', COW, clerk),
      () => withdraw(walletId),
    );
    await deny(
      { wallet_ids: [walletId] },
      () => withdraw(walletId),
      () => withdraw(other),
    );
    await deny(
      { destination: { addresses: [COW.toLowerCase()] } },
      () => withdraw(walletId),
      () => withdraw(walletId, '1', BOB),
    );
    const entry = { network_id, address: BOB, label: 'Bob' };
    await stage.call('POST', `/api/v1/workspaces/${api.workspaceId}/address-book`, entry);
    await deny(
      { destination: { in_address_book: false } },
      () => withdraw(walletId),
      () => withdraw(walletId, '1', BOB.toLowerCase()),
    );
  });

  test('typed data by domain and contract, and raw digests', async () => {
    const walletId = await api.makeActiveWallet();
    const typed = () => stage.call('POST', signPath('signTyped', walletId), { chain_id: 1, typed_data: mail });
    const raw = () =>
      stage.call('POST', signPath('signRaw', walletId), { network_internal_code, signing_hash: 'ab'.repeat(32) });
    await stage.setPolicy(policy(denyWhen({ typed_data: { domain_names: ['Ether Mail'] } })));
    expect(await typed()).toMatchObject(denied);
    const { verifyingContract } = mail.domain;
    await stage.setPolicy(
      policy(denyWhen({ typed_data: { verifying_contracts: [verifyingContract], primary_types: ['Mail'] } })),
    );
    expect(await typed()).toMatchObject(denied);
    // Neither is allowed by a policy that does not name it; a digest may be that of what a rule denies.
    const rawAllowed: PolicyRule = { name: 'raw', when: { payload_kinds: ['raw_digest'] }, then: { action: 'allow' } };
    const mailAllowed: PolicyRule = {
      name: 'mail',
      when: { typed_data: { primary_types: ['Mail'] } },
      then: { action: 'allow' },
    };
    await stage.setPolicy(policy(denyWhen({ typed_data: { primary_types: ['Mail'] } }), rawAllowed));
    expect(await raw()).toMatchObject(denied);
    await stage.setPolicy(policy(rawAllowed));
    expect((await raw()).status).toBe(202);
    expect(await typed()).toMatchObject(denied);
    await stage.setPolicy(policy(denyWhen({ payload_kinds: ['raw_digest'] }), mailAllowed));
    expect(await raw()).toMatchObject(denied);
    expect((await typed()).status).toBe(202);
  });

  test('what a transaction that is only to be signed would move', async () => {
    const walletId = await api.makeActiveWallet();
    const send = (value: bigint) => {
      const unsigned_tx = serializeTransaction({ type: 'eip1559', chainId: 31337, to: COW, value });
      return stage.call('POST', signPath('signTransaction', walletId), { network_internal_code, unsigned_tx });
    };
    await stage.setPolicy(policy(denyWhen({ amount: { asset_id, more_than: '1' } })));
    expect((await send(10n ** 18n)).status).toBe(202);
    expect(await send(10n ** 18n + 1n)).toMatchObject(denied);
    await stage.setPolicy(policy(denyWhen({ destination: { addresses: [COW] } })));
    expect(await send(1n)).toMatchObject(denied);
  });
});

describe('limits over time', () => {
  const velocity = { asset_id, per: 'wallet', window_seconds: 3_600 } as const;
  const anyOf = [denyWhen({ velocity: { ...velocity, more_than: '5' } })];

  test('the sum of what was asked for, this one included; what moved nothing does not count', async () => {
    await stage.setPolicy(policy(...anyOf));
    const [walletId, other] = [await stage.makeFundedWallet(), await stage.makeFundedWallet()];
    const first = await withdraw(walletId, '3');
    expect(first.status).toBe(202);
    expect((await withdraw(walletId, '2')).status).toBe(202);
    expect(await withdraw(walletId, '0.000000000000000001')).toMatchObject(denied);
    expect((await withdraw(other, '5')).status).toBe(202);
    expect((await stage.call('POST', `/api/v1/withdrawals/${first.body.data.withdrawal.id}/cancel`)).status).toBe(200);
    expect((await withdraw(walletId, '3')).status).toBe(202);
    expect(await withdraw(walletId, '0.1')).toMatchObject(denied);
  });

  test('what left the window does not count', async () => {
    await stage.setPolicy(policy(...anyOf));
    const walletId = await stage.makeFundedWallet();
    await withdraw(walletId, '5');
    expect(await withdraw(walletId)).toMatchObject(denied);
    const past = new Date(Date.now() - 3_601_000);
    await api.db.update(withdrawals).set({ createdAt: past }).where(eq(withdrawals.walletId, walletId));
    expect((await withdraw(walletId, '5')).status).toBe(202);
  });

  test('per workspace: of all its wallets', async () => {
    const walletId = await stage.makeFundedWallet();
    const other = await stage.makeFundedWallet();
    await forgetAll();
    await stage.setPolicy(policy(denyWhen({ velocity: { ...velocity, per: 'workspace', more_than: '5' } })));
    expect((await withdraw(walletId, '3')).status).toBe(202);
    expect(await withdraw(other, '3')).toMatchObject(denied);
    expect((await withdraw(other, '2')).status).toBe(202);
  });

  test(`${RACERS} at once: no more pass than the sum allows`, async () => {
    await stage.setPolicy(policy(...anyOf));
    const walletId = await stage.makeFundedWallet();
    const answers = await times(RACERS, () => withdraw(walletId));
    expect(statusesOf(answers)).toEqual({ 202: 5, 403: RACERS - 5 });
    expect(await api.db.select().from(withdrawals).where(eq(withdrawals.walletId, walletId))).toHaveLength(5);
  });

  test(`${RACERS} at once from two wallets: no more pass than the sum of the workspace allows`, async () => {
    const walletIds = [await stage.makeFundedWallet(), await stage.makeFundedWallet()] as const;
    await forgetAll();
    await stage.setPolicy(policy(denyWhen({ velocity: { ...velocity, per: 'workspace', more_than: '7' } })));
    const answers = await times(RACERS, (index) => withdraw(walletIds[index % 2 === 0 ? 0 : 1]));
    expect(statusesOf(answers)).toEqual({ 202: 7, 403: RACERS - 7 });
  });

  test(`${RACERS} at once: no more pass than may be counted`, async () => {
    const counted = denyWhen({ count: { per: 'wallet', window_seconds: 3_600, more_than: 4 } });
    await stage.setPolicy(policy(counted));
    const walletId = await stage.makeFundedWallet();
    expect(statusesOf(await times(RACERS, () => withdraw(walletId)))).toEqual({ 202: 4, 403: RACERS - 4 });
    // Of its own kind each.
    expect(statusesOf(await times(RACERS, () => sign(walletId)))).toEqual({ 202: 4, 403: RACERS - 4 });
  });

  test('limits that ask for approval beyond them', async () => {
    const limited: PolicyRule = {
      name: 'beyond',
      when: { velocity: { ...velocity, more_than: '5' } },
      then: { action: 'require_approvals', approvals: 1 },
    };
    await stage.setPolicy(policy(limited));
    const walletId = await stage.makeFundedWallet();
    const answers = await times(RACERS, () => withdraw(walletId));
    const automatic = answers.filter(({ body }) => body.data.auto_approved);
    expect(statusesOf(answers)).toEqual({ 202: RACERS });
    expect(automatic).toHaveLength(5);
  });

  test('only who is under a limit waits for others who are', async () => {
    await stage.setPolicy(
      policy(denyWhen({ amount: { asset_id, more_than: '1' }, velocity: { ...velocity, more_than: '5' } })),
    );
    const walletId = await stage.makeFundedWallet();
    let limited: Promise<Answer> | undefined;
    await api.db.transaction(async (tx) => {
      // As another request would that is under way.
      await lockTotals(tx, [`velocity ${api.workspaceId} ${asset_id}`]);
      expect((await withdraw(walletId, '1')).status).toBe(202);
      limited = withdraw(walletId, '2');
      await expect(Promise.race([limited, sleep(500, 'it waits')])).resolves.toBe('it waits');
    });
    expect((await limited)?.status).toBe(202);
  });
});

describe('a batch of signatures', () => {
  const message = (text: string, more: object = {}) => ({
    type: 'message',
    network_internal_code,
    message: text,
    ...more,
  });
  const raw = { type: 'raw', network_internal_code, signing_hash: 'ab'.repeat(32) };
  const batch = (walletId: string, items: object[], headers = {}) =>
    stage.call('POST', signPath('signBatch', walletId), { items }, { headers });
  const typed = { type: 'typed', chain_id: 1, typed_data: mail };

  test('each item by itself: allowed, waiting for approval, denied', async () => {
    await stage.setPolicy(
      policy(denyWhen({ payload_kinds: ['raw_digest'] }), {
        name: 'typed',
        when: { payload_kinds: ['evm_typed_data'] },
        then: { action: 'require_approvals', approvals: 1 },
      }),
    );
    const walletId = await api.makeActiveWallet();
    const headers = { 'x-idempotency-key': 'mixed' };
    const answer = await batch(walletId, [message('one'), raw, typed, message('two')], headers);
    expect(answer).toMatchObject({
      status: 202,
      body: {
        data: {
          results: [
            { signing_request: { status: 'pending' } },
            { error: { code: 'policy_denied' } },
            { signing_request: { status_reason: 'awaiting_approval', approval: { required: 1 } } },
            { signing_request: { status: 'pending' } },
          ],
        },
      },
    });
    const { results } = answer.body.data;
    expect(results[0].signing_request.approval).toBeUndefined();
    const again = await batch(walletId, [message('one'), raw, typed, message('two')], headers);
    expect(again.status).toBe(200);
    const ids = (of: { transaction_id?: string }[]) => of.map(({ transaction_id }) => transaction_id);
    expect(ids(again.body.data.results)).toEqual(ids(results));
    const [entry] = await outboxEntriesOf(api.db, 'sign', results[2].transaction_id);
    expect(entry?.input).toMatchObject({ approvalUntil: results[2].signing_request.approval.expires_at });
    expect((await stage.decide('signing', results[2].transaction_id, { verb: 'approve', key: approver })).status).toBe(
      200,
    );
  });

  test('every item denied: 200, and nothing is stored', async () => {
    await stage.setPolicy(policy(denyWhen({ operations: ['signing'] })));
    const walletId = await api.makeActiveWallet();
    expect(await batch(walletId, [message('one'), raw])).toMatchObject({
      status: 200,
      body: { data: { results: [{ error: { code: 'policy_denied' } }, { error: { code: 'policy_denied' } }] } },
    });
    expect(await api.db.select().from(signingRequests).where(eq(signingRequests.walletId, walletId))).toEqual([]);
  });

  test('the items before count: no batch gets past a limit by being one', async () => {
    await stage.setPolicy(policy(denyWhen({ count: { per: 'wallet', window_seconds: 3_600, more_than: 3 } })));
    const walletId = await api.makeActiveWallet();
    await sign(walletId);
    const { results } = (
      await batch(
        walletId,
        ['1', '2', '3', '4'].map((text) => message(text)),
      )
    ).body.data;
    expect(results.map((result: { error?: object }) => result.error === undefined)).toEqual([true, true, false, false]);
  });

  test('batches at once under a limit, with names that they share: none waits for ever, and no more pass than may be', async () => {
    await stage.setPolicy(policy(denyWhen({ count: { per: 'wallet', window_seconds: 3_600, more_than: 10 } })));
    const walletId = await api.makeActiveWallet();
    const nameOf = (index: number, item: number) => ({ external_id: `${walletId}-${(7 * index + item) % 17}` });
    const answers = await times(8, (index) =>
      batch(
        walletId,
        [0, 1, 2].map((item) => message(`${index} ${item}`, nameOf(index, item))),
      ),
    );
    for (const { status } of answers) expect([200, 202, 409]).toContain(status);
    const stored = await api.db.select().from(signingRequests).where(eq(signingRequests.walletId, walletId));
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.length).toBeLessThanOrEqual(10);
  });
});

describe('without a policy of its own', () => {
  test('production asks for one approval, the sandbox for none', async () => {
    const production = await api.startAnother({ production: true });
    const fresh = await api.makeWorkspace();
    const walletId = await api.makeActiveWallet(fresh.workspaceId);
    const body = { network_internal_code, message: 'Hello' };
    const ask = (at: typeof api.app, timestamp: number) =>
      api.call('POST', signPath('signMessage', walletId), body, { key: fresh.key, at, timestamp });
    const now = Math.floor(Date.now() / 1000);
    expect((await ask(production.app, now)).body.data.signing_request).toMatchObject({
      status_reason: 'awaiting_approval',
      approval: { required: 1, reasons: ['The default asks for one approval: no rule applies.'] },
    });
    expect((await ask(api.app, now - 1)).body.data.signing_request.status_reason).toBeUndefined();
    await production.stop();
  });
});
