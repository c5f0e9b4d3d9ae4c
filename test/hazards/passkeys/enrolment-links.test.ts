// Goal: an enrolment link makes one passkey, for an active user, in time, and is no way round the second person who
// must approve what gives power in production. Method: the API on a real database, as sandbox and as production, a
// passkey in software, and links that are used twice, late, at once, altered by SQL, and for others.
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { auditLogs } from '../../../drizzle/audit/audit-tables.ts';
import { enrolmentLinks } from '../../../drizzle/passkeys/enrolment-links.ts';
import { passkeys } from '../../../drizzle/passkeys/passkeys.ts';
import { insertUser } from '../../../drizzle/users/users.ts';
import { hashToken } from '../../../src/authentication/session-ring.ts';
import { VersionCheck } from '../../../src/worker/check-sealed-versions.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { ConsoleUser, makeConsoleUser, makeToken, ORIGIN, tokenOf } from '../../support/passkeys/console-user.ts';
import { SoftwarePasskey } from '../../support/passkeys/software-passkey.ts';
import { ApprovalStage, type KnownKey } from '../../support/rows/approvals.ts';
import { testSealing, testSeals } from '../../support/rows/seals.ts';

async function makeUser(api: TestApi): Promise<ConsoleUser> {
  const id = uuidv7();
  const { workspaceId } = api;
  await api.db.transaction((tx) => insertUser(tx, testSealing, { id, workspaceId, name: 'new', createdBy: 'test' }));
  return new ConsoleUser(api, id);
}
const notGood = { status: 409, body: { code: 'invalid_state', message: expect.stringContaining('not good') } };

