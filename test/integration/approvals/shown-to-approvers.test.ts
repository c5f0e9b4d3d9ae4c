// Goal: what waits for approval is shown to whoever may approve it, in lists, in events and by itself, and nothing that
// the database alone says is shown. Method: the API on a real database whose rows are changed as somebody would who
// writes SQL; no worker runs. That digests can be computed from it: test/conformance/shown-digests.test.ts.
import { eq, sql } from 'drizzle-orm';
import { encodeFunctionData, parseAbi, serializeTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventOutbox } from '../../../drizzle/events/events.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { withdrawals } from '../../../drizzle/withdrawals/withdrawals.ts';
import { toEventData } from '../../../src/events/event-data.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { signPath } from '../../support/api/sign.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';

const NETWORK = { network_internal_code: 'ETHEREUM_SANDBOX' };
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const STOP_TIMEOUT_MS = 180_000;

let api: TestApi;
let stage: ApprovalStage;
let walletId: string;
let signer: KnownKey;
let payer: KnownKey;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1' });
  stage = new ApprovalStage(api);
  await stage.connect();
  walletId = await stage.makeFundedWallet();
  signer = await stage.makeApprover({ scopes: ['signing:approve'] });
  payer = await stage.makeApprover({ scopes: ['withdrawals:approve'] });
  const approvals = { action: 'require_approvals', approvals: 1 } as const;
  const rule = { name: 'power is given by two', when: { calls: ['dangerous' as const, 'unknown' as const] } };
  await stage.setPolicy({ rules: [{ ...rule, then: approvals }], default: approvals });
});
afterAll(() => api.stop(), STOP_TIMEOUT_MS);

async function sign(route: Parameters<typeof signPath>[0], body: object) {
  const answer = await stage.call('POST', signPath(route, walletId), { ...NETWORK, ...body });
  expect(answer).toMatchObject({ status: 202 });
  return answer.body.data;
}

const read = (path: string, key: KnownKey) => stage.call('GET', `/api/v1/${path}`, undefined, { key });
const readOne = async (path: string, key: KnownKey) => (await read(path, key)).body.data;

async function eventOf(id: string, type: 'signing.pending_approval' | 'withdrawal.pending_approval') {
  const recorded = await api.db.select().from(eventOutbox).where(eq(eventOutbox.type, type));
  const entry = recorded.find(({ resource }) => resource?.['id'] === id);
  return toEventData(type, entry?.resource ?? {}) as Record<string, Record<string, unknown>>;
}

