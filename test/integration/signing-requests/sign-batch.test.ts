// Goal: a batch gives each item the result that it would have had alone, stores all accepted ones together or none, and
// a repeat of it gets the original answer. Method: the API on a real database, case by status code; Temporal is away,
// so that outbox entries stay.
import { eq } from 'drizzle-orm';
import { hashMessage, keccak256, serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networks } from '../../../drizzle/networks/networks.ts';
import { signingBatches } from '../../../drizzle/signing-requests/signing-batches.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { advanceWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { MAIL_DIGEST, mail, type SignCall, signCall } from '../../support/api/sign.ts';
import { outboxEntriesOf } from '../../support/rows/outbox-entries.ts';

const network_internal_code = 'ETHEREUM_SANDBOX';
const HASH = `0x${'ab'.repeat(32)}`;
const unsigned_tx = serializeTransaction({ type: 'eip1559', chainId: 31337, nonce: 0, to: `0x${'11'.repeat(20)}` });

const raw = { type: 'raw', network_internal_code, signing_hash: HASH };
const message = { type: 'message', network_internal_code, message: 'hello', derivation_path: 'm/7' };
const typed = { type: 'typed', chain_id: 1, typed_data: mail };
const transaction = { type: 'transaction', network_internal_code, unsigned_tx };

let api: TestApi;
let walletId: string;
let sign: SignCall;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  walletId = await api.makeActiveWallet();
  sign = signCall(api, 'signBatch', walletId);
});
afterAll(() => api.stop());

const stored = async (at: TestApi = api) => ({
  rows: (await at.db.select().from(signingRequests)).length,
  entries: (await at.db.select().from(outbox)).length,
  batches: (await at.db.select().from(signingBatches)).length,
});

interface ItemResult {
  created?: boolean;
  transaction_id?: string;
  signing_request?: { id: string; signing_hash: string; payload_kind: string };
  error?: { code: string; message: string };
}
const resultsOf = (answer: { body: { data: { results: ItemResult[] } } }) => answer.body.data.results;

describe('202', () => {
  test.each([
    ['signRaw', raw],
    ['signMessage', message],
    ['signTyped', typed],
    ['signTransaction', transaction],
  ] as const)('an item is what %s takes by itself; another type is refused there', async (route, item) => {
    const wallet = await api.makeActiveWallet();
    const alone = signCall(api, route, wallet);
    const { status, body } = await alone(item);
    expect([status, body.data]).toEqual([202, expect.objectContaining({ created: true })]);
    const misnamed = await alone({ ...item, type: 'other' });
    expect(misnamed.body).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('body.type') });
  });

  test('an operation for each item, in order, with its workflow', async () => {
    const before = await stored();
    const answer = await sign({ items: [typed, raw, message, transaction] });
    expect(answer.status).toBe(202);
    const results = resultsOf(answer);
    const shown = results.map(({ signing_request }) => [signing_request?.payload_kind, signing_request?.signing_hash]);
    expect(shown).toEqual([
      ['evm_typed_data', MAIL_DIGEST],
      ['raw_digest', HASH],
      ['evm_message', hashMessage('hello')],
      ['evm_transaction', keccak256(unsigned_tx)],
    ]);
    for (const { created, transaction_id, signing_request } of results) {
      expect(created).toBe(true);
      expect(transaction_id).toBe(signing_request?.id);
      const read = await api.call('GET', `/api/v1/signing-requests/${transaction_id}`);
      expect(read.body.data).toEqual(signing_request);
      const [entry] = await outboxEntriesOf(api.db, 'sign', String(transaction_id));
      expect(entry).toMatchObject({ workflow: 'sign', input: { signingId: transaction_id, walletId } });
    }
    const { rows, entries, batches } = before;
    expect(await stored()).toEqual({ rows: rows + 4, entries: entries + 4, batches: batches + 1 });
  });

  test('what is refused gets its error, and the others are accepted', async () => {
    const before = await stored();
    const answer = await sign({
      items: [
        { ...raw, signing_hash: 'zz' },
        message,
        { ...raw, hash: 'cd'.repeat(32) },
        { ...message, derivation_path: "m/44'" },
        { ...message, chain_id: 424_242_424, network_internal_code: undefined },
        { ...typed, typed_data: { ...mail, message: {} } },
        { ...transaction, unsigned_tx: '0x00' },
        raw,
      ],
    });
    expect(answer.status).toBe(202);
    expect(resultsOf(answer).map(({ created, error }) => error?.code ?? created)).toEqual([
      'invalid_signing_hash',
      true,
      'conflicting_aliases',
      'hardened_derivation',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      true,
    ]);
    expect(resultsOf(answer)[5]).toEqual({
      error: { code: 'invalid_request', message: 'typed_data.message.from is missing.' },
    });
    expect((await stored()).rows).toBe(before.rows + 2);
  });

  test('100 items are the most', async () => {
    const before = await stored();
    const items = Array.from({ length: 100 }, (_, index) => ({ ...message, message: String(index) }));
    const answer = await sign({ items });
    expect(resultsOf(answer).map(({ signing_request }) => signing_request?.signing_hash)).toEqual(
      items.map((item) => hashMessage(item.message)),
    );
    expect(await stored()).toEqual({
      rows: before.rows + 100,
      entries: before.entries + 100,
      batches: before.batches + 1,
    });
    expect((await sign({ items: [...items, message] })).status).toBe(400);
  });
});

