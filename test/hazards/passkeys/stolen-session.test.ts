// Goal: a session of the console is worth nothing outside the console's own page, ends within a second everywhere when
// what it rests on does, and never becomes more than its user's roles. Method: two API instances on one database, a
// passkey in software, and requests as other pages, other tabs and thieves would send them.
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { passkeys } from '../../../drizzle/passkeys/passkeys.ts';
import { sessions } from '../../../drizzle/passkeys/sessions.ts';
import { readConsoleOrigin, sessionCookie } from '../../../src/authentication/own-page.ts';
import { hashToken } from '../../../src/authentication/session-ring.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { ConsoleUser, makeConsoleUser, makeToken, ORIGIN } from '../../support/passkeys/console-user.ts';
import { SoftwarePasskey } from '../../support/passkeys/software-passkey.ts';

const WITHIN_MS = 1_000;
const SELF = '/api/v1/api-keys/self';
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let api: TestApi;
let second: Awaited<ReturnType<TestApi['startAnother']>>;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', consoleOrigin: ORIGIN });
  second = await api.startAnother();
});
afterAll(async () => {
  await second.stop();
  await api.stop();
});

const users = () => `/api/v1/workspaces/${api.workspaceId}/users`;
const refused = { status: 401, body: { code: 'unauthorized', message: 'invalid api signature', data: null } };

test('a session acts as its user, with the scopes of the roles and no others', async () => {
  const viewer = await makeConsoleUser(api, ['viewer']);
  const self = await viewer.send('GET', SELF);
  expect(self).toMatchObject({ status: 200, body: { data: { user_id: viewer.userId, roles: ['viewer'] } } });
  expect((await viewer.send('GET', `/api/v1/workspaces/${api.workspaceId}/wallets`)).status).toBe(200);
  expect(await viewer.send('POST', '/api/v1/wallets', { name: 'w', wallet_type: 'mpc' })).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  });
  const other = await api.makeWorkspace();
  expect((await viewer.send('GET', `/api/v1/workspaces/${other.workspaceId}/wallets`)).status).toBe(404);
});

test('the cookie is for the page of the console alone, and short-lived', async () => {
  const user = await makeConsoleUser(api, ['viewer']);
  const cookie = String((await user.signIn()).headers['set-cookie']);
  expect(cookie).toMatch(/^countersign-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800$/);
  const secure = sessionCookie(readConsoleOrigin('https://console.example.com'), 'token', 60);
  expect(secure).toBe('__Host-countersign-session=token; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure');
});

describe('CSRF: what another page has the browser send is refused', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['from another origin', { origin: 'https://evil.example' }],
    ['from another port of this machine', { origin: 'http://localhost:9999' }],
    ['from a page without an origin', { origin: 'null' }],
    ['without an origin', { origin: undefined }],
    ['without the header of the console', { 'x-countersign-console': undefined }],
    ['that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['that the browser calls same-site', { 'sec-fetch-site': 'same-site' }],
    ['that somebody typed', { 'sec-fetch-site': 'none' }],
  ])('%s', async (_name, headers) => {
    const administrator = await makeConsoleUser(api, ['administrator']);
    expect(await administrator.send('POST', users(), { name: 'Mallory' }, { headers })).toMatchObject(refused);
    const listed = await administrator.send('GET', users());
    expect(JSON.stringify(listed.body)).not.toContain('Mallory');
    expect((await administrator.signIn({ headers })).status).toBe(401);
  });

  test('reads are refused as well without the header, and when the browser names another page', async () => {
    const viewer = await makeConsoleUser(api, ['viewer']);
    for (const headers of [
      { 'x-countersign-console': undefined },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ])
      expect(await viewer.send('GET', SELF, undefined, { headers })).toMatchObject(refused);
    expect((await viewer.send('GET', SELF, undefined, { headers: { origin: undefined } })).status).toBe(200);
  });
});

test('a cookie does not help out where a signature fails, nor another cookie of that name', async () => {
  const viewer = await makeConsoleUser(api, ['viewer']);
  const headers = { 'access-api-key': api.admin.apiKey };
  expect(await viewer.send('GET', SELF, undefined, { headers })).toMatchObject(refused);
  const twice = { cookie: `${viewer.cookie}; countersign-session=${'A'.repeat(43)}` };
  expect(await viewer.send('GET', SELF, undefined, { headers: twice })).toMatchObject(refused);
});

