// Goal: the key-encryption key can be replaced while the service runs: nothing is refused in between, and afterwards
// the old key decrypts nothing. Method: the operator's steps on a real database, with API instances under the old key,
// both keys and the new key.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKeys, sealedApiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { Seals } from '../../../drizzle/seals/seals.ts';
import { decryptSecret, encryptSecret } from '../../../drizzle/secrets/encrypted-secret.ts';
import { sealedUsers, users } from '../../../drizzle/users/users.ts';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { reencryptSecrets } from '../../../src/commands/reencrypt-secrets.ts';
import { resealRows } from '../../../src/commands/seal-rows.ts';
import { runCommand } from '../../../src/local/processes/service-processes.ts';
import { startApi, type TestApi, type TestKey } from '../../support/api/api.ts';
import { createTestDatabase } from '../../support/processes/postgres.ts';

const SELF = '/api/v1/api-keys/self';
const [oldHex, newHex] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
const [oldKey, newKey] = [Buffer.from(oldHex, 'hex'), Buffer.from(newHex, 'hex')];

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const rows = () => api.db.select().from(apiKeys).orderBy(asc(apiKeys.id));

/** Rows without a seal, as if they were made under this key-encryption key. */
async function sealUnder(key: Buffer): Promise<void> {
  for (const table of [sealedApiKeys, sealedUsers]) await table.sealAll(api.db, new Seals([key]));
}

/** A key that the old key-encryption key protects, with a secret before its last one. */
async function makeOldKey(): Promise<TestKey & { previousSecret: string; id: string }> {
  const key = await api.makeKey({});
  const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.apiKey, key.apiKey));
  const id = row?.id as string;
  const previousSecret = `cs_${randomBytes(8).toString('hex')}`;
  await api.db
    .update(apiKeys)
    .set({
      secretEncrypted: encryptSecret(oldKey, id, key.apiSecret),
      previousSecretEncrypted: encryptSecret(oldKey, id, previousSecret),
      previousSecretExpiresAt: new Date(Date.now() + 3_600_000),
      seal: null,
    })
    .where(eq(apiKeys.id, id));
  await api.db.update(users).set({ seal: null }).where(eq(users.id, id));
  await sealUnder(oldKey);
  return { ...key, previousSecret, id };
}

test('the steps of the operator, with the service running', async () => {
  await api.db.delete(apiKeys);
  const keys = [];
  // More than one batch.
  for (let made = 0; made < 230; made += 1) keys.push(await makeOldKey());
  const both = await api.startAnother({ keyEncryptionKeys: [newHex, oldHex] });
  const key = keys[117] as (typeof keys)[number];
  const signs = async (at: typeof both.app) =>
    Promise.all(
      [key.apiSecret, key.previousSecret].map(
        async (apiSecret) => (await api.call('GET', SELF, undefined, { at, key: { ...key, apiSecret } })).status,
      ),
    );
  expect(await signs(both.app)).toEqual([200, 200]);

  // Interrupted: only a few were done.
  for (const row of (await rows()).slice(0, 40))
    await api.db
      .update(apiKeys)
      .set({
        secretEncrypted: encryptSecret(newKey, row.id, decryptSecret([oldKey], row.id, row.secretEncrypted).secret),
        seal: null,
      })
      .where(eq(apiKeys.id, row.id));
  await sealUnder(oldKey);
  const before = await rows();
  expect(await reencryptSecrets(api.db, [newKey, oldKey])).toEqual({ reencrypted: 230, current: 0, unreadable: [] });
  expect(await reencryptSecrets(api.db, [newKey, oldKey])).toEqual({ reencrypted: 0, current: 230, unreadable: [] });
  expect(await resealRows(api.db, new Seals([newKey, oldKey]))).toMatchObject({ broken: expect.any(Array) });
  const after = await rows();
  expect(after.map(({ updatedAt }) => updatedAt)).toEqual(before.map(({ updatedAt }) => updatedAt));
  for (const row of after) {
    expect(() => decryptSecret([oldKey], row.id, row.secretEncrypted)).toThrow();
    expect(() => decryptSecret([oldKey], row.id, row.previousSecretEncrypted as Uint8Array)).toThrow();
  }

  const done = await api.startAnother({ keyEncryptionKeys: [newHex] });
  expect(await signs(both.app)).toEqual([200, 200]);
  expect(await signs(done.app)).toEqual([200, 200]);
  await both.stop();
  await done.stop();
});

