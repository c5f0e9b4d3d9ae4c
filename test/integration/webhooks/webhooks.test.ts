// Goal: webhooks are made, read, changed, rotated and deleted as the contract says, and no secret is shown twice.
// Method: the API on a real database, case by status code; where names lead is what the test says. What is sent is in
// webhooks-deliveries.test.ts and in the controls H.
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../domain/scopes.ts';
import { decryptSecret, encryptSecret } from '../../../drizzle/secrets/encrypted-secret.ts';
import { findOrCreateServiceKey, serviceKeys } from '../../../drizzle/secrets/service-keys.ts';
import { webhooks } from '../../../drizzle/webhooks/webhooks.ts';
import { idempotencyKeys } from '../../../drizzle/writes/accepted-writes.ts';
import { reencryptColumns } from '../../../src/commands/reencrypt-columns.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { codeOf } from '../../support/api/api-keys.ts';
import { anotherSecond, pathsOf, startReceiver } from '../../support/api/webhooks.ts';
import { entryOf, parsed } from '../../support/rows/audit.ts';
import { keyEncryptionKey } from '../../support/rows/seals.ts';
import { storeWebhook } from '../../support/rows/stored-webhooks.ts';

const url = 'https://receiver.example/hook';
const keys = [Buffer.from(keyEncryptionKey, 'hex')] as const;
const names: Record<string, string[]> = {
  'receiver.example': ['93.184.215.14'],
  'inside.example': ['10.0.0.7'],
  'both.example': ['93.184.215.14', '::1'],
};

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ webhooks: { resolve: async (name) => names[name] ?? [] } });
});
afterAll(() => api.stop());

const write = (method: string, path: string, body?: unknown, options = {}) =>
  api.call(method, path, body, { ...anotherSecond(), ...options });
const create = (body: object = {}, options = {}) =>
  write('POST', pathsOf(api).webhooks, { url, events: ['wallet.created'], ...body }, options);
const pathOf = (id: string) => `/api/v1/webhooks/${id}`;
const rowOf = async (id: string) => (await api.db.select().from(webhooks).where(eq(webhooks.id, id)))[0];