describe('in the sandbox', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ temporalAddress: '127.0.0.1:1', consoleOrigin: ORIGIN });
  });
  afterAll(() => api.stop());

  const passkeysOf = (user: ConsoleUser) => api.db.select().from(passkeys).where(eq(passkeys.userId, user.userId));

  test('an administrator makes a link; it is shown once, kept as a hash, and its use is in the audit log', async () => {
    const user = await makeUser(api);
    const path = `/api/v1/users/${user.userId}/enrolment-links`;
    const headers = { 'x-idempotency-key': 'one-link' };
    const made = await api.call('POST', path, { expires_in_seconds: 600 }, { headers });
    expect(made).toMatchObject({ status: 201, body: { data: { status: 'open', user_id: user.userId } } });
    const { url } = made.body.data;
    expect(url).toMatch(/^http:\/\/localhost:8150\/console\/enrol#[\w-]{43}$/);
    const again = await api.call('POST', path, { expires_in_seconds: 600 }, { headers });
    expect(again.body.data.url).toBeUndefined();
    const [row] = await api.db.select().from(enrolmentLinks).where(eq(enrolmentLinks.id, made.body.data.id));
    expect(row?.tokenHash).toBe(hashToken(tokenOf(url)));
    expect((await user.enrol(tokenOf(url))).status).toBe(201);
    const [enrolled] = await passkeysOf(user);
    const entries = await api.db
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.resourceId, enrolled?.id ?? ''));
    expect(entries).toMatchObject([{ action: 'passkey enrolled', outcome: 'accepted' }]);
    expect(JSON.stringify(await api.db.select().from(auditLogs))).not.toContain(tokenOf(url));
  });

  test('used twice it makes no second passkey, and of two at once one is made', async () => {
    const user = await makeUser(api);
    const token = await makeToken(api, user.userId, ['viewer']);
    const both = await Promise.all([
      user.enrol(token, new SoftwarePasskey(ORIGIN)),
      user.enrol(token, new SoftwarePasskey(ORIGIN)),
    ]);
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409']);
    expect(await user.enrol(token, new SoftwarePasskey(ORIGIN))).toMatchObject(notGood);
    expect(await passkeysOf(user)).toHaveLength(1);
  });

  test('after its time, for a disabled user, and when nobody made it, it is not good', async () => {
    const user = await makeUser(api);
    expect(await user.enrol('D'.repeat(43))).toMatchObject(notGood);
    const token = await makeToken(api, user.userId, ['viewer']);
    expect((await api.call('PATCH', `/api/v1/users/${user.userId}`, { status: 'disabled' })).status).toBe(200);
    expect(await user.enrol(token)).toMatchObject(notGood);
    expect(await passkeysOf(user)).toEqual([]);

    const late = await makeUser(api);
    const made = await api.call('POST', `/api/v1/users/${late.userId}/enrolment-links`, { expires_in_seconds: 300 });
    const asked = await late.send('POST', '/console/session/enrolment-challenge', {
      token: tokenOf(made.body.data.url),
    });
    expect(asked.status).toBe(200);
    const longer = { expiresAt: new Date(Date.now() + 86_400_000), lifeSeconds: 604_800 };
    await api.db.update(enrolmentLinks).set(longer).where(eq(enrolmentLinks.id, made.body.data.id));
    expect(await late.enrol(tokenOf(made.body.data.url))).toMatchObject(notGood);
  });

  test('whoever can only write the database makes none: neither a link, nor one for another user', async () => {
    const [user, victim] = [await makeUser(api), await makeUser(api)];
    const token = await makeToken(api, user.userId, ['viewer']);
    const [row] = await api.db.select().from(enrolmentLinks).where(eq(enrolmentLinks.userId, user.userId));
    if (row === undefined) throw new Error('there is no link');
    const forged = { ...row, id: uuidv7(), userId: victim.userId, tokenHash: hashToken('E'.repeat(43)) };
    await api.db.insert(enrolmentLinks).values(forged);
    expect(await victim.enrol('E'.repeat(43))).toMatchObject(notGood);
    await api.db.update(enrolmentLinks).set({ userId: victim.userId }).where(eq(enrolmentLinks.id, row.id));
    expect(await victim.enrol(token)).toMatchObject(notGood);
  });

  test('a removed passkey and a used link that SQL puts back open nothing once the audit log was held against them', async () => {
    const user = await makeUser(api);
    const made = await api.call('POST', `/api/v1/users/${user.userId}/enrolment-links`, {});
    const token = tokenOf(made.body.data.url);
    expect((await api.call('PUT', `/api/v1/users/${user.userId}/roles`, { roles: ['viewer'] })).status).toBe(200);
    const isLink = eq(enrolmentLinks.id, made.body.data.id);
    const [openLink] = await api.db.select().from(enrolmentLinks).where(isLink);
    expect((await user.enrol(token)).status).toBe(201);
    const [passkey] = await passkeysOf(user);
    if (openLink === undefined || passkey === undefined) throw new Error('nobody was enrolled');
    expect((await api.call('DELETE', `/api/v1/passkeys/${passkey.id}`)).status).toBe(200);

    await api.db.update(enrolmentLinks).set(openLink).where(isLink);
    await api.db.update(passkeys).set(passkey).where(eq(passkeys.id, passkey.id));
    const check = new VersionCheck({ db: api.db, seals: testSeals, log: { warn: () => {}, error: () => {} } });
    const found = (await check.round()).map(({ rowId }) => rowId);
    expect(found).toEqual(expect.arrayContaining([openLink.id, passkey.id]));
    expect((await user.signIn()).status).toBe(401);
    expect(await user.enrol(token, new SoftwarePasskey(ORIGIN))).toMatchObject(notGood);
  });

  test('a challenge of one link makes no passkey by another, and one credential is enrolled once', async () => {
    const [user, other] = [await makeUser(api), await makeUser(api)];
    const [own, theirs] = [
      await makeToken(api, user.userId, ['viewer']),
      await makeToken(api, other.userId, ['viewer']),
    ];
    const { ticket, options } = (await user.send('POST', '/console/session/enrolment-challenge', { token: own })).body
      .data;
    const body = { ticket, registration: user.passkey.register(options.challenge), name: 'test' };
    expect((await user.send('POST', '/console/session/enrolment', { token: theirs, ...body })).status).toBe(409);
    expect((await user.send('POST', '/console/session/enrolment', { token: own, ...body })).status).toBe(201);
    expect((await other.enrol(theirs, user.passkey)).status).toBe(409);
    expect(await passkeysOf(other)).toEqual([]);
  });

  test.each<[string, Parameters<SoftwarePasskey['register']>[1]]>([
    ['for another site', { origin: 'https://evil.example' }],
    ['for another relying party', { relyingPartyId: 'evil.example' }],
    ['without a person who was verified', { flags: 0x41 }],
  ])('a key that was made %s is refused', async (_name, said) => {
    const user = await makeUser(api);
    const token = await makeToken(api, user.userId, ['viewer']);
    const { ticket, options } = (await user.send('POST', '/console/session/enrolment-challenge', { token })).body.data;
    const body = { token, ticket, registration: user.passkey.register(options.challenge, said), name: 'test' };
    expect((await user.send('POST', '/console/session/enrolment', body)).status).toBe(400);
    expect(await passkeysOf(user)).toEqual([]);
  });

  test('nobody enrols from another page, and nobody makes a link who does not administer users', async () => {
    const user = await makeUser(api);
    const token = await makeToken(api, user.userId, ['viewer']);
    const headers = { origin: 'https://evil.example' };
    const path = '/console/session/enrolment-challenge';
    expect((await user.send('POST', path, { token }, { headers })).status).toBe(401);
    const viewer = await makeConsoleUser(api, ['viewer']);
    for (const [method, what, body] of [
      ['POST', 'enrolment-links', {}],
      ['PUT', 'roles', { roles: ['administrator'] }],
      ['POST', 'sign-out', {}],
    ] as const)
      expect((await viewer.send(method, `/api/v1/users/${user.userId}/${what}`, body)).status).toBe(403);
    expect((await viewer.send('GET', `/api/v1/users/${user.userId}/passkeys`)).status).toBe(403);
  });

  test('nobody gives, by a role or by a link, what the own key lacks', async () => {
    const administrator = await makeConsoleUser(api, ['administrator']);
    const user = await makeUser(api);
    const path = `/api/v1/users/${user.userId}/roles`;
    expect((await administrator.send('PUT', path, { roles: ['approver'] })).status).toBe(403);
    expect((await administrator.send('PUT', path, { roles: ['operator'] })).status).toBe(200);
    const approver = await makeConsoleUser(api, ['approver']);
    const link = `/api/v1/users/${approver.userId}/enrolment-links`;
    expect((await administrator.send('POST', link, {})).status).toBe(403);
    expect(
      (
        await administrator.send('PUT', `/api/v1/users/${administrator.userId}/roles`, {
          roles: ['administrator', 'approver'],
        })
      ).status,
    ).toBe(403);
  });
});