test('two runs at once, and rotations in between, lose no secret', async () => {
  await api.db.delete(apiKeys);
  const keys = await Promise.all(Array.from({ length: 20 }, () => makeOldKey()));
  const rotated = new Map<string, string>();
  const rotateSome = async () => {
    for (const { id } of keys.slice(0, 10)) {
      const secret = `cs_${randomBytes(8).toString('hex')}`;
      rotated.set(id, secret);
      // As a process would that still has the old key only.
      await api.db
        .update(apiKeys)
        .set({ secretEncrypted: encryptSecret(oldKey, id, secret) })
        .where(eq(apiKeys.id, id));
    }
  };
  await Promise.all([
    reencryptSecrets(api.db, [newKey, oldKey]),
    rotateSome(),
    reencryptSecrets(api.db, [newKey, oldKey]),
  ]);
  await reencryptSecrets(api.db, [newKey, oldKey]);
  for (const row of await rows()) {
    const expected = rotated.get(row.id) ?? keys.find(({ id }) => id === row.id)?.apiSecret;
    expect(decryptSecret([newKey], row.id, row.secretEncrypted).secret).toBe(expected);
  }
});

test('a secret under neither key is named and left as it is; the others are done', async () => {
  await api.db.delete(apiKeys);
  const [lost, kept] = [await makeOldKey(), await makeOldKey()];
  const foreign = encryptSecret(randomBytes(32), lost.id, 'lost');
  await api.db.update(apiKeys).set({ secretEncrypted: foreign }).where(eq(apiKeys.id, lost.id));
  expect(await reencryptSecrets(api.db, [newKey, oldKey])).toEqual({
    reencrypted: 1,
    current: 0,
    unreadable: [lost.id],
  });
  const left = new Map((await rows()).map(({ id, secretEncrypted }) => [id, secretEncrypted]));
  expect(Buffer.from(left.get(lost.id) ?? [])).toEqual(Buffer.from(foreign));
  expect(decryptSecret([newKey], kept.id, left.get(kept.id) as Uint8Array).secret).toBe(kept.apiSecret);
});

test("a secret in another key's row, or altered by one bit, is never decrypted", async () => {
  const [one, other] = [await makeOldKey(), await makeOldKey()];
  const sealed = encryptSecret(oldKey, one.id, 'secret');
  expect(() => decryptSecret([oldKey], other.id, sealed)).toThrow();
  for (let index = 0; index < sealed.length; index += 1) {
    const altered = Uint8Array.from(sealed);
    altered[index] = (altered[index] as number) ^ 1;
    expect(() => decryptSecret([newKey, oldKey], one.id, altered)).toThrow();
  }
});

test("the operator's command does it, says what it did and shows no key", async () => {
  const database = await createTestDatabase();
  const connection = connectDatabase(database.url, { poolSize: 1, name: 'test-key-encryption' });
  const { apiSecret } = await createWorkspace(connection.db, 'operator', oldHex);
  const run = (keys: Record<string, string>) =>
    runCommand(
      {
        dist: join(import.meta.dirname, '../../../dist'),
        logDirectory: '',
        environment: { PATH: process.env['PATH'], DATABASE_URL: database.url, ...keys },
        onStart: () => {},
      },
      'workspace',
      ['rotate-key-encryption-key'],
    );
  const both = { KEY_ENCRYPTION_KEY: newHex, KEY_ENCRYPTION_KEY_PREVIOUS: oldHex };
  await expect(run({ KEY_ENCRYPTION_KEY: newHex })).rejects.toThrow(/decrypts the secrets of 1 API keys/);
  const said = [await run(both), await run(both), await run({ KEY_ENCRYPTION_KEY: newHex })];
  expect(said.map((text) => /anew: (\d+).*already: (\d+)/.exec(text)?.slice(1))).toEqual([
    ['1', '0'],
    ['0', '1'],
    ['0', '1'],
  ]);
  for (const secret of [oldHex, newHex, apiSecret]) expect(said.join()).not.toContain(secret);
  await connection.close();
  await database.drop();
});
