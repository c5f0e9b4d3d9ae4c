// A seal holds for exactly what it was made over, under a key that the caller has. Goal: nothing that whoever writes
// the database can put together passes for one.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { BrokenSealError, Seals } from '../../../drizzle/seals/seals.ts';

const [today, former] = [randomBytes(32), randomBytes(32)];
const content = { id: '0190-1', workspace_id: 'w', scopes: ['signing:write'], expires_at: null };

test('holds for the same content, whatever the order of its columns', () => {
  const seals = new Seals([today]);
  const seal = seals.seal('api_key', content);
  expect(seal).toMatch(/^1\.[0-9a-f]{64}$/);
  const { id, ...others } = content;
  expect(seals.holds('api_key', { ...others, id }, seal)).toBe(true);
});

test.each([
  ['another value', { ...content, scopes: ['signing:write', 'api_keys:admin'] }],
  ['another id', { ...content, id: '0190-2' }],
  ['another workspace', { ...content, workspace_id: 'x' }],
  ['a column less', { id: content.id, workspace_id: 'w', scopes: content.scopes }],
  ['a column more', { ...content, revoked_at: null }],
])('does not hold for %s', (_what, changed) => {
  const seals = new Seals([today]);
  expect(seals.holds('api_key', changed, seals.seal('api_key', content))).toBe(false);
});

test('does not hold for a row of another kind with the same columns', () => {
  const seals = new Seals([today]);
  expect(seals.holds('user', content, seals.seal('api_key', content))).toBe(false);
});

test.each([null, '', '1.', `1.${'0'.repeat(64)}`, `2.${'0'.repeat(64)}`, `1.${'0'.repeat(63)}`])(
  'does not hold when the seal is %j',
  (seal) => {
    expect(new Seals([today]).holds('api_key', content, seal)).toBe(false);
  },
);

test('holds under the former key while it is there, and is current only under the one of today', () => {
  const before = new Seals([former]).seal('api_key', content);
  const both = new Seals([today, former]);
  expect(both.holds('api_key', content, before)).toBe(true);
  expect(both.isCurrent('api_key', content, before)).toBe(false);
  expect(both.isCurrent('api_key', content, both.seal('api_key', content))).toBe(true);
  expect(new Seals([today]).holds('api_key', content, before)).toBe(false);
});

test('the key of the seals is not the one that encrypts secrets', async () => {
  const { createHmac } = await import('node:crypto');
  const { canonicalJson } = await import('../../../domain/canonical-json.ts');
  const mac = createHmac('sha256', today)
    .update(`api_key\n${canonicalJson(content)}`)
    .digest('hex');
  expect(new Seals([today]).holds('api_key', content, `1.${mac}`)).toBe(false);
});

test('what does not count is reported by kind and id, and thrown as a sentence without its content', () => {
  const broken: object[] = [];
  const seals = new Seals([today], (what) => broken.push(what));
  expect(() => seals.assert('api_key', content.id, content, null)).toThrow(BrokenSealError);
  expect(() => seals.assert('api_key', content.id, content, null)).toThrow(
    'the api key 0190-1 was not written by this service, or was changed since',
  );
  expect(seals.counts('api_key', content.id, content, seals.seal('api_key', content))).toBe(true);
  expect(broken).toEqual([
    { kind: 'api_key', id: content.id },
    { kind: 'api_key', id: content.id },
  ]);
});
