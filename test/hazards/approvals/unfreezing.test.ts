// Goal: what was frozen is unfrozen by two users, whoever froze it: neither the thief of one key nor two keys of one
// user do it, an approval is of that freeze and of no later one, and freezing waits for nobody. A lone user gets back
// by the operator. Method: the API with production's default policy, in a workspace of three users; then the sandbox.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { approverScopes } from '../../../domain/users/roles.ts';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { createUser } from '../../../src/commands/operator-keys.ts';
import { unfreeze } from '../../../src/commands/unfreeze.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { signPath } from '../../support/api/sign.ts';
import { auditPath, sealAudit } from '../../support/rows/audit.ts';
import { keyEncryptionKey, testSeals } from '../../support/rows/seals.ts';

type User = TestKey & { userId: string; workspaceId: string };

let api: TestApi;
let workspaceId: string;
let admin: User;
let approver: User;
let guard: User;
let walletId: string;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', production: true });
});
afterAll(() => api.stop());

beforeEach(async () => {
  admin = await createWorkspace(api.db, 'frozen', keyEncryptionKey);
  ({ workspaceId } = admin);
  approver = await makeUser('approver', approverScopes);
  guard = await makeUser('guard', scopes);
  walletId = await api.makeActiveWallet(workspaceId);
});

async function makeUser(name: string, granted: typeof approverScopes): Promise<User> {
  const dependencies = { keyEncryptionKey, action: 'workspace create-user' };
  const made = await createUser(api.db, { workspaceId, name, keyName: name, scopes: granted }, dependencies);
  if (made === undefined) throw new Error('there is no workspace');
  return made;
}

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
}

let calls = 0;
/** Each in another second: equal bodies have different signatures. */
function call(key: TestKey, method: string, path: string, sent: Sent = {}) {
  const { body, headers = {} } = sent;
  calls += 1;
  const timestamp = Math.floor(Date.now() / 1000) - 280 + (calls % 560);
  return api.call(method, `/api/v1${path}`, body, { key, timestamp, headers });
}

const places = {
  withdrawals: () => `/workspaces/${workspaceId}/withdrawals`,
  wallet: () => `/wallets/${walletId}`,
};
type What = keyof typeof places;

const freeze = (what: What, key: TestKey) =>
  call(key, 'POST', `${places[what]()}/freeze`, { body: { reason: 'a stolen key' } });
const ask = (what: What, key: TestKey, headers?: Record<string, string>) =>
  call(key, 'POST', `${places[what]()}/unfreeze`, { body: { reason: 'it was none' }, ...(headers && { headers }) });
const approve = (id: string, key: TestKey) => call(key, 'POST', `/changes/${id}/approve`);

async function askedFor(what: What, key: TestKey): Promise<string> {
  const answer = await ask(what, key);
  expect(answer).toMatchObject({ status: 202, body: { data: { status: 'pending' } } });
  return answer.body.data.id;
}

/** By what is refused while it is frozen, and not by what it says of itself. */
async function isFrozen(what: What): Promise<boolean> {
  const body = { network_internal_code: 'ETHEREUM_SANDBOX', message: `Pay ${calls}` };
  const { status, body: answer } = await call(guard, 'POST', signPath('signMessage', walletId).slice(7), { body });
  const code = what === 'wallet' ? 'wallet_frozen' : 'withdrawals_frozen';
  if (status === 423) expect(answer.code).toBe(code);
  else expect(answer.message).not.toContain('frozen');
  return status === 423;
}