describe('POST /workspaces/{workspace_id}/webhooks', () => {
  test('201: the record, and the secret of 32 bytes once', async () => {
    const { status, body } = await create({ description: 'Payouts' });
    expect(status).toBe(201);
    const { secret, ...record } = body.data;
    expect(record).toEqual({
      id: expect.any(String),
      workspace_id: api.workspaceId,
      url,
      events: ['wallet.created'],
      description: 'Payouts',
      status: 'active',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    const read = await api.call('GET', pathOf(record.id));
    expect(read).toMatchObject({ status: 200, body: { data: record } });
    expect(read.body.data).not.toHaveProperty('secret');
    const row = await rowOf(record.id);
    expect(Buffer.from(row?.encryptedSecret ?? []).includes(Buffer.from(secret))).toBe(false);
    expect(
      decryptSecret([Buffer.from(keyEncryptionKey, 'hex')], record.id, row?.encryptedSecret ?? new Uint8Array()).secret,
    ).toBe(secret);
  });

  test('201 again without the secret: a repeated idempotency key makes one webhook, and no answer that is kept holds a secret', async () => {
    const headers = { 'x-idempotency-key': 'make-it' };
    const first = await create({ description: 'once' }, { headers });
    const again = await create({ description: 'once' }, { headers });
    expect(again.status).toBe(201);
    const { secret, ...record } = first.body.data;
    expect(again.body.data).toEqual(record);
    const kept = JSON.stringify(await api.db.select().from(idempotencyKeys));
    expect(kept).not.toContain(secret);
    expect(await create({ description: 'other' }, { headers }).then(codeOf)).toEqual([409, 'idempotency_key_reused']);
  });

  test.each([
    ['an unknown type', { events: ['wallet.painted'] }],
    ['a type twice', { events: ['wallet.created', 'wallet.created'] }],
    ['no types', { events: undefined }],
    ['an unknown field', { secret: 'whsec_mine' }],
    ['a description that is too long', { description: 'x'.repeat(501) }],
    ['a url that is none', { url: 'nonsense' }],
    ['ftp', { url: 'ftp://receiver.example' }],
    ['a password', { url: 'https://user:password@receiver.example' }],
    ['a private address', { url: 'https://10.0.0.1/hook' }],
    ['the metadata of a cloud', { url: 'http://169.254.169.254/latest/meta-data' }],
    ['an IPv6 loopback', { url: 'https://[::1]:8443/' }],
    ['a name of this machine', { url: 'http://localhost:8080' }],
    ['a name that leads inside', { url: 'https://inside.example/' }],
    ['a name that leads inside too', { url: 'https://both.example/' }],
  ])('400: %s', async (_what, fields) => {
    const { status, body } = await create(fields);
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.message).toMatch(/^body[. ]/);
  });

  test.each([
    'https:///x',
    'https://@example.com/',
    'https://u@example.com',
    'https://example.com:0/',
    'https:example.com',
    ' https://example.com',
    'https://example.com\n',
    'https://exa\tmple.com',
    'https://example.com/\u0001',
    'https://a b.com',
    'https:\\\\example.com',
    'https://example.com\\x',
    'https:/example.com',
    'https://.',
    'https://..',
    'https://a..b/',
    'https://',
    'https://?x',
    'https://#',
    'https://[::1',
    `https://${'a'.repeat(64)}.com`,
    'https://example.com../',
    `https://${`${'a'.repeat(49)}.`.repeat(5)}abcdefg/`,
  ])('400: %j, in one sentence', async (odd) => {
    const { status, body } = await create({ url: odd });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    expect(body.message).toMatch(/^body\.url must .*\.$/);
    const { id } = (await create()).body.data;
    expect(codeOf(await write('PATCH', pathOf(id), { url: odd }))).toEqual([400, 'invalid_request']);
  });

  test.each([
    ['HTTPS://Receiver.Example:443', 'https://receiver.example/'],
    ['https://receiver.example/a/../b/./c?x=ä', 'https://receiver.example/b/c?x=%C3%A4'],
    ['https://receiver.example./', 'https://receiver.example./'],
    [`https://${'a'.repeat(63)}.com`, `https://${'a'.repeat(63)}.com/`],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ])('201: %s is stored in its normal form', async (written, normal) => {
    const made = await create({ url: written });
    expect([made.status, made.body.data?.url]).toEqual([201, normal]);
    const { id } = (await create()).body.data;
    expect((await write('PATCH', pathOf(id), { url: written })).body.data.url).toBe(normal);
    expect((await rowOf(id))?.url).toBe(normal);
    await write('DELETE', pathOf(id));
    await write('DELETE', pathOf(made.body.data.id));
  });

  test('201: a name that leads nowhere yet; http in the sandbox', async () => {
    expect((await create({ url: 'http://not-yet.example:8080/hook?token=1' })).status).toBe(201);
  });

  test('production takes https only; a deployment may allow private targets', async () => {
    const production = await api.startAnother({ production: true });
    expect(codeOf(await create({ url: 'http://receiver.example' }, { at: production.app }))).toEqual([
      400,
      'invalid_request',
    ]);
    await production.stop();
    const open = await api.startAnother({ webhooks: { allowPrivate: true } });
    expect((await create({ url: 'http://localhost:8080' }, { at: open.app })).status).toBe(201);
    await open.stop();
  });

  test('409: a workspace has at most 100', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const hundred = Array.from({ length: 100 }, () => {
      const id = uuidv7();
      return { id, workspaceId, url, events: [], encryptedSecret: encryptSecret(keys[0], id, 'unused') };
    });
    await api.db.insert(webhooks).values(hundred);
    const path = pathsOf({ workspaceId }).webhooks;
    expect(codeOf(await write('POST', path, { url, events: [] }, { key }))).toEqual([409, 'invalid_state']);
    const [{ id }] = (await api.call('GET', path, undefined, { key })).body.data;
    await write('DELETE', pathOf(id), undefined, { key });
    expect((await write('POST', path, { url, events: [] }, { key })).status).toBe(201);
  });
});

describe('the audit log', () => {
  test('keeps of a url neither a password nor what its query says, refused or accepted, before or after', async () => {
    const secret = `PASSW0RDX${randomBytes(8).toString('hex')}`;
    const refused = await create({ url: `https://user:${secret}@receiver.example/x` });
    const made = await create({ url: `https://receiver.example/hook?token=${secret}&b` });
    const changed = await write('PATCH', pathOf(made.body.data.id), { url: `https://receiver.example/?k=${secret}` });
    const deleted = await write('DELETE', pathOf(made.body.data.id));
    expect([refused, made, changed, deleted].map(({ status }) => status)).toEqual([400, 201, 200, 200]);
    const entries = await Promise.all([refused, made, changed, deleted].map((answer) => entryOf(api, answer)));
    expect(JSON.stringify(entries)).not.toContain(secret);
    const [atFirst, then] = ['https://receiver.example/hook?token=…&…', 'https://receiver.example/?k=…'];
    const [ofRefused, ofMade, ofChanged] = entries.map(({ body, before, after }) => [body, before, after].map(parsed));
    expect(ofRefused).toMatchObject([{ url: 'https://…@receiver.example/x' }, null, null]);
    expect(ofMade).toMatchObject([{ url: atFirst }, null, { url: atFirst }]);
    expect(ofChanged).toMatchObject([{ url: then }, { url: atFirst }, { url: then }]);
    expect((await rowOf(made.body.data.id))?.url).toBe(`https://receiver.example/?k=${secret}`);
  });
});

