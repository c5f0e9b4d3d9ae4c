// Goal: `countersign doctor` names what is wrong with a deployment, and nothing else. Method: the real API without a
// worker; then an API that answers as the test says, one fault at a time.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api/api.ts';
import { runCommand } from '../../support/processes/scripted-terminal.ts';

let api: TestApi;
let real: string;
let server: Server;
let scripted: string;
let answers: Record<string, unknown>;

beforeAll(async () => {
  api = await startApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  real = urlOf(api.app.server);
  server = createServer((request, response) => {
    const path = (request.url ?? '').split('?limit')[0] ?? '';
    const answer = answers[path];
    if (answer === undefined) return response.writeHead(404).end('<html>no such page</html>');
    const isRefused = typeof answer === 'number';
    response.writeHead(isRefused ? answer : 200);
    const refusal = { success: false, message: `no to ${path}`, code: 'unauthorized', data: null };
    response.end(JSON.stringify(isRefused ? refusal : { success: true, message: 'success', code: 0, data: answer }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  scripted = urlOf(server);
});
afterAll(async () => {
  server?.close();
  await api?.stop();
});

const urlOf = (of: Server) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`;

async function examine(url: string, key = { apiKey: 'key', apiSecret: 'canary-of-the-doctor' }) {
  const env = { COUNTERSIGN_URL: url, COUNTERSIGN_API_KEY: key.apiKey, COUNTERSIGN_API_SECRET: key.apiSecret };
  const { code, output, errors, records } = await runCommand(['doctor', '--json'], { env });
  expect(output + errors).not.toContain(key.apiSecret);
  const found = records().filter(({ result }) => result !== 'ok');
  return { code, found: found.map(({ check, result, says }) => `${result} ${check}: ${says}`), records: records() };
}

const queue = { count: 0, oldest_age_seconds: 0 };
const tasks = { backlog: 0, oldest_age_seconds: 0, pollers: 1 };
const node = (number: number) => ({
  cluster: 'main',
  node: number,
  status: 'up',
  bans: 0,
  banned_nodes: [] as number[],
  version: '0.1.0',
  policy_sha256: 'ab'.repeat(32) as string | null,
  answer_ms: 2,
  signing_ms: 40,
  error: null,
  checked_age_seconds: 1,
});
const chain = {
  network: 'ETHEREUM_SANDBOX',
  status: 'watched',
  halted_reason: null,
  last_error: null,
  head_block: 9,
  lag_blocks: 0,
  head_age_seconds: 3,
};
const status = {
  postgres: { status: 'up' },
  temporal: { status: 'up', task_queues: { workflow: tasks, activity: tasks } },
  mpc_nodes: [node(1), node(2), node(3)],
  chains: [chain],
  queues: { outbox: queue, events: queue, webhooks: queue, audit: queue },
  open_operations: [{ kind: 'withdrawal', status: 'pending_approval', count: 1, oldest_age_seconds: 90_000 }],
  workers: 2,
  signers: { total: 3, up: 3 },
};
const self = { workspace_id: 'w', name: 'k', scopes: ['observability:read', 'webhooks:read'], wallet_ids: [] };
const STATUS = '/api/v1/observability/status';
const SELF = '/api/v1/api-keys/self';
const WEBHOOKS = '/api/v1/workspaces/w/webhooks';
const now = () => ({ unix_seconds: Math.floor(Date.now() / 1000) });
const sound = () => ({
  '/health': { status: 'up' },
  '/time': now(),
  '/ready': { postgres: 'up' },
  '/ready?deep': { postgres: 'up', temporal: 'up', mpc: 'up' },
  [SELF]: self,
  [STATUS]: status,
  [WEBHOOKS]: [],
});

test('policies that differ between clusters, or of which a node says nothing, are no problem', async () => {
  const other = { ...node(1), cluster: 'treasury', policy_sha256: 'cd'.repeat(32) };
  const silent = { ...node(3), policy_sha256: null };
  answers = { ...sound(), [STATUS]: { ...status, mpc_nodes: [node(1), node(2), silent, other] } };
  expect(await examine(scripted)).toMatchObject({ code: 0, found: [] });
});

test('a sound deployment has no problem', async () => {
  answers = sound();
  expect(await examine(scripted)).toMatchObject({ code: 0, found: [] });
});

test('the real API without a worker: the worker and the nodes are missed, and nothing else', async () => {
  const { code, found, records } = await examine(real, api.admin);
  expect(code).toBe(7);
  expect(found).toEqual(
    expect.arrayContaining(['problem workers: no worker asks for work', 'problem nodes: none is known']),
  );
  expect(
    found.map((line) => line.split(':')[0]).filter((check) => !/workers|nodes|ready\?deep/.test(check ?? '')),
  ).toEqual([]);
  expect(records.map(({ check }) => check)).toEqual(expect.arrayContaining(['clock', 'key', 'ready', 'webhooks']));
});

const webhook = { id: 'h', url: 'https://hooks.example', status: 'active' };
test.each<[string, Record<string, unknown>, string]>([
  ['a clock that is ahead', { '/time': -900 }, 'problem clock: is 15 min ahead of'],
  ['a clock that is behind', { '/time': 60 }, 'watch clock: is'],
  ['another program', { '/time': undefined }, 'problem reachability: answers 404'],
  ['a key that is not right', { [SELF]: 401 }, 'problem key: 401 unauthorized'],
  ['a key that expires', { [SELF]: { ...self, expires_at: new Date().toISOString() } }, 'watch key: expires at'],
  ['a key without scopes', { [SELF]: { ...self, scopes: ['wallets:read'] } }, 'skipped service'],
  ['no PostgreSQL', { '/ready': 503 }, 'problem ready: 503: no to /ready'],
  ['no cluster', { '/ready?deep': 503 }, 'problem ready?deep: 503: no to /ready?deep'],
  [
    'a node that is away',
    { [STATUS]: { ...status, mpc_nodes: [{ ...node(2), status: 'down', error: 'refused' }] } },
    'problem nodes: node 2 of main does not answer: refused',
  ],
  ['a ban', { [STATUS]: { ...status, mpc_nodes: [{ ...node(3), bans: 1 }] } }, 'problem nodes: node 3 of main refuses'],
  [
    'a ban, and of whom',
    { [STATUS]: { ...status, mpc_nodes: [{ ...node(3), bans: 5, banned_nodes: [1, 2] }] } },
    'problem nodes: node 3 of main refuses to sign with nodes 1 and 2',
  ],
  [
    'nodes that sign by different policies',
    { [STATUS]: { ...status, mpc_nodes: [node(1), { ...node(2), policy_sha256: 'cd'.repeat(32) }, node(3)] } },
    'problem nodes: the nodes of main sign by different policies',
  ],
  [
    'a halted chain',
    { [STATUS]: { ...status, chains: [{ ...chain, status: 'halted', halted_reason: 'deep' }] } },
    'problem chains: ETHEREUM_SANDBOX is halted: deep',
  ],
  [
    'a chain that cannot be read',
    { [STATUS]: { ...status, chains: [{ ...chain, status: 'failing', last_error: 'x' }] } },
    'problem chains: ETHEREUM_SANDBOX cannot be read: x',
  ],
  [
    'a chain that stands still',
    { [STATUS]: { ...status, chains: [{ ...chain, head_age_seconds: 7_200 }] } },
    'watch chains: ETHEREUM_SANDBOX: its last block came 2 h ago',
  ],
  [
    'deliveries that wait',
    { [STATUS]: { ...status, queues: { ...status.queues, webhooks: { count: 4, oldest_age_seconds: 600 } } } },
    'problem queues: 4 deliveries that are overdue wait, the oldest for 10 min',
  ],
  [
    'an operation that waits',
    {
      [STATUS]: {
        ...status,
        open_operations: [{ kind: 'withdrawal', status: 'processing', count: 1, oldest_age_seconds: 90_000 }],
      },
    },
    'watch operations: 1 of kind withdrawal are processing',
  ],
  [
    'a webhook that fails',
    { [WEBHOOKS]: [{ ...webhook, failing_since: 'yesterday' }] },
    'problem webhooks: h (https://hooks.example) fails',
  ],
  [
    'a webhook that was switched off',
    { [WEBHOOKS]: [{ ...webhook, status: 'disabled', status_reason: 'gone' }] },
    'problem webhooks: h (https://hooks.example) was switched off: gone',
  ],
])('%s is found alone', async (_what, fault, expected) => {
  const ahead = fault['/time'];
  const clock = typeof ahead === 'number' ? { '/time': { unix_seconds: now().unix_seconds + ahead } } : {};
  answers = { ...sound(), ...fault, ...clock };
  const { code, found } = await examine(scripted);
  expect(found[0]).toContain(expected);
  expect(found.length).toBeLessThanOrEqual(2);
  expect(code).toBe(found.some((line) => line.startsWith('problem')) ? 7 : 0);
});

test('nobody listens', async () => {
  const { code, found } = await examine('http://127.0.0.1:1');
  expect([code, found]).toEqual([7, [expect.stringContaining('problem reachability: no answer')]]);
});
