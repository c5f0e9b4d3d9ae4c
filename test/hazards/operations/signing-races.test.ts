// Goal: of many requests at once one idempotency key makes one operation on every sign route; and a freeze, an archive
// or a cancellation in the midst of requests holds from the moment it is answered. Method: races against the API on a
// real database; Temporal is away, so that every start stays countable.
import { eq } from 'drizzle-orm';
import { serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginSigningAttempt } from '../../../drizzle/signing-requests/signing-attempts.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { workspaces } from '../../../drizzle/workspaces/workspaces.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { type Answer, startApi, type TestApi } from '../../support/api/api.ts';
import { mail, signCall, signPath } from '../../support/api/sign.ts';

const RACERS = 20;
const network_internal_code = 'ETHEREUM_SANDBOX';
const message = { network_internal_code, message: 'race' };
const digest = { network_internal_code, signing_hash: 'ab'.repeat(32) };
const unsigned_tx = serializeTransaction({ type: 'eip1559', chainId: 31337, nonce: 0 });

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
});
afterAll(() => api.stop());

const rowsOf = (walletId: string) =>
  api.db.select().from(signingRequests).where(eq(signingRequests.walletId, walletId));
async function startsOf(walletId: string): Promise<number> {
  const entries = await api.db.select().from(outbox);
  return entries.filter(({ input }) => (input as { walletId: string }).walletId === walletId).length;
}
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort((one, other) => one - other);
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('one idempotency key', () => {
  test.each([
    ['sign', 'sign', digest],
    ['sign with a method', 'sign', { method: 'personal_sign', message: 'race', chain_id: 31337 }],
    ['signRaw', 'signRaw', digest],
    ['signMessage', 'signMessage', message],
    ['signTyped', 'signTyped', { chain_id: 1, typed_data: mail }],
    ['signTransaction', 'signTransaction', { network_internal_code, unsigned_tx }],
  ] as const)('%s: one operation, one start, one answer', async (_name, route, body) => {
    const walletId = await api.makeActiveWallet();
    const call = signCall(api, route, walletId);
    const answers = await Promise.all(
      Array.from({ length: RACERS }, () => call(body, { 'x-idempotency-key': 'race' })),
    );
    expect(statusesOf(answers)).toEqual([...Array.from({ length: RACERS - 1 }, () => 200), 202]);
    expect(new Set(answers.map(({ body: { data } }) => data.transaction_id)).size).toBe(1);
    expect(answers.filter(({ body: { data } }) => data.created).length).toBe(1);
    expect((await rowsOf(walletId)).length).toBe(1);
    expect(await startsOf(walletId)).toBe(1);
  });

  test('signBatch: one batch, and every answer names its operations', async () => {
    const walletId = await api.makeActiveWallet();
    const call = signCall(api, 'signBatch', walletId);
    const items = [
      { type: 'message', ...message },
      { type: 'raw', ...digest, signing_hash: 'zz' },
      { type: 'raw', ...digest },
    ];
    const answers = await Promise.all(
      Array.from({ length: RACERS }, () => call({ items }, { 'x-idempotency-key': 'race' })),
    );
    expect(statusesOf(answers)).toEqual([...Array.from({ length: RACERS - 1 }, () => 200), 202]);
    const named = answers.map(({ body: { data } }) =>
      JSON.stringify(data.results.map((result: { transaction_id?: string }) => result.transaction_id ?? null)),
    );
    expect(new Set(named).size).toBe(1);
    expect((await rowsOf(walletId)).length).toBe(2);
    expect(await startsOf(walletId)).toBe(2);
  });
});

