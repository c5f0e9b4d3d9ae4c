// Goal: the controls on the audit log (L1 and the service's part of L2 and L3). Method: every route of the document
// that changes anything is called as it is described, each time on things of its own; and the built command verifies a
// file that the API exported. The forgeries of L3 are in unit/audit/verify-export.test.ts, those in the database in
// hazards/audit/audit-tampering.test.ts, the nodes that keep the checkpoints of L2 in e2e/checkpoints.test.ts.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { access } from '../../domain/access-rules.ts';
import { scopes } from '../../domain/scopes.ts';
import { auditLogs } from '../../drizzle/audit/audit-tables.ts';
import { startApi, type TestApi } from '../support/api/api.ts';
import { callRoute, makeResources, type Route, readCatalogue, readRoutes } from '../support/api/every-route.ts';
import { ORIGIN } from '../support/passkeys/console-user.ts';
import { auditPath, entriesOf, sealAudit } from '../support/rows/audit.ts';
import { connectNetwork, credit, feesOf, sandbox } from '../support/rows/funded.ts';

const PREFIX = '/api/v1';

/** A question in the body of a POST: nothing is written, so nothing is written down. */
const questions = ['POST /wallets/{wallet_id}/withdrawals/estimate', 'POST /workspaces/{workspace_id}/policy/simulate'];

/**
 * What the walk cannot do by itself: it needs something that waits for approval or for its user, or is out. It is
 * refused, and the refusal is written down.
 */
const needsMore = [
  'POST /api-keys/{api_key_id}/take-secret',
  'POST /changes/{change_id}/approve',
  'POST /changes/{change_id}/reject',
  // Its example names a wallet that is not there.
  'POST /sandbox/faucet',
  'POST /signing-requests/{signing_id}/approve',
  'POST /signing-requests/{signing_id}/reject',
  'POST /withdrawals/{withdrawal_id}/approve',
  'POST /withdrawals/{withdrawal_id}/drop',
  'POST /withdrawals/{withdrawal_id}/reject',
  'POST /withdrawals/{withdrawal_id}/speed-up',
  'POST /workspaces/{workspace_id}/address-book/{address_book_id}/approve',
  'POST /workspaces/{workspace_id}/address-book/{address_book_id}/reject',
  'POST /workspaces/{workspace_id}/policy/approve',
  'POST /workspaces/{workspace_id}/policy/reject',
];

const routes = await readRoutes();
const ruleOf = ({ method, path }: Route) => `${method} ${path.slice(PREFIX.length)}`;
const changing = routes.filter((route) => route.path.startsWith(`${PREFIX}/`) && route.method !== 'GET');
const changes = changing.filter((route) => !questions.includes(ruleOf(route)));

let api: TestApi;
let exportDirectory: string;
beforeAll(async () => {
  exportDirectory = mkdtempSync(join(tmpdir(), 'countersign-audit-entries-'));
  api = await startApi({ exportDirectory, consoleOrigin: ORIGIN });
  await connectNetwork(api.db, sandbox.ETH.networkId, feesOf(10n ** 15n));
});
afterAll(async () => {
  await api?.stop();
  rmSync(exportDirectory, { recursive: true, force: true });
});

/** A workspace in which nothing has happened yet. */
async function callOnOwnThings(route: Route) {
  const { workspaceId, key } = await api.makeWorkspace();
  const catalogue = await readCatalogue(api);
  const params = { ...catalogue, ...(await makeResources(api, workspaceId, key, catalogue)) };
  await credit(api.db, params.wallet_id, sandbox.ETH, 10n ** 20n);
  // The only administrator could not be changed.
  await api.makeKey({ workspaceId, scopes: [...scopes] });
  return callRoute(api, route, params, key);
}