describe('200', () => {
  test('a repeat gets the original answer, also for what was refused then and would not be now', async () => {
    const own = await startApi({ temporalAddress: '127.0.0.1:1' });
    const call = signCall(own, 'signBatch', await own.makeActiveWallet());
    await own.db.update(networks).set({ disabled: true }).where(eq(networks.internalCode, 'BASE_MAINNET'));
    const body = { items: [message, { ...raw, network_internal_code: 'BASE_MAINNET' }, raw] };
    const headers = { 'x-idempotency-key': 'batch' };
    const first = await call(body, headers);
    expect(first.status).toBe(202);
    expect(resultsOf(first)[1]?.error?.code).toBe('invalid_request');
    const before = await stored(own);
    const repeat = await call(body, headers);
    expect(repeat.status).toBe(200);
    expect(resultsOf(repeat)).toEqual(
      resultsOf(first).map((result) => (result.error === undefined ? { ...result, created: false } : result)),
    );
    expect(await stored(own)).toEqual(before);
    expect(await call({ items: [raw] }, headers)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
    await own.stop();
  });

  test('every item refused: an error for each, and nothing stored, not even the key', async () => {
    const before = await stored();
    const headers = { 'x-idempotency-key': 'nothing' };
    const wrong = { ...raw, signing_hash: 'zz' };
    const answer = await sign({ items: [wrong, wrong] }, headers);
    expect(answer.status).toBe(200);
    expect(resultsOf(answer).map(({ error }) => error?.code)).toEqual(['invalid_signing_hash', 'invalid_signing_hash']);
    expect(await stored()).toEqual(before);
    expect((await sign({ items: [raw] }, headers)).status).toBe(202);
  });
});

test('raw digests, while they are switched off: an error for these items only', async () => {
  const own = await startApi({ temporalAddress: '127.0.0.1:1', signRawEnabled: false });
  const call = signCall(own, 'signBatch', await own.makeActiveWallet());
  const answer = await call({ items: [raw, message] });
  expect(answer.status).toBe(202);
  expect(resultsOf(answer).map(({ created, error }) => error?.code ?? created)).toEqual(['route_disabled', true]);
  await own.stop();
});

test('404, 409, 423: the wallet and the workspace count for the whole batch, whatever the items', async () => {
  const on = (id: string) => signCall(api, 'signBatch', id)({ items: [{ ...raw, signing_hash: 'zz' }] });
  expect((await on('01900000-0000-7000-8000-000000000000')).status).toBe(404);
  const wallet = await api.makeActiveWallet();
  await advanceWallet(api.db, wallet, { from: 'active', to: 'frozen' });
  const before = await stored();
  const frozen = await signCall(api, 'signBatch', wallet)({ items: [raw, message] });
  expect(frozen).toMatchObject({ status: 423, body: { code: 'wallet_frozen' } });
  expect((await on(wallet)).status).toBe(423);
  await advanceWallet(api.db, wallet, { from: 'frozen', to: 'archived' });
  expect(await on(wallet)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  expect(await stored()).toEqual(before);
});

test.each<[string, object, RegExp]>([
  ['no items', {}, /lacks the field "items"/],
  ['an empty list', { items: [] }, /items must not be empty/],
  ['an item without a type', { items: [raw, { ...raw, type: undefined }] }, /items\.1 lacks the field "type"/],
  ['an item of an unknown type', { items: [{ ...raw, type: 'digest' }] }, /items\.0 value of tag "type"/],
  [
    'a field that its type does not have',
    { items: [raw, { ...message, signing_hash: HASH }] },
    /items\.1 has an unknown field "signing_hash"/,
  ],
  ['a missing field', { items: [{ ...message, message: undefined }] }, /items\.0 lacks the field "message"/],
  ['a field of another type', { items: [{ ...raw, signing_hash: 1 }] }, /items\.0\.signing_hash must be a string/],
  ['an unknown field beside items', { items: [raw], atomic: true }, /unknown field "atomic"/],
  [
    'a rounded number',
    { items: [{ ...typed, chain_id: 1, typed_data: { ...mail, domain: { chainId: 1.5 } } }] },
    /whole numbers/,
  ],
])('400, and nothing stored: %s', async (_name, body, words) => {
  const before = await stored();
  const answer = await sign(body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
  expect(answer.body.message).toMatch(words);
  expect(await stored()).toEqual(before);
});

test('500: when one statement fails, nothing of the batch is stored', async () => {
  const own = await startApi({ temporalAddress: '127.0.0.1:1' });
  const call = signCall(own, 'signBatch', await own.makeActiveWallet());
  await own.db.execute('alter table signing_batches rename to signing_batches_away');
  expect((await call({ items: [raw, message] })).status).toBe(500);
  await own.db.execute('alter table signing_batches_away rename to signing_batches');
  expect(await stored(own)).toEqual({ rows: 0, entries: 0, batches: 0 });
  await own.stop();
});