describe('in the midst of requests', () => {
  /** Lets requests flow, stops the wallet or workspace, and lets them flow on. */
  async function stopAmidst(walletId: string, stop: () => Promise<unknown>, key = api.admin) {
    const start = nowSeconds() - 200;
    let sent = 0;
    const send = () => {
      sent += 1;
      return api.call('POST', signPath('signMessage', walletId), message, { timestamp: start + sent, key });
    };
    const before = await Promise.all(Array.from({ length: 5 }, send));
    const during = Array.from({ length: 20 }, send);
    const stopping = stop();
    during.push(...Array.from({ length: 20 }, send));
    await stopping;
    const after = await Promise.all(Array.from({ length: 10 }, send));
    return { before, during: await Promise.all(during), after };
  }

  test.each([
    ['freeze', 423],
    ['archive', 409],
  ])(
    '%s: what is asked after its answer is refused, and only what was answered 202 is there',
    async (verb, refusal) => {
      const walletId = await api.makeActiveWallet();
      const { before, during, after } = await stopAmidst(walletId, async () => {
        expect((await api.call('POST', `/api/v1/wallets/${walletId}/${verb}`)).status).toBe(200);
      });
      expect(new Set(statusesOf(before))).toEqual(new Set([202]));
      expect(new Set(statusesOf(after))).toEqual(new Set([refusal]));
      for (const { status } of during) expect([202, refusal]).toContain(status);
      const accepted = [...before, ...during].filter(({ status }) => status === 202);
      const rows = await rowsOf(walletId);
      expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(accepted.map(({ body }) => body.data.transaction_id)));
      expect(rows.length).toBe(accepted.length);
      expect(await startsOf(walletId)).toBe(accepted.length);
      // What was accepted a moment before is not signed any more either.
      for (const { id } of rows)
        expect(await beginSigningAttempt(api.db, { id, mpcCorrelationId: `${id}.1`, before: null })).toBe(false);
    },
  );

  test('a freeze of the workspace: likewise, on all its wallets', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const walletId = await api.makeActiveWallet(workspaceId);
    const freeze = () =>
      api.db.update(workspaces).set({ withdrawalsFrozenAt: new Date() }).where(eq(workspaces.id, workspaceId));
    const { before, during, after } = await stopAmidst(walletId, freeze, key);
    expect(new Set(statusesOf(before))).toEqual(new Set([202]));
    expect(new Set(statusesOf(after))).toEqual(new Set([423]));
    expect(new Set(after.map(({ body }) => body.code))).toEqual(new Set(['withdrawals_frozen']));
    const accepted = [...before, ...during].filter(({ status }) => status === 202);
    const rows = await rowsOf(walletId);
    expect(rows.length).toBe(accepted.length);
    for (const { id } of rows)
      expect(await beginSigningAttempt(api.db, { id, mpcCorrelationId: `${id}.1`, before: null })).toBe(false);
  });

  test('cancel against the worker: each operation is either cancelled or begun, never both', async () => {
    const walletId = await api.makeActiveWallet();
    const call = signCall(api, 'signMessage', walletId);
    const made = await Promise.all(Array.from({ length: RACERS }, () => call(message)));
    const outcomes = await Promise.all(
      made.map(async ({ body: { data } }, index) => {
        const id = String(data.transaction_id);
        const cancel = () =>
          api.call('POST', `/api/v1/signing-requests/${id}/cancel`, undefined, { timestamp: nowSeconds() - index });
        const begin = () => beginSigningAttempt(api.db, { id, mpcCorrelationId: `${id}.1`, before: null });
        // One third before the cancellation, one third after it, and one third beside it.
        const early = index % 3 === 0 ? await begin() : undefined;
        const [{ status }, beside] = await Promise.all([cancel(), index % 3 === 2 ? begin() : undefined]);
        const begun = early ?? beside ?? (await begin());
        return { id, begun, status };
      }),
    );
    for (const { id, begun, status } of outcomes) {
      expect(status).toBe(begun ? 409 : 200);
      const [row] = await api.db.select().from(signingRequests).where(eq(signingRequests.id, id));
      expect(row?.status).toBe(begun ? 'submitted' : 'failed');
    }
    expect(new Set(outcomes.map(({ begun }) => begun))).toEqual(new Set([true, false]));
  });

  test('many cancellations of one operation: all are answered with the same record', async () => {
    const walletId = await api.makeActiveWallet();
    const { body } = await signCall(api, 'signMessage', walletId)(message);
    const path = `/api/v1/signing-requests/${body.data.transaction_id}/cancel`;
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, index) =>
        api.call('POST', path, undefined, { timestamp: nowSeconds() - index }),
      ),
    );
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size).toBe(1);
  });
});
