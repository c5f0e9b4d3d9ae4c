// Goal: the fees of a network are what the workers wrote, and a second look at a transaction is accepted once and
// started. Method: the API in this process on a database of its own, network states put in as a worker would; by status
// code.
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  clearHalt,
  haltNetwork,
  insertNetworkState,
  networkStates,
  noteHead,
} from '../../../drizzle/networks/network-states.ts';
import { listOverdueOutboxEntries } from '../../../drizzle/writes/workflow-outbox.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';

const ETHEREUM = '6e657477-6f72-4000-8000-000000000001';
const SOLANA = '6e657477-6f72-4000-8000-000000000002';
const BITCOIN = '6e657477-6f72-4000-8000-000000000003';
const UNREAD = '6e657477-6f72-4000-8000-000000000004';
const UNKNOWN = '6e657477-6f72-4000-8000-00000000ffff';

const level = (maxFee: string) => ({ maxFee, parameters: { gasLimit: '21000', maxFeePerGas: '2000000000' } });
const feesAt = (quotedAt: Date) => ({
  low: level('42000000000000'),
  medium: level('63000000000000'),
  high: level('1000000000000000000'),
  quotedAt: quotedAt.toISOString(),
});

let api: TestApi;
beforeAll(async () => {
  // Nothing of Temporal answers there: what is to be started stays in the outbox.
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  for (const networkId of [ETHEREUM, SOLANA, BITCOIN])
    await insertNetworkState(api.db, { networkId, nextBlock: 10, headBlock: 9 });
});
afterAll(() => api.stop());

describe('GET /networks/{network_id}/fees', () => {
  const fees = (id: string) => api.call('GET', `/api/v1/networks/${id}/fees`);

  test('200: by level, in the native currency', async () => {
    await noteHead(api.db, ETHEREUM, 9, feesAt(new Date()));
    const { status, body } = await fees(ETHEREUM);
    expect([status, body]).toMatchObject([
      200,
      {
        data: {
          network_id: ETHEREUM,
          low: { max_fee: '0.000042', parameters: { gasLimit: '21000', maxFeePerGas: '2000000000' } },
          medium: { max_fee: '0.000063' },
          high: { max_fee: '1' },
          quoted_at: expect.stringMatching(/^20.*Z$/),
        },
      },
    ]);
    const native = await api.call('GET', `/api/v1/assets/${body.data.fee_asset_id}`);
    expect(native.body.data).toMatchObject({ symbol: 'ETH', is_native: true, network_id: ETHEREUM });
  });

  test('400 for what is no id; 404 for a network that is not in the catalogue', async () => {
    expect(await fees('ETHEREUM')).toMatchObject({ status: 400 });
    expect(await fees(UNKNOWN)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('503 without a node, before the node was asked, and when it has not answered for long', async () => {
    const unavailable = { status: 503, body: { code: 'dependency_unavailable' } };
    expect(await fees(UNREAD)).toMatchObject(unavailable);
    expect(await fees(SOLANA)).toMatchObject(unavailable);
    await noteHead(api.db, ETHEREUM, 9, feesAt(new Date(Date.now() - 11 * 60_000)));
    expect(await fees(ETHEREUM)).toMatchObject(unavailable);
  });

  test('403 without the scope', async () => {
    const key = await api.makeKey({ scopes: ['wallets:read'] });
    const answer = await api.call('GET', `/api/v1/networks/${ETHEREUM}/fees`, undefined, { key });
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });
});

describe('POST /networks/rescan-transaction', () => {
  const hash = `0x${'5a'.repeat(32)}`;
  /** A signature counts once: what is sent again differs. */
  const freshHash = () => `0x${randomBytes(32).toString('hex')}`;
  const rescan = (tx_hash: string, network_id = ETHEREUM, options = {}) =>
    api.call('POST', '/api/v1/networks/rescan-transaction', { tx_hash, network_id }, options);
  const started = () => listOverdueOutboxEntries(api.db, { olderThanMs: -1_000, limit: 1_000 });
  let before: number;
  beforeEach(async () => {
    before = (await started()).length;
  });

  const signature = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
  test.each([
    [ETHEREUM, hash.toUpperCase().replace('0X', '0x'), hash, 'ETHEREUM_SANDBOX'],
    [BITCOIN, 'AB'.repeat(32), 'ab'.repeat(32), 'BTC_SANDBOX'],
    [SOLANA, signature, signature, 'SOL_SANDBOX'],
  ])('202, and the workflow is started: %s', async (networkId, sent, stored, networkCode) => {
    const answer = await rescan(sent, networkId);
    expect(answer).toMatchObject({ status: 202, body: { data: { tx_hash: stored, network_id: networkId } } });
    const entry = (await started()).at(-1);
    expect(entry).toMatchObject({
      workflow: 'rescanTransaction',
      input: { workspaceId: api.workspaceId, networkCode, txHash: stored },
    });
  });

  test('a repeat with its idempotency key starts nothing more', async () => {
    const options = { headers: { 'x-idempotency-key': 'again' } };
    const first = await rescan(hash, ETHEREUM, options);
    const again = await rescan(hash, ETHEREUM, options);
    expect(again).toMatchObject({ status: 202, body: first.body });
    expect((await started()).length).toBe(before + 1);
  });

  test.each([
    ['0x5a', ETHEREUM],
    ['5a'.repeat(32), ETHEREUM],
    [hash, BITCOIN],
    [hash, SOLANA],
    [signature.slice(0, 60), SOLANA],
    [hash, UNKNOWN],
    ['', ETHEREUM],
  ])('400 for the hash %s on %s', async (txHash, networkId) => {
    expect(await rescan(txHash, networkId)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((await started()).length).toBe(before);
  });

  test('503 without a node, and while the network is halted', async () => {
    const unavailable = { status: 503, body: { code: 'dependency_unavailable' } };
    expect(await rescan(freshHash(), UNREAD)).toMatchObject(unavailable);
    await haltNetwork(api.db, ETHEREUM, 10, 'The chain is another one.');
    expect(await rescan(freshHash())).toMatchObject(unavailable);
    await api.db.transaction((tx) => clearHalt(tx, ETHEREUM));
    expect(await api.db.select().from(networkStates).where(eq(networkStates.networkId, ETHEREUM))).toMatchObject([
      { haltedReason: null },
    ]);
    expect((await started()).length).toBe(before);
  });

  test('403 without the scope', async () => {
    const key = await api.makeKey({ scopes: ['transactions:read'] });
    expect(await rescan(hash, ETHEREUM, { key })).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  });
});