describe.each(['withdrawals', 'wallet'] as const)('%s', (what) => {
  test('frozen at once by one; unfrozen once another user approves, also the one who froze', async () => {
    expect((await freeze(what, guard)).status).toBe(200);
    expect(await isFrozen(what)).toBe(true);
    const id = await askedFor(what, admin);
    expect(await isFrozen(what)).toBe(true);
    const shown = await call(approver, 'GET', `/changes/${id}`);
    expect(shown.body.data).toMatchObject({
      kind: what === 'wallet' ? 'unfreeze_wallet' : 'unfreeze_withdrawals',
      user_id: admin.userId,
      created_by: admin.userId,
      details: { reason: 'it was none' },
      ...(what === 'wallet' ? { wallet_id: walletId } : {}),
    });
    expect(shown.body.data).not.toHaveProperty('api_key_id');
    expect((await approve(id, guard)).body.data).toMatchObject({ status: 'approved' });
    expect(await isFrozen(what)).toBe(false);
  });

  test('the thief of one key undoes no freeze, whoever froze and however often he asks', async () => {
    for (const froze of [admin, guard]) {
      await freeze(what, froze);
      const [id, again] = [await askedFor(what, guard), await askedFor(what, guard)];
      for (const asked of [id, again])
        expect(await approve(asked, guard)).toMatchObject({ status: 403, body: { success: false } });
      expect(await isFrozen(what)).toBe(true);
      await call(approver, 'POST', `/changes/${id}/reject`);
      expect((await approve(id, admin)).status).toBeGreaterThanOrEqual(400);
      expect(await isFrozen(what)).toBe(true);
    }
  });

  test('two keys of one user are one user', async () => {
    await freeze(what, guard);
    const { userId } = guard;
    const second = await api.makeKey({ workspaceId, userId, scopes: [...scopes] });
    const id = await askedFor(what, guard);
    expect(await approve(id, second)).toMatchObject({ status: 403 });
    expect(await isFrozen(what)).toBe(true);
  });

  test('the approval of a user who is disabled does not count, nor does his key', async () => {
    await freeze(what, guard);
    const id = await askedFor(what, admin);
    const disabled = await call(admin, 'PATCH', `/users/${approver.userId}`, { body: { status: 'disabled' } });
    expect(disabled.status).toBe(200);
    expect((await approve(id, approver)).status).toBe(401);
    expect(await isFrozen(what)).toBe(true);
    expect((await approve(id, guard)).status).toBe(200);
    expect(await isFrozen(what)).toBe(false);
  });

  test('what was asked of one freeze undoes no later one', async () => {
    await freeze(what, guard);
    const [old, now] = [await askedFor(what, admin), await askedFor(what, admin)];
    await approve(now, approver);
    expect(await isFrozen(what)).toBe(false);
    expect(await approve(old, approver)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    await freeze(what, guard);
    expect(await approve(old, approver)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    expect(await isFrozen(what)).toBe(true);
  });

  test('a repeat gets the same, and what is not frozen stays so at once', async () => {
    expect((await ask(what, admin)).status).toBe(200);
    await freeze(what, guard);
    const headers = { 'x-idempotency-key': 'unfreeze-once' };
    const [first, again] = [await ask(what, admin, headers), await ask(what, admin, headers)];
    expect([first.status, again.status]).toEqual([202, 202]);
    expect(again.body).toEqual(first.body);
  });

  test('a lone user gets back by the operator, and the audit log says so', async () => {
    await freeze(what, guard);
    const asked = { workspaceId, walletId: what === 'wallet' ? walletId : undefined, reason: 'nobody else is here' };
    expect(await unfreeze(api.db, testSeals, asked)).toBe(true);
    expect(await unfreeze(api.db, testSeals, asked)).toBe(false);
    expect(await isFrozen(what)).toBe(false);
    await sealAudit(api);
    const log = await call(guard, 'GET', `/workspaces/${workspaceId}/audit-logs?action=workspace%20unfreeze`);
    expect(log.body.data).toMatchObject([{ actor: 'operator', after: { frozen: false, reason: asked.reason } }]);
    const verified = await call(guard, 'GET', auditPath(workspaceId, '/verify').slice(7));
    expect(verified).toMatchObject({ status: 200, body: { data: { valid: true } } });
  });
});

test('a wallet that was unfrozen by a change is frozen again as any other, and one that is archived meanwhile stays so', async () => {
  await freeze('wallet', guard);
  await approve(await askedFor('wallet', admin), approver);
  expect(await isFrozen('wallet')).toBe(false);
  await freeze('wallet', guard);
  expect(await isFrozen('wallet')).toBe(true);
  const id = await askedFor('wallet', admin);
  expect((await call(guard, 'POST', `/wallets/${walletId}/archive`)).status).toBe(200);
  expect(await approve(id, approver)).toMatchObject({ status: 409 });
  expect((await call(guard, 'GET', `/wallets/${walletId}`)).body.data.status).toBe('archived');
});

test('many who ask, approve and freeze at once: no deadlock, and it ends as one of them left it', async () => {
  await freeze('wallet', guard);
  const ids = [await askedFor('wallet', admin), await askedFor('wallet', admin)];
  const answers = await Promise.all([
    ...ids.map((id) => approve(id, approver)),
    ...ids.map((id) => approve(id, guard)),
    ...ids.map(() => ask('wallet', admin)),
    freeze('wallet', guard),
  ]);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});

describe('the sandbox', () => {
  let sandbox: TestApi;
  beforeAll(async () => {
    sandbox = await startApi({ temporalAddress: '127.0.0.1:1' });
  });
  afterAll(() => sandbox.stop());

  test('one user unfreezes alone, and waits for another once the policy has `changes`', async () => {
    const post = (path: string, body?: unknown) => {
      calls += 1;
      const timestamp = Math.floor(Date.now() / 1000) - 280 + calls;
      return sandbox.call(path.endsWith('policy') ? 'PUT' : 'POST', `/api/v1${path}`, body, { timestamp });
    };
    const own = `/workspaces/${sandbox.workspaceId}`;
    const wallet = `/wallets/${await sandbox.makeActiveWallet()}`;
    for (const path of [`${own}/withdrawals`, wallet]) {
      expect((await post(`${path}/freeze`)).status).toBe(200);
      expect((await post(`${path}/unfreeze`)).status).toBe(200);
    }
    const document = { rules: [], default: { action: 'allow' }, changes: { approvals: 1 } };
    expect((await post(`${own}/policy`, document)).status).toBeLessThan(300);
    for (const path of [`${own}/withdrawals`, wallet]) {
      expect((await post(`${path}/freeze`)).status).toBe(200);
      expect(await post(`${path}/unfreeze`)).toMatchObject({ status: 202, body: { data: { status: 'pending' } } });
    }
  });
});
