// Goal: an operator who follows "Users and their keys" of RUNBOOK.md makes the users of a workspace and gets them back
// in. Method: the shell blocks of that part are read out of it and run as they stand there, from the first to the last,
// against a database of their own; the keys that they show sign requests.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approverScopes } from '../../../domain/users/roles.ts';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { keyEncryptionKey } from '../../support/rows/seals.ts';

const root = join(import.meta.dirname, '../../..');
const part =
  readFileSync(join(root, 'RUNBOOK.md'), 'utf8').split('\n## Users and their keys\n')[1]?.split('\n## ')[0] ?? '';
const blocks = [...part.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ production: true, temporalAddress: '127.0.0.1:1' });
});
afterAll(() => api.stop());

interface Shown {
  workspace_id: string;
  user_id: string;
  api_key: string;
  api_secret: string;
}

/** The block with this command. */
async function run(command: string, variables: Record<string, string> = {}): Promise<Shown> {
  const found = blocks.filter((text) => text.includes(`-- ${command} `));
  if (found.length !== 1) throw new Error(`RUNBOOK.md has ${found.length} blocks with ${command}`);
  const own = { DATABASE_URL: api.databaseUrl, KEY_ENCRYPTION_KEY: keyEncryptionKey, npm_config_loglevel: 'silent' };
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...own, ...variables };
  const { stdout } = await promisify(execFile)('sh', ['-ec', found[0] ?? ''], { cwd: root, env });
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}

const keyOf = ({ api_key: apiKey, api_secret: apiSecret }: Shown) => ({ apiKey, apiSecret });
let calls = 0;
function call(method: string, path: string, body: unknown, shown: Shown) {
  calls += 1;
  const timestamp = Math.floor(Date.now() / 1000) - 100 + calls;
  return api.call(method, `/api/v1${path}`, body, { key: keyOf(shown), timestamp });
}
const self = async (shown: Shown) => (await call('GET', '/api-keys/self', undefined, shown)).body.data;

test('each block makes what the text says', { timeout: 120_000 }, async () => {
  expect(blocks).toHaveLength(5);
  const first = await run('create');
  const WORKSPACE = first.workspace_id;
  const ada = await run('create-user', { WORKSPACE });
  expect(await self(ada)).toMatchObject({ workspace_id: WORKSPACE, user_id: ada.user_id, scopes: approverScopes });

  // A second key of Ada's that can do more than her first: another user approves it, and only the operator has its
  // secret.
  const third = await run('create-user', { WORKSPACE });
  const wanted = { name: 'her other one', user_id: ada.user_id, scopes: ['webhooks:read', 'signing:approve'] };
  const asked = await call('POST', `/workspaces/${WORKSPACE}/api-keys`, wanted, first);
  expect((await call('POST', `/changes/${asked.body.data.id}/approve`, undefined, third)).status).toBe(200);
  const KEY = asked.body.data.api_key_id;
  expect((await call('POST', `/api-keys/${KEY}/take-secret`, {}, ada)).status).toBe(403);
  const given = await run('create-secret', { WORKSPACE, KEY });
  expect(await self(given)).toMatchObject({ id: KEY, user_id: ada.user_id, scopes: wanted.scopes });
  const again = await run('create-secret', { WORKSPACE, KEY });
  // An API process that has just seen the key remembers its former secret for a moment.
  await expect.poll(() => self(again), { interval: 250 }).toMatchObject({ id: KEY });
  expect((await call('GET', '/api-keys/self', undefined, given)).status).toBe(401);

  const back = await run('create-key', { WORKSPACE, USER_ID: first.user_id });
  expect(await self(back)).toMatchObject({ user_id: first.user_id, created_by: 'operator' });
  const log = await call('GET', `/workspaces/${WORKSPACE}/audit-logs`, undefined, back);
  const actions = log.body.data.map(({ action }: { action: string }) => action);
  for (const command of ['create', 'create-user', 'create-secret', 'create-key'])
    expect(actions).toContain(`workspace ${command}`);
});

test('a key that is revoked, or is not there, gets no secret', async () => {
  const first = await run('create');
  const WORKSPACE = first.workspace_id;
  const own = await call('POST', `/workspaces/${WORKSPACE}/api-keys`, { name: 'own', scopes: ['audit:read'] }, first);
  const KEY = own.body.data.id;
  expect((await call('DELETE', `/api-keys/${KEY}`, undefined, first)).status).toBe(200);
  await expect(run('create-secret', { WORKSPACE, KEY })).rejects.toThrow('revoked');
  await expect(run('create-secret', { WORKSPACE, KEY: WORKSPACE })).rejects.toThrow('name no key');
});
