// Goal: who asks for another user's key, or has it rotated, never holds its secret, also after a third user has
// approved; and its own user is not locked out. Method: the API in production; a requester with every scope asks, an
// approver approves, and each answer, every repeat and every row that answers are made of are searched for a secret.
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { createSecret } from '../../../src/commands/operator-keys.ts';
import { type Answer, startApi, type TestKey } from '../../support/api/api.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { keyEncryptionKey } from '../../support/rows/seals.ts';

const granted = ['signing:read', 'signing:approve'];
const SECRET = /cs_[\w-]{20,}/;

let stage: ApprovalStage;
let keys: string;
let approver: KnownKey;
/** Whose key others ask for: with a key of his own that can do what that one shall. */
let grace: KnownKey;
beforeAll(async () => {
  stage = new ApprovalStage(await startApi({ production: true, temporalAddress: '127.0.0.1:1' }));
  await stage.connect();
  keys = `/api/v1/workspaces/${stage.api.workspaceId}/api-keys`;
});
afterAll(() => stage.api.stop());
beforeEach(async () => {
  approver = await stage.makeApprover();
  grace = await stage.makeApprover({ name: 'Grace', scopes: [...granted, 'policies:read'] });
});

const rowOf = async (id: string) => {
  const [row] = await stage.api.db.select().from(apiKeys).where(eq(apiKeys.id, id));
  if (row === undefined) throw new Error('there is no key');
  return row;
};
const isLetIn = async (key: TestKey) =>
  (await stage.call('GET', '/api/v1/api-keys/self', undefined, { key })).status === 200;
const take = (id: string, key: TestKey, body: object = {}, headers = {}) =>
  stage.call('POST', `/api/v1/api-keys/${id}/take-secret`, body, { key, headers });
const rotate = (id: string, body: object = {}, headers = {}) =>
  stage.call('POST', `/api/v1/api-keys/${id}/rotate`, body, { key: stage.api.admin, headers });
const approve = (asked: Answer) =>
  stage.call('POST', `/api/v1/changes/${asked.body.data.id}/approve`, undefined, { key: approver });

const askFor = (wanted: string[] = granted, headers = {}) =>
  stage.call('POST', keys, { name: 'of Grace', user_id: grace.id, scopes: wanted }, { key: stage.api.admin, headers });

/** A key of Grace that the requester asked for and the approver approved. */
async function madeForGrace(wanted?: string[]) {
  const asked = await askFor(wanted);
  expect(asked.status).toBe(202);
  expect((await approve(asked)).body.data).toMatchObject({ status: 'approved' });
  return { id: asked.body.data.api_key_id as string, apiKey: asked.body.data.details.api_key as string };
}

async function rotatedForGrace(body: object = {}) {
  const asked = await rotate(grace.id, body);
  expect(asked.status).toBe(202);
  return { asked, approved: await approve(asked) };
}

const secretOf = ({ status, body }: Answer): string => {
  expect(status).toBe(200);
  expect(body.data.api_secret).toMatch(SECRET);
  return body.data.api_secret;
};