test('session fixation: the token is always a new one, and the one that the browser had ends', async () => {
  const user = await makeConsoleUser(api, ['viewer']);
  const planted = `countersign-session=${'B'.repeat(43)}`;
  user.cookie = planted;
  expect((await user.signIn()).status).toBe(201);
  expect(user.cookie).not.toBe(planted);
  const first = user.cookie;
  await user.signIn();
  expect(user.cookie).not.toBe(first);
  const former = new ConsoleUser(api, user.userId);
  former.cookie = first;
  expect(await former.send('GET', SELF)).toMatchObject(refused);
  expect((await user.send('GET', SELF)).status).toBe(200);
});

describe('what a session must not do', () => {
  test('make, rotate or take a secret: that is for signed requests', async () => {
    const administrator = await makeConsoleUser(api, ['administrator']);
    const key = await administrator.send('GET', SELF);
    const asked = [
      ['POST', `/api/v1/workspaces/${api.workspaceId}/api-keys`, { name: 'mine', scopes: ['wallets:read'] }],
      ['POST', `/api/v1/api-keys/${key.body.data.id}/rotate`, {}],
      ['POST', `/api/v1/api-keys/${key.body.data.id}/take-secret`, {}],
    ] as const;
    for (const [method, path, body] of asked)
      expect(await administrator.send(method, path, body)).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope' },
      });
  });

  test('nor does an API key make a secret for the key of the sessions, or change it', async () => {
    const user = await makeConsoleUser(api, ['viewer']);
    const { id } = (await user.send('GET', SELF)).body.data;
    for (const [method, path, body] of [
      ['POST', `/api/v1/api-keys/${id}/rotate`, {}],
      ['PATCH', `/api/v1/api-keys/${id}`, { scopes: ['api_keys:admin'] }],
    ] as const)
      expect(await api.call(method, path, body)).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
    const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    expect(row?.secretEncrypted).toHaveLength(0);
    const stolen = { apiKey: row?.apiKey ?? '', apiSecret: '' };
    expect(await api.call('GET', SELF, undefined, { key: stolen })).toMatchObject(refused);
  });
});

describe('a session ends within a second on every process', () => {
  async function expectEnded(user: ConsoleUser): Promise<void> {
    expect(await user.send('GET', SELF)).toMatchObject(refused);
    await sleep(WITHIN_MS);
    expect(await user.send('GET', SELF, undefined, { at: second.app })).toMatchObject(refused);
  }
  async function startBoth(roles: Parameters<typeof makeConsoleUser>[1]): Promise<ConsoleUser> {
    const user = await makeConsoleUser(api, roles);
    for (const at of [api.app, second.app]) expect((await user.send('GET', SELF, undefined, { at })).status).toBe(200);
    return user;
  }

  test('when its user is disabled, who also signs in no more, and not by the old session once enabled again', async () => {
    const user = await startBoth(['viewer']);
    expect((await api.call('PATCH', `/api/v1/users/${user.userId}`, { status: 'disabled' })).status).toBe(200);
    await expectEnded(user);
    expect((await user.signIn()).status).toBe(401);
    expect((await api.call('PATCH', `/api/v1/users/${user.userId}`, { status: 'active' })).status).toBe(200);
    await expectEnded(user);
    expect((await user.signIn()).status).toBe(401);
  });

  test('when its user is disabled: a request of it that waits for events is told nothing', async () => {
    const user = await startBoth(['viewer']);
    const events = `/api/v1/workspaces/${api.workspaceId}/events?after_seq=1000000`;
    const waiting = user.send('GET', events, undefined, { at: second.app, headers: { prefer: 'wait=3' } });
    await sleep(300);
    expect((await api.call('PATCH', `/api/v1/users/${user.userId}`, { status: 'disabled' })).status).toBe(200);
    expect(await waiting).toMatchObject(refused);
  });

  test('when every role is taken', async () => {
    const user = await startBoth(['viewer']);
    expect((await api.call('PUT', `/api/v1/users/${user.userId}/roles`, { roles: [] })).status).toBe(200);
    await expectEnded(user);
  });

  test('when its passkey is removed', async () => {
    const user = await startBoth(['viewer']);
    const [passkey] = await api.db.select().from(passkeys).where(eq(passkeys.userId, user.userId));
    expect((await api.call('DELETE', `/api/v1/passkeys/${passkey?.id}`)).status).toBe(200);
    await expectEnded(user);
    expect((await user.signIn()).status).toBe(401);
  });

  test('by signing out everywhere, in every browser; and in one browser, of that alone', async () => {
    const user = await startBoth(['viewer']);
    const tab = new ConsoleUser(api, user.userId);
    tab.passkey = user.passkey;
    await tab.signIn();
    expect((await tab.send('DELETE', '/console/session')).headers['set-cookie']).toContain('Max-Age=0');
    expect(await tab.send('GET', SELF)).toMatchObject(refused);
    expect((await user.send('GET', SELF)).status).toBe(200);
    await tab.signIn();
    const out = await user.send('POST', `/api/v1/users/${user.userId}/sign-out`);
    expect(out).toMatchObject({ status: 200, body: { data: { sessions_ended: 2 } } });
    for (const browser of [user, tab]) await expectEnded(browser);
  });

  test('when its time is over, or it was not used for long', async () => {
    const user = await startBoth(['viewer']);
    const token = user.cookie?.split('=')[1] ?? '';
    const isIts = eq(sessions.tokenHash, hashToken(token));
    await api.db
      .update(sessions)
      .set({ lastUsedAt: new Date(Date.now() - 16 * 60_000) })
      .where(isIts);
    await sleep(WITHIN_MS);
    expect(await user.send('GET', SELF)).toMatchObject(refused);
  });
});