describe('L1: each route that changes something writes one entry', () => {
  test('the walk knows every rule of the access table', () => {
    const described = (rule: string) =>
      !rule.startsWith('GET ') && !rule.endsWith(' /workspaces/{workspace_id}/automation/sweep-task');
    // The route of sweeps always refuses, and is not in the document.
    const rules = Object.keys(access).filter(described);
    expect(changing.map(ruleOf).toSorted()).toEqual(rules.toSorted());
    for (const rule of [...questions, ...needsMore]) expect(rules).toContain(rule);
  });

  test.each(changes.map((route) => [ruleOf(route), route] as const))('%s', async (rule, route) => {
    const answer = await callOnOwnThings(route);
    const isAccepted = answer.status < 300;
    expect([isAccepted, answer.body.code], JSON.stringify(answer.body)).toEqual([
      !needsMore.includes(rule),
      expect.anything(),
    ]);
    const entries = await entriesOf(api, answer);
    expect(entries).toMatchObject([
      {
        actor: 'api_key',
        action: rule,
        ip: '127.0.0.1',
        outcome: isAccepted ? 'accepted' : 'refused',
        ...(isAccepted ? { statusCode: null, code: null } : { statusCode: answer.status, code: answer.body.code }),
      },
    ]);
  });

  test.each(questions)('%s: none when it is answered', async (rule) => {
    const answer = await callOnOwnThings(changing.find((route) => ruleOf(route) === rule) as Route);
    expect(await entriesOf(api, answer)).toHaveLength(answer.status < 300 ? 0 : 1);
  });

  test('in the transaction of the change: the entry of one that is undone is undone', async () => {
    const before = await api.db.$count(auditLogs);
    await api.db.execute(
      sql`create function fail_late() returns trigger language plpgsql as $$ begin raise exception 'too late'; end $$`,
    );
    await api.db.execute(
      sql`create constraint trigger fails after insert on wallets deferrable initially deferred for each row execute function fail_late()`,
    );
    const answer = await api.call('POST', '/api/v1/wallets', { name: 'undone', wallet_type: 'mpc' });
    await api.db.execute(sql`drop trigger fails on wallets`);
    expect(answer.status).toBe(500);
    expect(await api.db.$count(auditLogs)).toBe(before);
  });
});

describe('L2, L3: the command that verifies offline', () => {
  let folder: string;
  let file: string;
  let publicKey: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-audit-'));
    file = join(folder, 'export.jsonl');
    await api.call('POST', '/api/v1/wallets', { name: 'one\u2028more', wallet_type: 'mpc' });
    await sealAudit(api);
    const head = await api.call('GET', auditPath(api.workspaceId, '/head'));
    publicKey = head.body.data.public_key;
    writeFileSync(join(folder, 'head.json'), JSON.stringify(head.body));
    writeFileSync(file, (await api.call('GET', auditPath(api.workspaceId, '/export?format=jsonl'))).body);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function run(args: string[]): Promise<{ code: number; output: string }> {
    const command = resolve(import.meta.dirname, '../../dist/verify-audit.js');
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [command, ...args], { cwd: folder, env: {} });
      return { code: 0, output: stdout };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    }
  }
  const argumentsFor = (path: string) => ['--file', path, '--workspace', api.workspaceId, '--public-key', publicKey];

  test('needs the file and the public key, and takes heads that were kept', async () => {
    expect(await run(argumentsFor(file))).toMatchObject({
      code: 0,
      output: expect.stringContaining('whole and unchanged'),
    });
    expect(await run([...argumentsFor(file), '--head', 'head.json'])).toMatchObject({ code: 0 });
  });

  test('ends with 1 and says where, for a file that was altered', async () => {
    const altered = join(folder, 'altered.jsonl');
    const lines = (await api.call('GET', auditPath(api.workspaceId, '/export?format=jsonl'))).body.split(
      '\n',
    ) as string[];
    writeFileSync(
      altered,
      lines.map((line, index) => (index === 0 ? line.replace('operator', 'api_key') : line)).join('\n'),
    );
    const { code, output } = await run(argumentsFor(altered));
    expect([code, output]).toEqual([1, expect.stringContaining('entry 1: Its hash is not that of its content.')]);
    expect(output).toContain('NOT as it was written');
  });

  test.each([
    ['no arguments', () => [], 'Usage'],
    ['a key that is none', () => [...argumentsFor(file).slice(0, -1), 'abc'], '32 bytes'],
    ['no such file', () => argumentsFor('none.jsonl'), 'could not be verified'],
  ])('%s: one sentence and 1', async (_name, args, message) => {
    expect(await run(args())).toMatchObject({ code: 1, output: expect.stringContaining(message) });
  });
});
