// Goal: whoever holds one key of a workspace, even that of its first administrator, moves nothing that needs another
// user's approval. Method: the API with production's default policy, in a workspace of two users as the operator's
// commands make them; each attack is tried over HTTP with one key, and what it asked for still waits.
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { approverScopes } from '../../../domain/users/roles.ts';
import { type ApiKeyChange, changeApiKey } from '../../../drizzle/api-keys/api-key-steps.ts';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { signingDigest } from '../../../drizzle/votes/approved-content.ts';
import { isApproved } from '../../../drizzle/votes/counted-votes.ts';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { createSecret, createUser } from '../../../src/commands/operator-keys.ts';
import { type Answer, startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { signPath } from '../../support/api/sign.ts';
import { keyEncryptionKey, testSealing, testSeals } from '../../support/rows/seals.ts';

let api: TestApi;
let workspaceId: string;
let admin: TestKey & { userId: string };
let approver: TestKey & { userId: string };
let walletId: string;
let users: string;
let keys: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', production: true });
});
afterAll(() => api.stop());

beforeEach(async () => {
  admin = await createWorkspace(api.db, 'two users', keyEncryptionKey);
  ({ workspaceId } = admin as unknown as { workspaceId: string });
  approver = await makeUser('approver');
  walletId = await api.makeActiveWallet(workspaceId);
  users = `/api/v1/workspaces/${workspaceId}/users`;
  keys = `/api/v1/workspaces/${workspaceId}/api-keys`;
});

/** As the operator's command makes one. */
async function makeUser(name: string, granted = approverScopes) {
  const dependencies = { keyEncryptionKey, action: 'workspace create-user' };
  const made = await createUser(api.db, { workspaceId, name, keyName: name, scopes: granted }, dependencies);
  if (made === undefined) throw new Error('there is no workspace');
  return made;
}

let calls = 0;
/** Each in another second: equal bodies have different signatures. */
function call(method: string, path: string, body: unknown, key: TestKey): Promise<Answer> {
  calls += 1;
  return api.call(method, path, body, { key, timestamp: Math.floor(Date.now() / 1000) - 280 + (calls % 560) });
}

async function ask(key: TestKey = admin): Promise<string> {
  const body = { network_internal_code: 'ETHEREUM_SANDBOX', message: `Pay Bob 1 ETH ${calls}` };
  const answer = await call('POST', signPath('signMessage', walletId), body, key);
  expect(answer).toMatchObject({ status: 202 });
  return answer.body.data.transaction_id;
}

const vote = (id: string, key: TestKey, verb: 'approve' | 'reject' = 'approve') =>
  call('POST', `/api/v1/signing-requests/${id}/${verb}`, undefined, key);
const approveChange = (id: string, key: TestKey, verb: 'approve' | 'reject' = 'approve') =>
  call('POST', `/api/v1/changes/${id}/${verb}`, undefined, key);

async function statusOf(id: string) {
  const [row] = await api.db.select().from(signingRequests).where(eq(signingRequests.id, id));
  if (row === undefined) throw new Error('there is no operation');
  return row;
}

const expectWaiting = async (id: string) =>
  expect(await statusOf(id)).toMatchObject({ status: 'pending', statusReason: 'awaiting_approval' });
const expectApproved = async (id: string) => expect(await statusOf(id)).toMatchObject({ statusReason: null });

/** What waits for another user's approval. */
function waiting(answer: Answer, kind: string): string {
  expect(answer).toMatchObject({ status: 202, body: { data: { kind, status: 'pending' } } });
  return answer.body.data.id;
}

const keyOf = ({ body }: Answer): TestKey => ({ apiKey: body.data.api_key, apiSecret: body.data.api_secret });
const isLetIn = async (key: TestKey) => (await call('GET', '/api/v1/api-keys/self', undefined, key)).status === 200;
const idOf = async (key: TestKey) => {
  const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.apiKey, key.apiKey));
  if (row === undefined) throw new Error('there is no key');
  return row.id;
};

test('two users: what the one asks for, the other lets go', async () => {
  const id = await ask();
  expect(await vote(id, approver)).toMatchObject({ status: 200 });
  await expectApproved(id);
});