test('a role that is lowered during a session holds within a second, and one that is given as well', async () => {
  const user = await makeConsoleUser(api, ['administrator']);
  expect((await user.send('GET', users(), undefined, { at: second.app })).status).toBe(200);
  expect((await api.call('PUT', `/api/v1/users/${user.userId}/roles`, { roles: ['auditor'] })).status).toBe(200);
  expect((await user.send('GET', users())).status).toBe(403);
  await sleep(WITHIN_MS);
  expect((await user.send('GET', users(), undefined, { at: second.app })).status).toBe(403);
  expect((await user.send('GET', `/api/v1/workspaces/${api.workspaceId}/audit-logs`)).status).toBe(200);
});

describe('signing in', () => {
  test('an answer counts once, and only for what it was asked', async () => {
    const user = await makeConsoleUser(api, ['viewer']);
    const { ticket, challenge } = await user.askToSignIn();
    const answer = { ticket, ...user.passkey.answer(challenge) };
    expect((await user.signInWith(answer)).status).toBe(201);
    expect((await user.signInWith(answer)).status).toBe(401);
    const vote = {
      subject: 'withdrawal',
      subject_id: api.workspaceId,
      digest: '0'.repeat(64),
      decision: 'approved',
    } as const;
    expect((await user.signInWith(await user.prove(vote))).status).toBe(401);
  });

  test.each<[string, Parameters<SoftwarePasskey['answer']>[1]]>([
    ['for another site', { origin: 'https://evil.example' }],
    ['for another relying party', { relyingPartyId: 'evil.example' }],
    ['that makes a key', { type: 'webauthn.create' }],
    ['without a person who was verified', { flags: 0x01 }],
    ['without a person', { flags: 0x00 }],
  ])('an answer %s is refused, and the audit log tells of it', async (_name, said) => {
    const user = await makeConsoleUser(api, ['viewer']);
    const { ticket, challenge } = await user.askToSignIn();
    expect(await user.signInWith({ ticket, ...user.passkey.answer(challenge, said) })).toMatchObject(refused);
    const [key] = await api.db.select().from(apiKeys).where(eq(apiKeys.userId, user.userId));
    const isItsFailure = and(eq(auditLogs.actorId, key?.id ?? ''), eq(auditLogs.outcome, 'refused'));
    await expect
      .poll(() => api.db.select().from(auditLogs).where(isItsFailure), { timeout: 10_000 })
      .toMatchObject([{ action: 'console sign-in', code: 'unauthorized', ip: user.address, body: null }]);
  });

  test('a counter that does not go up is refused: somebody has a copy of the key', async () => {
    const user = await makeConsoleUser(api, ['viewer']);
    user.passkey.counter = 7;
    expect((await user.signIn()).status).toBe(201);
    for (const counter of [7, 6, 0]) {
      user.passkey.counter = counter;
      expect((await user.signIn()).status).toBe(401);
    }
    user.passkey.counter = 8;
    expect((await user.signIn()).status).toBe(201);
  });

  test('an address may try so often a minute, and others go on', async () => {
    const [crowd, user] = [await makeConsoleUser(api, ['viewer']), await makeConsoleUser(api, ['viewer'])];
    const tried: number[] = [];
    for (let times = 0; times < 60; times += 1)
      tried.push((await crowd.send('POST', '/console/session/challenge')).status);
    expect(tried.filter((status) => status === 429)).not.toEqual([]);
    expect((await user.signIn()).status).toBe(201);
  });

  test('of two at once with one answer one signs in', async () => {
    const user = await makeConsoleUser(api, ['viewer']);
    const { ticket, challenge } = await user.askToSignIn();
    const answer = { ticket, ...user.passkey.answer(challenge) };
    const both = await Promise.all([user.signInWith(answer), user.signInWith(answer, { at: second.app })]);
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '401']);
  });

  test('a passkey opens its own user’s workspace, whomever it claims to be', async () => {
    const user = await makeConsoleUser(api, ['viewer']);
    const victim = await makeConsoleUser(api, ['administrator']);
    const thief = new ConsoleUser(api, victim.userId);
    thief.passkey = user.passkey;
    expect((await thief.signIn()).status).toBe(401);
  });
});

