// Goal: whoever asks for a sweep is told that there are none yet, in one sentence, and nothing is stored. Method: the
// API on a real database; the bodies are those that existing callers send.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wallets } from '../../../drizzle/wallets/wallets.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const params = {
  min_trigger_value_usd: '100',
  destination_wallet_id: '01900000-0000-7000-8000-000000000000',
  destination_type: 'internal_wallet',
};
const task = { name: 'Sweep', strategy: 'periodic', frequency_in_seconds: 3600, wallet_ids: [], ...params };
const path = () => `/api/v1/workspaces/${api.workspaceId}/automation/sweep-task`;

test.each([
  ['sweep_task_params', params],
  ['sweep_task_id', '01900000-0000-7000-8000-000000000000'],
])('400: a wallet with %s', async (field, value) => {
  const answer = await api.call('POST', '/api/v1/wallets', { name: 'Payments', wallet_type: 'mpc', [field]: value });
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
  expect(answer.body.message).toMatch(
    new RegExp(`^body has ${field}, and this service does not sweep wallets yet: .*\\.$`),
  );
  expect(await api.db.select().from(wallets)).toEqual([]);
});

test('400: a sweep task, with any body', async () => {
  for (const body of [task, {}, undefined]) {
    const answer = await api.call('POST', path(), body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', data: null } });
    expect(answer.body.message).toContain('does not sweep wallets yet');
  }
});

test('401, 403 and 404 as everywhere; the document does not promise it', async () => {
  expect((await api.app.inject({ method: 'POST', url: path() })).statusCode).toBe(401);
  const key = await api.makeKey({ scopes: ['wallets:read', 'wallets:write'] });
  expect(await api.call('POST', path(), task, { key })).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  });
  const other = await api.makeWorkspace();
  expect(await api.call('POST', path(), task, { key: other.key })).toMatchObject({ status: 404 });
  const document = (await api.app.inject({ method: 'GET', url: '/openapi.json' })).json();
  expect(Object.keys(document.paths).filter((each) => each.includes('sweep'))).toEqual([]);
});