describe('the first key of a workspace', () => {
  test('approves nothing, whoever asked', async () => {
    expect((await vote(await ask(), admin)).body.code).toBe('insufficient_scope');
    const other = await makeUser('another', [...scopes]);
    expect((await vote(await ask(other), admin)).body.code).toBe('insufficient_scope');
    const change = waiting(await call('POST', users, { name: 'Mallory' }, other), 'create_user');
    expect((await approveChange(change, admin)).status).toBe(403);
    const policy = { rules: [], default: { action: 'allow' } };
    const put = await call('PUT', `/api/v1/workspaces/${workspaceId}/policy`, policy, other);
    const { digest } = put.body.data.pending.approval;
    const path = `/api/v1/workspaces/${workspaceId}/policy/approve`;
    expect((await call('POST', path, { digest }, admin)).status).toBe(403);
  });

  test('makes a second key that approves: refused, and its own keys are its own user', async () => {
    expect((await call('POST', keys, { name: 'second', scopes: ['signing:approve'] }, admin)).status).toBe(403);
    const second = await call('POST', keys, { name: 'second', scopes: ['signing:read'] }, admin);
    expect(second).toMatchObject({ status: 201, body: { data: { user_id: admin.userId } } });
  });

  test('makes a user, and a key for it: both wait, and the key signs nothing', async () => {
    const user = waiting(await call('POST', users, { name: 'Mallory' }, admin), 'create_user');
    const body = { name: 'for another', user_id: approver.userId, scopes: ['signing:approve'] };
    const asked = await call('POST', keys, body, admin);
    waiting(asked, 'create_api_key');
    expect(asked.body.data).not.toHaveProperty('api_secret');
    expect(await isLetIn({ apiKey: asked.body.data.details.api_key, apiSecret: '' })).toBe(false);
    expect((await call('POST', keys, { ...body, user_id: user }, admin)).status).toBe(400);
    expect((await approveChange(user, admin)).status).toBe(403);
    const listed = (await call('GET', users, undefined, admin)).body.data;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['approver', 'administrator']);
  });

  test("rotates the approver's key: refused, since it cannot do what that key can; widens it: waits", async () => {
    const id = await idOf(approver);
    expect((await call('POST', `/api/v1/api-keys/${id}/rotate`, {}, admin)).status).toBe(403);
    waiting(await call('PATCH', `/api/v1/api-keys/${id}`, { scopes: [...scopes] }, admin), 'change_api_key');
  });

  test('ends a stolen key of an approver, who then approves nothing', async () => {
    expect((await call('DELETE', `/api/v1/api-keys/${await idOf(approver)}`, undefined, admin)).status).toBe(200);
    expect(await isLetIn(approver)).toBe(false);
  });
});