describe('a key that is asked for another user', () => {
  test('no answer, no repeat and no stored answer shows a secret, before the approval and after', async () => {
    const headers = { 'x-idempotency-key': 'for-Grace' };
    const asked = await askFor(granted, headers);
    expect(asked.status).toBe(202);
    const answers = [asked, await approve(asked), await askFor(granted, headers)];
    const change = `/api/v1/changes/${asked.body.data.id}`;
    answers.push(await stage.call('GET', change), await stage.call('GET', keys));
    answers.push(await stage.call('GET', `/api/v1/workspaces/${stage.api.workspaceId}/audit-logs`));
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(SECRET);
    const stored = await stage.api.db.execute(sql`select answer from idempotency_keys`);
    expect(JSON.stringify(stored)).not.toMatch(SECRET);
  });

  test('is there without a secret, and nobody else takes it: not who asked, not who approved', async () => {
    const { id, apiKey } = await madeForGrace();
    expect((await rowOf(id)).secretEncrypted).toHaveLength(0);
    for (const apiSecret of ['', 'undefined']) expect(await isLetIn({ apiKey, apiSecret })).toBe(false);
    for (const key of [stage.api.admin, approver]) expect((await take(id, key)).status).toBe(404);
    expect(await rotate(id)).toMatchObject({ status: 202, body: { data: { kind: 'rotate_api_key' } } });
    const listed = (await stage.call('GET', keys)).body.data;
    expect(listed.find((one: { id: string }) => one.id === id)).toMatchObject({ awaiting_secret: true });
  });

  test('its user takes the secret once, by another key of his own; then it votes as he does', async () => {
    const { id, apiKey } = await madeForGrace();
    const headers = { 'x-idempotency-key': 'take-it' };
    const taken = { apiKey, apiSecret: secretOf(await take(id, grace, {}, headers)) };
    expect((await take(id, grace, {}, headers)).body.data).not.toHaveProperty('api_secret');
    expect(await take(id, grace)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect((await stage.call('GET', '/api/v1/api-keys/self', undefined, { key: taken })).body.data).not.toHaveProperty(
      'awaiting_secret',
    );
    const asked = await stage.askId('signing', await stage.makeFundedWallet());
    expect((await stage.decide('signing', asked, { verb: 'approve', key: taken })).status).toBe(200);
  });

  test('that can do more than the key that he has: the operator gives him the secret', async () => {
    const { id, apiKey } = await madeForGrace([...granted, 'withdrawals:approve']);
    expect(await take(id, grace)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    const dependencies = { keyEncryptionKey, action: 'workspace create-secret' };
    const { workspaceId } = stage.api;
    const given = await createSecret(stage.api.db, { workspaceId, keyId: id }, dependencies);
    expect(given).toMatchObject({ userId: grace.id, apiKey });
    expect(await isLetIn(given as TestKey)).toBe(true);
    expect((await rowOf(id)).scopes).toEqual([...granted, 'withdrawals:approve']);
  });

  test('is no administrator who remains, before its secret is taken', async () => {
    const { workspaceId, key } = await stage.api.makeWorkspace();
    const self = (await stage.call('GET', '/api/v1/api-keys/self', undefined, { key })).body.data.id;
    const other = await stage.makeApprover({ workspaceId });
    const body = { name: 'second', user_id: other.id, scopes: ['api_keys:admin'] };
    const asked = await stage.call('POST', `/api/v1/workspaces/${workspaceId}/api-keys`, body, { key });
    await stage.call('POST', `/api/v1/changes/${asked.body.data.id}/approve`, undefined, { key: other });
    const revoke = () => stage.call('DELETE', `/api/v1/api-keys/${self}`, undefined, { key });
    expect(await revoke()).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    const dependencies = { keyEncryptionKey, action: 'workspace create-secret' };
    await createSecret(stage.api.db, { workspaceId, keyId: asked.body.data.api_key_id }, dependencies);
    expect((await revoke()).status).toBe(200);
  });
});

describe("another user's key that is rotated", () => {
  test('no answer shows a secret; the old one signs until its user has taken the new one, by the key itself', async () => {
    const { asked, approved } = await rotatedForGrace();
    for (const { body } of [asked, approved]) expect(JSON.stringify(body)).not.toMatch(SECRET);
    expect((await take(grace.id, stage.api.admin)).status).toBe(404);
    expect(await rowOf(grace.id)).toMatchObject({ previousSecretExpiresAt: null });
    await expect.poll(() => isLetIn(grace)).toBe(true);
    const taken = { apiKey: grace.apiKey, apiSecret: secretOf(await take(grace.id, grace, { overlap_seconds: 60 })) };
    expect([await isLetIn(taken), await isLetIn(grace)]).toEqual([true, true]);
    expect((await rowOf(grace.id)).previousSecretExpiresAt).not.toBeNull();
  });

  test('again and again before it is taken: the old one still signs, and ends when the new one is taken', async () => {
    await rotatedForGrace();
    await rotatedForGrace();
    expect(await isLetIn(grace)).toBe(true);
    const apiSecret = secretOf(await take(grace.id, grace, { overlap_seconds: 0 }));
    expect([await isLetIn({ ...grace, apiSecret }), await isLetIn(grace)]).toEqual([true, false]);
  });

  test('with an end of the old one: it ends with the approval, and another key of its user takes the new one', async () => {
    const second = await stage.makeApprover({ userId: grace.id, scopes: [...granted, 'policies:read'] });
    const { asked } = await rotatedForGrace({ overlap_seconds: 0 });
    expect(asked.body.data.details).toMatchObject({ overlap_seconds: 0 });
    await expect.poll(() => isLetIn(grace), { timeout: 3_000 }).toBe(false);
    expect((await take(grace.id, approver)).status).toBe(404);
    const apiSecret = secretOf(await take(grace.id, second));
    expect(await isLetIn({ ...grace, apiSecret })).toBe(true);
  });

  test('with an end of the old one, and no other administrator by then: refused when it is approved', async () => {
    const { workspaceId, key } = await stage.api.makeWorkspace();
    const own = async (of: TestKey) =>
      (await stage.call('GET', '/api/v1/api-keys/self', undefined, { key: of })).body.data.id;
    const [self, other] = [await own(key), await stage.makeApprover({ workspaceId, scopes: [...scopes] })];
    const third = await stage.makeApprover({ workspaceId });
    const asked = await stage.call('POST', `/api/v1/api-keys/${self}/rotate`, { overlap_seconds: 0 }, { key: other });
    expect(asked.status).toBe(202);
    expect((await stage.call('DELETE', `/api/v1/api-keys/${other.id}`, undefined, { key })).status).toBe(200);
    const path = `/api/v1/changes/${asked.body.data.id}/approve`;
    expect(await stage.call('POST', path, undefined, { key: third })).toMatchObject({
      status: 409,
      body: { code: 'invalid_state' },
    });
    expect(await isLetIn(key)).toBe(true);
  });
});