describe('a signing request', () => {
  test('lists show it as it is shown by itself, also when it is decided', async () => {
    const { transaction_id: id } = await sign('signMessage', { message: 'Shown in the list' });
    const listed = async () => {
      const rows = await readOne(`workspaces/${api.workspaceId}/signing-requests`, signer);
      return rows.find((row: { id: string }) => row.id === id);
    };
    const one = await readOne(`signing-requests/${id}`, signer);
    expect((await listed()).payload).toEqual(one.payload);
    await stage.decide('signing', id, { verb: 'reject', key: signer });
    expect((await listed()).payload).toEqual(one.payload);
    expect((await readOne(`signing-requests/${id}`, signer)).payload).toEqual(one.payload);
  });

  test('what is long is left out of the answer, the list and the event, and shown by itself', async () => {
    const { transaction_id: id, signing_request } = await sign('signMessage', { message: 'm'.repeat(4_097) });
    const one = await readOne(`signing-requests/${id}`, signer);
    expect(one.payload.text).toBe('m'.repeat(4_097));
    const { message: _message, text: _text, ...rest } = one.payload;
    const short = { ...rest, shortened: true };
    expect(signing_request.payload).toEqual(short);
    expect((await eventOf(id, 'signing.pending_approval'))['payload']).toEqual(short);
    const [listed] = await readOne(`workspaces/${api.workspaceId}/signing-requests?limit=1`, signer);
    expect(listed).toMatchObject({ id, payload: short });
  });

  test('text that does not look as it is says so', async () => {
    const { transaction_id: id } = await sign('signMessage', { message: 'Pay \u202e001\u202c to Bob' });
    const { decoded, message } = (await readOne(`signing-requests/${id}`, signer)).payload;
    expect(decoded.summary).toMatch(/read its bytes/);
    expect(Buffer.from(message.slice(2), 'hex').toString()).toBe('Pay \u202e001\u202c to Bob');
  });

  test('a row that was changed shows nothing to approve, until it is what was asked for again', async () => {
    const unsigned_tx = serializeTransaction({ type: 'eip1559', chainId: 31337, to: TO, value: 10n ** 18n });
    const harmless = serializeTransaction({ type: 'eip1559', chainId: 31337, to: TO, value: 1n });
    const { transaction_id: id } = await sign('signTransaction', { unsigned_tx });
    const payloadNow = async () => (await readOne(`signing-requests/${id}`, signer)).payload;
    const before = await payloadNow();
    expect(before.decoded.value).toBe('1');
    const set = (tx: string) =>
      api.db.update(signingRequests).set({ unsignedTx: tx }).where(eq(signingRequests.id, id));
    await set(harmless);
    expect(await payloadNow()).toBeUndefined();
    await set(unsigned_tx);
    expect(await payloadNow()).toEqual(before);
  });

  test('who may approve withdrawals alone reads no signing request, and the other way round', async () => {
    const { transaction_id: id } = await sign('signMessage', { message: 'Not for all' });
    expect(await read(`signing-requests/${id}`, payer)).toMatchObject({ status: 403 });
    expect(await read(`workspaces/${api.workspaceId}/withdrawals`, signer)).toMatchObject({ status: 403 });
    expect(await read(`workspaces/${api.workspaceId}/audit-logs`, signer)).toMatchObject({ status: 403 });
  });
});

describe('a withdrawal by contract_call', () => {
  const abi = parseAbi(['function transferFrom(address,address,uint256)', 'function deposit()']);
  const call = async (transaction: object) => {
    const body = { chainId: 31337, to: TO, gasLimit: 100_000, maxFeePerGas: '2000000000', ...transaction };
    const answer = await stage.call('POST', signPath('signRaw', walletId), body);
    expect(answer).toMatchObject({ status: 202 });
    return answer.body.data;
  };

  test('shows its decoded form to its approver, in the list and in the event', async () => {
    const data = encodeFunctionData({ abi, functionName: 'transferFrom', args: [TO, TO, 7n] });
    const { transaction_id: id, withdrawal } = await call({ data, value: '250000000000000000' });
    const one = await readOne(`withdrawals/${id}`, payer);
    expect(one.decoded).toMatchObject({
      kind: 'unknown',
      to: TO,
      value: '0.25',
      method: 'transferFrom(address,address,uint256)',
      arguments: [TO, TO, '7'],
      // Three times what it offers.
      max_fee: '0.0006',
      unknown: [expect.stringMatching(/unknown function/)],
      networks: ['ETHEREUM_SANDBOX'],
    });
    expect(withdrawal.decoded).toEqual(one.decoded);
    expect((await eventOf(id, 'withdrawal.pending_approval'))['decoded']).toEqual(one.decoded);
    const rows = await readOne(`workspaces/${api.workspaceId}/withdrawals`, payer);
    expect(rows.find((row: { id: string }) => row.id === id).decoded).toEqual(one.decoded);
  });

  test('a row that was changed shows no decoded form', async () => {
    const { transaction_id: id } = await call({ data: encodeFunctionData({ abi, functionName: 'deposit' }) });
    expect((await readOne(`withdrawals/${id}`, payer)).decoded.method).toBe('deposit()');
    const harmless = sql`jsonb_set(${withdrawals.call}, '{data}', '"0x"')`;
    await api.db.update(withdrawals).set({ call: harmless }).where(eq(withdrawals.id, id));
    expect((await readOne(`withdrawals/${id}`, payer)).decoded).toBeUndefined();
  });

  test('a plain transfer has none: its record says all', async () => {
    const id = await stage.askId('withdrawal', walletId);
    expect(await readOne(`withdrawals/${id}`, payer)).not.toHaveProperty('decoded');
    expect(await eventOf(id, 'withdrawal.pending_approval')).not.toHaveProperty('decoded');
  });
});