describe('a key with every scope', () => {
  let all: TestKey & { userId: string };
  beforeEach(async () => {
    all = await makeUser('all scopes', [...scopes]);
  });

  test('approves what it asked for by a second key of its user: the user asked', async () => {
    const second = keyOf(await call('POST', keys, { name: 'second', scopes: ['signing:approve'] }, all));
    const id = await ask(all);
    for (const key of [all, second]) expect((await vote(id, key)).body.code).toBe('policy_denied');
    await expectWaiting(id);
  });

  test('votes twice by two keys of one user: counted once', async () => {
    const document = { rules: [], default: { action: 'require_approvals', approvals: 2 } };
    const put = await call('PUT', `/api/v1/workspaces/${workspaceId}/policy`, document, admin);
    const { digest } = put.body.data.pending.approval;
    await call('POST', `/api/v1/workspaces/${workspaceId}/policy/approve`, { digest }, approver);
    const second = keyOf(await call('POST', keys, { name: 'second', scopes: ['signing:approve'] }, all));
    const id = await ask();
    for (const key of [all, second]) expect((await vote(id, key)).status).toBe(200);
    await expectWaiting(id);
    expect((await vote(id, second, 'reject')).status).toBe(409);
    expect((await vote(id, approver)).status).toBe(200);
    await expectApproved(id);
  });

  test('rotates the named approvers to vote as each: the rotations wait, and show no secret', async () => {
    const others = await Promise.all(['one', 'two'].map((name) => makeUser(name)));
    for (const other of others) {
      const rotated = await call('POST', `/api/v1/api-keys/${await idOf(other)}/rotate`, { overlap_seconds: 0 }, all);
      const change = waiting(rotated, 'rotate_api_key');
      expect((await approveChange(change, all)).body.code).toBe('policy_denied');
      expect(rotated.body.data).not.toHaveProperty('api_secret');
      expect(await isLetIn(other)).toBe(true);
    }
  });

  test("widens another's key, lifts an expiry or an address list: waits, also of its own", async () => {
    const limited = await makeUser('limited', ['signing:read']);
    const id = await idOf(limited);
    const path = `/api/v1/api-keys/${id}`;
    waiting(await call('PATCH', path, { scopes: ['signing:read', 'signing:approve'] }, all), 'change_api_key');
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const body = { name: 'own', scopes: ['signing:read'], expires_at: soon, ip_allowlist: ['127.0.0.1'] };
    const own = `/api/v1/api-keys/${await idOf(keyOf(await call('POST', keys, body, all)))}`;
    for (const lifted of [{ expires_at: null }, { ip_allowlist: null }, { ip_allowlist: ['127.0.0.0/8'] }])
      waiting(await call('PATCH', own, lifted, all), 'change_api_key');
    expect((await call('PATCH', own, { ip_allowlist: [] }, all)).status).toBe(202);
    const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    expect(row).toMatchObject({ scopes: ['signing:read'] });
  });

  test('disables a user and enables it again: every key and vote of it is gone, and enabling waits', async () => {
    const id = await ask();
    const document = { rules: [], default: { action: 'require_approvals', approvals: 2 } };
    const put = await call('PUT', `/api/v1/workspaces/${workspaceId}/policy`, document, admin);
    await call(
      'POST',
      `/api/v1/workspaces/${workspaceId}/policy/approve`,
      { digest: put.body.data.pending.approval.digest },
      approver,
    );
    const second = await ask();
    expect((await vote(second, approver)).status).toBe(200);
    const path = `/api/v1/users/${approver.userId}`;
    expect((await call('PATCH', path, { status: 'disabled' }, all)).body.data).toMatchObject({ status: 'disabled' });
    expect(await isLetIn(approver)).toBe(false);
    expect((await vote(id, approver)).status).toBe(401);
    expect((await vote(second, all)).status).toBe(200);
    await expectWaiting(second);
    const enabled = waiting(await call('PATCH', path, { status: 'active' }, all), 'enable_user');
    expect((await approveChange(enabled, all)).body.code).toBe('policy_denied');
    const third = await makeUser('third');
    expect((await approveChange(enabled, third)).body.data).toMatchObject({ status: 'approved' });
    expect(await isLetIn(approver)).toBe(false);
    await expectWaiting(second);
  });
});