describe('in production', () => {
  let api: TestApi;
  let stage: ApprovalStage;
  let approver: KnownKey;
  beforeAll(async () => {
    api = await startApi({ temporalAddress: '127.0.0.1:1', consoleOrigin: ORIGIN, production: true });
    stage = new ApprovalStage(api);
    approver = await stage.makeApprover();
  });
  afterAll(() => api.stop());

  const decide = (changeId: string, verb: 'approve' | 'reject', key: KnownKey) =>
    stage.call('POST', `/api/v1/changes/${changeId}/${verb}`, undefined, { key });

  test('a link opens nothing until another user has approved it, and none that was rejected', async () => {
    const user = await makeUser(api);
    const path = `/api/v1/users/${user.userId}/enrolment-links`;
    const asked = await stage.call('POST', path, {});
    expect(asked).toMatchObject({ status: 202, body: { data: { status: 'pending' } } });
    const { url, change_id } = asked.body.data;
    expect(await user.enrol(tokenOf(url))).toMatchObject(notGood);
    expect((await stage.call('POST', `/api/v1/changes/${change_id}/approve`)).status).toBe(403);
    expect((await decide(change_id, 'approve', approver)).status).toBe(200);
    expect((await user.enrol(tokenOf(url))).status).toBe(201);

    const another = (await stage.call('POST', path, {})).body.data;
    expect((await decide(another.change_id, 'reject', approver)).status).toBe(200);
    expect(await user.enrol(tokenOf(another.url), new SoftwarePasskey(ORIGIN))).toMatchObject(notGood);
  });

  test('also for one’s own user: a stolen API key enrols no passkey', async () => {
    const { user_id } = (await api.call('GET', '/api/v1/api-keys/self')).body.data;
    const asked = await stage.call('POST', `/api/v1/users/${user_id}/enrolment-links`, {});
    expect(asked).toMatchObject({ status: 202, body: { data: { status: 'pending' } } });
    const thief = new ConsoleUser(api, user_id);
    expect(await thief.enrol(tokenOf(asked.body.data.url))).toMatchObject(notGood);
  });

  test('a role waits for another user when it is more, and for nobody when it is less', async () => {
    const user = await makeUser(api);
    const path = `/api/v1/users/${user.userId}/roles`;
    const asked = await stage.call('PUT', path, { roles: ['approver'] });
    expect(asked).toMatchObject({
      status: 202,
      body: { data: { kind: 'give_roles', details: { roles: ['approver'] } } },
    });
    const rolesOf = async () =>
      (await api.db.select().from(apiKeys).where(eq(apiKeys.userId, user.userId))).map(({ roles }) => roles);
    expect(await rolesOf()).toEqual([]);
    expect((await decide(asked.body.data.id, 'approve', approver)).status).toBe(200);
    expect(await rolesOf()).toEqual([['approver']]);

    const stale = (await stage.call('PUT', path, { roles: ['approver', 'operator'] })).body.data;
    expect((await stage.call('PUT', path, { roles: ['viewer'] })).status).toBe(202);
    expect((await stage.call('PUT', path, { roles: [] })).status).toBe(200);
    expect((await decide(stale.id, 'approve', approver)).status).toBe(409);
  });
});