test('one’s own last passkey stays, another one is added by an answer of the first, and that one is then removed', async () => {
  const user = await makeConsoleUser(api, ['viewer']);
  const list = `/api/v1/users/${user.userId}/passkeys`;
  const [first] = (await user.send('GET', list)).body.data;
  expect(first).toMatchObject({ name: 'test', backup_eligible: true, backed_up: true, counter: 0 });
  expect(await user.send('DELETE', `/api/v1/passkeys/${first.id}`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('last passkey') },
  });
  const asked = (await user.send('POST', '/console/session/passkeys/challenge')).body.data;
  const answer = { ticket: asked.ticket, ...user.passkey.answer(asked.challenge) };
  const creation = await user.send('POST', '/console/session/passkeys/creation-challenge', answer);
  expect(await user.send('POST', '/console/session/passkeys/creation-challenge', answer)).toMatchObject({
    status: 401,
  });
  const another = new SoftwarePasskey(ORIGIN);
  const { ticket, options } = creation.body.data;
  const made = { ticket, registration: another.register(options.challenge), name: 'another' };
  expect((await user.send('POST', '/console/session/passkeys', made)).status).toBe(201);
  expect((await user.send('POST', '/console/session/passkeys', made)).status).toBe(401);
  expect((await user.send('DELETE', `/api/v1/passkeys/${first.id}`)).status).toBe(200);
  expect((await user.send('GET', SELF)).status).toBe(401);
  user.passkey = another;
  expect((await user.signIn()).status).toBe(201);
});

test('without a console’s origin nobody signs in there, and no cookie is looked at', async () => {
  const user = await makeConsoleUser(api, ['viewer']);
  const off = await api.startAnother({ consoleOrigin: '' });
  expect((await user.send('POST', '/console/session/challenge', undefined, { at: off.app })).status).not.toBe(200);
  expect(await user.send('GET', SELF, undefined, { at: off.app })).toMatchObject(refused);
  await off.stop();
});

test('whoever can only write the database makes no session, no passkey and no role', async () => {
  const user = await makeConsoleUser(api, ['viewer']);
  const [key] = await api.db.select().from(apiKeys).where(eq(apiKeys.userId, user.userId));
  const [passkey] = await api.db.select().from(passkeys).where(eq(passkeys.userId, user.userId));
  if (key === undefined || passkey === undefined) throw new Error('there is no user');
  const [known] = await api.db.select().from(sessions).where(eq(sessions.userId, user.userId));
  const token = 'C'.repeat(43);
  await api.db.insert(sessions).values({
    ...(known as object),
    id: crypto.randomUUID(),
    tokenHash: hashToken(token),
  } as typeof sessions.$inferInsert);
  const thief = new ConsoleUser(api, user.userId);
  thief.cookie = `countersign-session=${token}`;
  expect(await thief.send('GET', SELF)).toMatchObject(refused);

  const administrator = await makeConsoleUser(api, ['administrator']);
  await api.db.update(passkeys).set({ userId: administrator.userId }).where(eq(passkeys.id, passkey.id));
  thief.passkey = user.passkey;
  thief.cookie = undefined;
  expect((await thief.signIn()).status).toBe(401);

  const writer = await makeConsoleUser(api, ['viewer']);
  await api.db
    .update(apiKeys)
    .set({ scopes: ['api_keys:admin'] })
    .where(eq(apiKeys.userId, writer.userId));
  await sleep(WITHIN_MS);
  expect(await writer.send('GET', users())).toMatchObject(refused);
  expect(await makeToken(api, user.userId, undefined)).toHaveLength(43);
});
