// Goal: whoever found a device with a passkey can do nothing with it once an administrator has removed the passkey, its
// vote counts no more, and its user comes back by a new link. Method: "A device with a passkey is lost" of RUNBOOK.md,
// step by step, its shell block as it stands there; passkeys in software, on a real database.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { ConsoleUser, makeConsoleUser, ORIGIN, tokenOf } from '../../support/passkeys/console-user.ts';
import { SoftwarePasskey } from '../../support/passkeys/software-passkey.ts';
import { ApprovalStage } from '../../support/rows/approvals.ts';
import { keyEncryptionKey } from '../../support/rows/seals.ts';

const root = join(import.meta.dirname, '../../..');
const drill =
  readFileSync(join(root, 'RUNBOOK.md'), 'utf8')
    .split('\n### A device with a passkey is lost\n')[1]
    ?.split('\n### ')[0] ?? '';
const [block = ''] = [...drill.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
/** Sessions end on every process within this time. */
const WITHIN_MS = 1_000;

let api: TestApi;
let stage: ApprovalStage;
beforeAll(async () => {
  api = await startApi({ temporalAddress: '127.0.0.1:1', consoleOrigin: ORIGIN });
  stage = new ApprovalStage(api);
  await stage.connect();
});
afterAll(() => api.stop());

async function newLink(user: ConsoleUser): Promise<string> {
  const own = { DATABASE_URL: api.databaseUrl, KEY_ENCRYPTION_KEY: keyEncryptionKey, npm_config_loglevel: 'silent' };
  const whose = { WORKSPACE: api.workspaceId, USER_ID: user.userId };
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...own, ...whose };
  const { stdout } = await promisify(execFile)('sh', ['-ec', block], { cwd: root, env });
  return (JSON.parse(stdout.slice(stdout.indexOf('{'))) as { url: string }).url;
}

test('the drill, from the first step to the last', { timeout: 120_000 }, async () => {
  const [administrator, ada, ben] = [
    await makeConsoleUser(api, ['administrator']),
    await makeConsoleUser(api, ['approver']),
    await makeConsoleUser(api, ['approver']),
  ];
  await stage.setPolicy({
    rules: [],
    default: { action: 'require_approvals', approvals: 2, approve_with: 'passkey' },
  });
  const id = await stage.askId('withdrawal', await stage.makeFundedWallet());
  const approve = async (by: ConsoleUser) => {
    const { digest, subject } = await stage.roundOf(id);
    const passkey = await by.prove({ subject, subject_id: id, digest, decision: 'approved' });
    return by.send('POST', `/api/v1/withdrawals/${id}/approve`, { passkey });
  };
  expect((await approve(ada)).status).toBe(200);

  // 1. The passkey ends, its session with it, and its vote.
  const listed = await administrator.send('GET', `/api/v1/users/${ada.userId}/passkeys`);
  const [lost] = listed.body.data;
  expect((await administrator.send('DELETE', `/api/v1/passkeys/${lost.id}`)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, WITHIN_MS));
  expect((await ada.send('GET', '/api/v1/api-keys/self')).status).toBe(401);
  expect((await ada.signIn()).status).toBe(401);
  expect(await approve(ben)).toMatchObject({ status: 200, body: { data: { status: 'pending_approval' } } });

  // 3. A new passkey by a new link, which is good once.
  const token = tokenOf(await newLink(ada));
  const found = ada.passkey;
  ada.passkey = new SoftwarePasskey(ORIGIN);
  ada.cookie = undefined;
  expect((await ada.enrol(token)).status).toBe(201);
  expect((await ada.signIn()).status).toBe(201);
  expect((await ada.enrol(token, new SoftwarePasskey(ORIGIN))).status).toBe(409);
  const finder = new ConsoleUser(api, ada.userId);
  finder.passkey = found;
  expect((await finder.signIn()).status).toBe(401);

  // 4. Her vote by the new passkey counts in the place of the one that was lost.
  expect(await approve(ada)).toMatchObject({ status: 200, body: { data: { status: 'approved' } } });
});