describe('a key that is bound to wallets', () => {
  test('403 on every route, also where it would only read', async () => {
    const key = await api.makeKey({ scopes: [...scopes], walletIds: [await api.makeActiveWallet()] });
    const { webhookId, deliveryId } = await storeWebhook(api, api.workspaceId);
    const calls = [
      ['GET', pathsOf(api).webhooks],
      ['POST', pathsOf(api).webhooks, { url, events: [] }],
      ['GET', pathsOf(api).verificationKey],
      ['GET', pathOf(webhookId)],
      ['PATCH', pathOf(webhookId), { events: [] }],
      ['DELETE', pathOf(webhookId)],
      ['POST', `${pathOf(webhookId)}/ping`],
      ['POST', `${pathOf(webhookId)}/rotate-secret`],
      ['POST', `${pathOf(webhookId)}/replay`, { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }],
      ['GET', `${pathOf(webhookId)}/deliveries`],
      ['POST', `/api/v1/webhooks/deliveries/${deliveryId}/redeliver`],
    ] as const;
    for (const [method, path, body] of calls)
      expect([method, path, ...codeOf(await write(method, path, body, { key }))]).toEqual([
        method,
        path,
        403,
        'wallet_not_allowed',
      ]);
    expect((await rowOf(webhookId))?.status).toBe('active');
  });
});

describe('PATCH /webhooks/{webhook_id}', () => {
  test('200: each field, and null takes the description away', async () => {
    const { id } = (await create({ description: 'before' })).body.data;
    const fields = { url: 'https://receiver.example/other', events: [], description: 'after' };
    const changed = await write('PATCH', pathOf(id), fields);
    expect(changed).toMatchObject({ status: 200, body: { data: { id, ...fields } } });
    expect(changed.body.data).not.toHaveProperty('secret');
    expect((await write('PATCH', pathOf(id), { description: null })).body.data).not.toHaveProperty('description');
  });

  test('disabled by a caller, and active again as if nothing had failed', async () => {
    const { webhookId } = await storeWebhook(api, api.workspaceId);
    await api.db.update(webhooks).set({ failingSince: new Date() }).where(eq(webhooks.id, webhookId));
    const disabled = await write('PATCH', pathOf(webhookId), { status: 'disabled' });
    expect(disabled.body.data).toMatchObject({ status: 'disabled', status_reason: 'requested' });
    const { body } = await api.call('GET', `${pathOf(webhookId)}/deliveries`);
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['failed']);
    const active = (await write('PATCH', pathOf(webhookId), { status: 'active' })).body.data;
    expect(active.status).toBe('active');
    for (const gone of ['status_reason', 'failing_since']) expect(active).not.toHaveProperty(gone);
  });

  test.each([
    ['nothing', {}],
    ['a private target', { url: 'https://192.168.0.1' }],
    ['a name that leads inside', { url: 'https://inside.example' }],
    ['a status that only we set', { status: 'deleted' }],
  ])('400: %s', async (_what, body) => {
    const { id } = (await create()).body.data;
    expect(codeOf(await write('PATCH', pathOf(id), body))).toEqual([400, 'invalid_request']);
    expect((await rowOf(id))?.url).toBe(url);
  });
});

describe('POST /webhooks/{webhook_id}/rotate-secret', () => {
  test('200: another secret, once; the former one is kept for a day', async () => {
    const { id, secret } = (await create()).body.data;
    const headers = { 'x-idempotency-key': `rotate-${id}` };
    const rotated = await write('POST', `${pathOf(id)}/rotate-secret`, undefined, { headers });
    expect(rotated.status).toBe(200);
    expect(rotated.body.data.secret).toMatch(/^whsec_/);
    expect(rotated.body.data.secret).not.toBe(secret);
    const again = await write('POST', `${pathOf(id)}/rotate-secret`, undefined, { headers });
    const { secret: _shown, ...record } = rotated.body.data;
    expect(again).toMatchObject({ status: 200, body: { data: record } });
    expect(again.body.data).not.toHaveProperty('secret');
    const row = await rowOf(id);
    expect(decryptSecret(keys, id, row?.encryptedFormerSecret ?? new Uint8Array()).secret).toBe(secret);
    expect(JSON.stringify(await api.db.select().from(idempotencyKeys))).not.toContain(rotated.body.data.secret);
  });
});