describe('a change that another user approves', () => {
  test('makes the user and the key, whose secret comes from the operator for who has no other; the key then votes', async () => {
    const user = waiting(
      await call('POST', users, { name: 'Grace', email: 'grace@example.com' }, admin),
      'create_user',
    );
    expect((await approveChange(user, approver)).body.data).toMatchObject({ status: 'approved' });
    const { user_id } = (await call('GET', `/api/v1/changes/${user}`, undefined, approver)).body.data;
    const body = { name: 'of Grace', user_id, scopes: ['signing:read', 'signing:approve'] };
    const asked = await call('POST', keys, body, admin);
    const change = waiting(asked, 'create_api_key');
    const shown = await call('GET', `/api/v1/changes/${change}`, undefined, approver);
    expect(shown.body.data.details).toMatchObject({ name: 'of Grace', scopes: body.scopes, expires_at: null });
    const answer = await approveChange(change, approver);
    expect(JSON.stringify([asked.body, shown.body, answer.body])).not.toMatch(/cs_/);
    const dependencies = { keyEncryptionKey, action: 'workspace create-secret' };
    const given = await createSecret(api.db, { workspaceId, keyId: asked.body.data.api_key_id }, dependencies);
    if (given === undefined) throw new Error('there is no key');
    const id = await ask();
    expect((await vote(id, given)).status).toBe(200);
    await expectApproved(id);
  });

  test('is void once the key was changed since', async () => {
    const limited = await makeUser('limited', ['signing:read', 'wallets:read']);
    const all = await makeUser('all', [...scopes]);
    const path = `/api/v1/api-keys/${await idOf(limited)}`;
    const change = waiting(await call('PATCH', path, { scopes: ['signing:approve'] }, all), 'change_api_key');
    expect((await call('PATCH', path, { scopes: ['signing:read'] }, all)).status).toBe(200);
    expect(await approveChange(change, approver)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect((await approveChange(change, approver, 'reject')).body.data).toMatchObject({ status: 'rejected' });
  });
});

describe('the vote of a key that has ended, or lost the scope, counts neither for the next vote nor before signing', () => {
  const ends: [string, () => Promise<ApiKeyChange>][] = [
    ['expired', async () => ({ expiresAt: new Date(Date.now() - 1) })],
    ['revoked', async () => ({ revokedAt: new Date() })],
    ['without the scope', async () => ({ scopes: ['signing:read'] })],
    ['bound to another wallet', async () => ({ walletIds: [await api.makeActiveWallet(workspaceId)] })],
  ];
  test.each(ends)('%s', async (_name, end) => {
    const id = await ask();
    expect((await vote(id, approver)).status).toBe(200);
    const digest = signingDigest(await statusOf(id));
    expect(await isApproved(api.db, testSeals, id, digest)).toBe(true);
    const [keyId, change] = [await idOf(approver), await end()];
    await api.db.transaction((tx) => changeApiKey(tx, testSealing, keyId, change));
    expect(await isApproved(api.db, testSeals, id, digest)).toBe(false);
  });
});

test('a policy that does not say how it is changed: another one, and a known address, wait for another user all the same', async () => {
  const path = `/api/v1/workspaces/${workspaceId}/policy`;
  const silent = { rules: [], default: { action: 'require_approvals', approvals: 1 } };
  const approvePolicy = async () => {
    const { digest } = (await call('GET', path, undefined, admin)).body.data.pending.approval;
    return call('POST', `${path}/approve`, { digest }, approver);
  };
  await call('PUT', path, silent, admin);
  expect((await approvePolicy()).body.data.active).toMatchObject({ version: 1, document: silent });
  const put = await call('PUT', path, { rules: [], default: { action: 'allow' } }, admin);
  expect(put.body.data).toMatchObject({
    active: { document: silent },
    pending: { document: { default: { action: 'allow' } }, approval: { required: 1 } },
  });
  const network_id = (await call('GET', '/api/v1/networks', undefined, admin)).body.data[0].id;
  const entry = { network_id, address: `0x${'5e'.repeat(20)}`, label: 'me' };
  const added = await call('POST', `/api/v1/workspaces/${workspaceId}/address-book`, entry, admin);
  expect(added.body.data).toMatchObject({ status: 'pending' });
  expect((await approvePolicy()).body.data).toMatchObject({ active: { version: 2 }, pending: null });
});

test('a confined key makes no less confined one: addresses and the end, too', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const confined = keyOf(
    await call(
      'POST',
      keys,
      { name: 'confined', scopes: ['api_keys:admin', 'signing:read'], expires_at: soon, ip_allowlist: ['127.0.0.0/8'] },
      admin,
    ),
  );
  const asked = { name: 'wider', scopes: ['signing:read'], expires_at: soon, ip_allowlist: ['127.0.0.1'] };
  const later = new Date(Date.now() + 7_200_000).toISOString();
  for (const wider of [
    { expires_at: undefined },
    { expires_at: later },
    { ip_allowlist: [] },
    { ip_allowlist: ['::1'] },
  ])
    expect((await call('POST', keys, { ...asked, ...wider }, confined)).body.code).toBe('insufficient_scope');
  expect((await call('POST', keys, asked, confined)).status).toBe(201);
});