describe('DELETE /webhooks/{webhook_id}', () => {
  test('200, then 404 wherever it is named; its secrets are gone and what waited is sent no more', async () => {
    const { webhookId, deliveryId } = await storeWebhook(api, api.workspaceId);
    await write('POST', `${pathOf(webhookId)}/rotate-secret`);
    expect(await write('DELETE', pathOf(webhookId))).toMatchObject({
      status: 200,
      body: { data: { status: 'deleted' } },
    });
    const calls = [
      ['GET', pathOf(webhookId)],
      ['DELETE', pathOf(webhookId)],
      ['PATCH', pathOf(webhookId), { status: 'active' }],
      ['POST', `${pathOf(webhookId)}/ping`],
      ['POST', `${pathOf(webhookId)}/rotate-secret`],
      ['GET', `${pathOf(webhookId)}/deliveries`],
      ['POST', `/api/v1/webhooks/deliveries/${deliveryId}/redeliver`],
    ] as const;
    for (const [method, path, body] of calls)
      expect([method, path, ...codeOf(await write(method, path, body))]).toEqual([method, path, 404, 'not_found']);
    const row = await rowOf(webhookId);
    expect(row?.encryptedSecret).toHaveLength(0);
    expect(row?.encryptedFormerSecret).toBeNull();
    const { body } = await api.call('GET', `${pathsOf(api).webhooks}?limit=200`);
    expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(webhookId);
  });
});

describe('GET /workspaces/{workspace_id}/webhooks', () => {
  test('page after page, each webhook once, never with a secret', async () => {
    const { workspaceId, key } = await api.makeWorkspace();
    const stored = [];
    for (let made = 0; made < 5; made += 1) stored.push((await storeWebhook(api, workspaceId)).webhookId);
    const seen: string[] = [];
    let path: string | undefined = `${pathsOf({ workspaceId }).webhooks}?limit=2&sort_order=asc`;
    while (path !== undefined) {
      const { body, headers } = await api.call('GET', path, undefined, { key });
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      expect(JSON.stringify(body)).not.toMatch(/secret/);
      path = /<(.*)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];
    }
    expect(seen).toEqual(stored);
  });
});

describe('GET /workspaces/{workspace_id}/webhook-verification-key', () => {
  test('200: 32 bytes, the same each time and for every workspace', async () => {
    const { public_key: publicKey } = (await api.call('GET', pathsOf(api).verificationKey)).body.data;
    expect(Buffer.from(publicKey, 'base64')).toHaveLength(32);
    const { workspaceId, key } = await api.makeWorkspace();
    const other = await api.call('GET', pathsOf({ workspaceId }).verificationKey, undefined, { key });
    expect(other.body.data).toEqual({ public_key: publicKey });
  });

  test('404, and nothing is written, while there is none; the first webhook makes it', async () => {
    await api.db.delete(serviceKeys);
    expect(await api.call('GET', pathsOf(api).verificationKey)).toMatchObject({
      status: 404,
      body: { code: 'not_found', data: null },
    });
    for (const path of ['audit-logs/verify', 'audit-logs/export?format=jsonl'])
      expect((await api.call('GET', `/api/v1/workspaces/${api.workspaceId}/${path}`)).status).toBe(404);
    expect(await api.db.$count(serviceKeys)).toBe(0);
    await create();
    expect((await api.call('GET', pathsOf(api).verificationKey)).status).toBe(200);
  });
});

test('where nobody may send, nothing is asked when a webhook is made', async () => {
  const there = await startReceiver();
  await create({ url: there.url });
  expect(there.received).toEqual([]);
  await there.stop();
});

test('a new key-encryption key: secrets of webhooks and the key of the service are encrypted anew, and the former key decrypts none', async () => {
  const { id, secret } = (await create()).body.data;
  await write('POST', `${pathOf(id)}/rotate-secret`);
  await api.call('GET', pathsOf(api).verificationKey);
  const deleted = (await create()).body.data;
  await write('DELETE', pathOf(deleted.id));
  const [former, today] = [keys[0], randomBytes(32)];
  const first = await reencryptColumns(api.db, [today, former]);
  expect(first).toMatchObject({ current: 0, unreadable: [] });
  expect(first.reencrypted).toBeGreaterThanOrEqual(3);
  expect(await reencryptColumns(api.db, [today])).toEqual({
    reencrypted: 0,
    current: first.reencrypted,
    unreadable: [],
  });
  const row = await rowOf(id);
  const sealed = row?.encryptedFormerSecret ?? new Uint8Array();
  expect(decryptSecret([today], id, sealed).secret).toBe(secret);
  expect(() => decryptSecret([former], id, sealed)).toThrow();
  await expect(findOrCreateServiceKey(api.db, 'webhooks', [today])).resolves.toBeDefined();
  await expect(findOrCreateServiceKey(api.db, 'webhooks', [former])).rejects.toThrow();
  expect((await reencryptColumns(api.db, [randomBytes(32)])).unreadable).toHaveLength(first.reencrypted);
});
