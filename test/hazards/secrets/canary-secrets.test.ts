// Goal: no secret ever stands in a log, an error, a metric, a trace, a workflow history or a dump of the database
// (controls K5), while all of these name the request, the workflow and the operation. Method: API and worker as
// processes at their most talkative, with real nodes and with secrets of which each is known here; requests that are
// good, wrong and hostile; then everything that was written anywhere is searched for each secret, in each of its forms.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { signRequest } from '../../../src/client/sign-request.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { formsOf, leaksIn } from '../../support/api/secrets.ts';
import { type Stack, startStack } from '../../support/processes/stack.ts';

const MINUTE_MS = 60_000;

interface Key {
  apiKey: string;
  apiSecret: string;
}

/** By name. Each test adds what it uses. */
const secrets: Record<string, string> = {};
const answers: string[] = [];
const exported: string[] = [];
const canary = () => `canary${randomBytes(16).toString('hex')}`;

let stack: Stack;
let admin: Key;
let metricsPort: number;
let walletId: string;
/** Takes traces by OTLP. */
const collector = createServer((request, response) => {
  void request.toArray().then((chunks) => {
    exported.push(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/json').end('{}');
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    collector.listen(0, '127.0.0.1', resolve);
  });
  metricsPort = await findFreePort();
  Object.assign(secrets, {
    'metrics token': canary(),
    'key of a node of a chain': canary(),
    'token of the collector': canary(),
  });
  stack = await startStack({
    environment: {
      LOG_LEVEL: 'trace',
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      METRICS_PORT: String(metricsPort),
      METRICS_TOKEN: secrets['metrics token'] ?? '',
      RPC_URLS: `ETHEREUM_SANDBOX=http://user:${secrets['key of a node of a chain']}@127.0.0.1:1/${secrets['key of a node of a chain']}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secrets['token of the collector']}`,
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
  });
  const [apiSecret = '', keyEncryptionKey = '', commandKey = ''] = stack.secrets;
  admin = { apiKey: stack.apiKey, apiSecret };
  const credentials = stack.cluster.config.credentialsDir;
  const tlsKey = readFileSync(join(credentials, 'tls.key'), 'utf8');
  Object.assign(secrets, {
    'API secret': apiSecret,
    'key-encryption key': keyEncryptionKey,
    'command key': commandKey,
    'TLS key': tlsKey,
  });
  const created = await stack.client.createWallet({ name: 'k5' }).wait();
  walletId = created.wallet_id;
}, 8 * MINUTE_MS);
afterAll(async () => {
  await stack?.stop();
  collector.close();
});

let second = 0;

/** Signed in a second of its own; every signature is a secret of this test. */
async function call(
  method: string,
  path: string,
  body?: object,
  { key = admin, headers = {} }: { key?: Key; headers?: Record<string, string> } = {},
) {
  const text = body === undefined ? '' : JSON.stringify(body);
  second += 1;
  const own = signRequest(key, { method, path, body: text }, Math.floor(Date.now() / 1000) - 250 + (second % 500));
  secrets[`signature ${second}`] = Buffer.from(own['ACCESS-SIGN'], 'base64').toString();
  const response = await fetch(`${stack.baseUrl}${path}`, {
    method,
    headers: { ...own, ...(text === '' ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(text === '' ? {} : { body: text }),
  });
  const answer = await response.text();
  return { status: response.status, requestId: response.headers.get('x-request-id'), answer };
}

/** An answer that must tell no secret. */
async function fails(status: number, ...request: Parameters<typeof call>): Promise<void> {
  const { answer, ...got } = await call(...request);
  expect([request[1], got.status]).toEqual([request[1], status]);
  answers.push(answer);
}

const dataOf = (answer: string) => (JSON.parse(answer) as { data: Record<string, string> }).data;
const digest = () => ({
  network_internal_code: 'ETHEREUM_SANDBOX',
  key_type: 'secp256k1',
  signing_hash: `0x${randomBytes(32).toString('hex')}`,
});
const signPath = () => `/api/v1/web3/transaction/${walletId}/signRaw`;

test('requests that are answered: keys made, rotated and used; a webhook; signatures', async () => {
  const keys = `/api/v1/workspaces/${stack.workspaceId}/api-keys`;
  const made = await call('POST', keys, { name: 'k5', scopes: ['signing:write', 'wallets:read', 'signing:read'] });
  expect(made.status).toBe(201);
  const key = dataOf(made.answer);
  secrets['second API secret'] = key['api_secret'] ?? '';
  const rotated = await call('POST', `/api/v1/api-keys/${key['id']}/rotate`, { overlap_seconds: 600 });
  expect(rotated.status).toBe(200);
  secrets['rotated API secret'] = dataOf(rotated.answer)['api_secret'] ?? '';
  const hook = await call('POST', `/api/v1/workspaces/${stack.workspaceId}/webhooks`, {
    url: 'http://127.0.0.1:1/hook',
    events: [],
  });
  expect(hook.status).toBe(201);
  secrets['webhook secret'] = dataOf(hook.answer)['secret'] ?? '';
  secrets['token in the query of a webhook'] = canary();
  const url = `http://127.0.0.1:1/hook?token=${secrets['token in the query of a webhook']}`;
  expect((await call('PATCH', `/api/v1/webhooks/${dataOf(hook.answer)['id']}`, { url })).status).toBe(200);
  const fresh = await call('POST', `/api/v1/webhooks/${dataOf(hook.answer)['id']}/rotate-secret`);
  expect(fresh.status).toBe(200);
  secrets['rotated webhook secret'] = dataOf(fresh.answer)['secret'] ?? '';
  for (const secret of ['second API secret', 'rotated API secret'])
    expect(
      (
        await call('POST', signPath(), digest(), {
          key: { apiKey: key['api_key'] ?? '', apiSecret: secrets[secret] ?? '' },
        })
      ).status,
    ).toBe(202);
  expect((await call('PATCH', `/api/v1/webhooks/${dataOf(hook.answer)['id']}`, { status: 'disabled' })).status).toBe(
    200,
  );
});

test('requests that are refused: with secrets where none belong', async () => {
  const { apiSecret } = admin;
  const wrong = { key: { ...admin, apiSecret: (secrets['wrong secret'] = canary()) } };
  await fails(401, 'GET', '/api/v1/api-keys/self', undefined, wrong);
  await fails(401, 'POST', signPath(), digest(), wrong);
  await fails(401, 'GET', '/api/v1/api-keys/self', undefined, { key: { apiKey: apiSecret, apiSecret } });
  await fails(401, 'GET', '/api/v1/api-keys/self', undefined, { headers: { 'ACCESS-SIGN': apiSecret } });
  await fails(401, 'GET', '/api/v1/api-keys/self', undefined, { headers: { 'ACCESS-TIMESTAMP': apiSecret } });
  await fails(400, 'GET', `/api/v1/wallets/${apiSecret}`);
  await fails(404, 'GET', `/api/v1/${apiSecret}`);
  await fails(400, 'GET', `/api/v1/assets?limit=${apiSecret}`);
  await fails(400, 'POST', signPath(), { ...digest(), signing_hash: apiSecret });
  await fails(400, 'POST', signPath(), digest(), { headers: { 'X-Idempotency-Key': `${apiSecret} `.repeat(9) } });
  secrets['password in the url of a webhook'] = canary();
  await fails(400, 'POST', `/api/v1/workspaces/${stack.workspaceId}/webhooks`, {
    url: `https://user:${secrets['password in the url of a webhook']}@example.com`,
    events: [],
  });
  await fails(503, 'POST', `/api/v1/wallets/${walletId}/withdrawals/estimate`, {
    asset: 'ETH',
    network: 'ETHEREUM_SANDBOX',
    amount: '1',
    recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  });
  expect((await fetch(`${stack.baseUrl}/metrics`)).status).toBe(401);
});

let signed: { requestId: string | null; signingId: string };

test(
  'signatures with nodes that are away, and a worker that cannot sign for a while',
  async () => {
    await Promise.all([stack.cluster.kill(1), stack.cluster.kill(2)]);
    const { answer, requestId } = await call('POST', signPath(), digest());
    signed = { requestId, signingId: dataOf(answer)['transaction_id'] ?? '' };
    const read = async () => (await call('GET', `/api/v1/signing-requests/${signed.signingId}`)).answer;
    await expect.poll(read, { timeout: 2 * MINUTE_MS }).toContain('cluster_not_ready');
    // Not only the first try, which leaves no failure in the history.
    const logs = places['the logs of API, worker and nodes'];
    await expect.poll(logs, { timeout: 2 * MINUTE_MS }).toContain('"activityType":"fulfilSigningRequest"');
    await Promise.all([stack.cluster.restart(1), stack.cluster.restart(2)]);
    await expect.poll(read, { timeout: 2 * MINUTE_MS, interval: 200 }).toContain('"status":"success"');
  },
  6 * MINUTE_MS,
);

/** What each place says, once it says what it must. */
const places = {
  'the logs of API, worker and nodes': async () => {
    const folders = [stack.logDirectory, dirname(stack.cluster.config.clusterFile)];
    const files = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.log'))
        .map((file) => join(folder, file)),
    );
    return files.map((file) => readFileSync(file, 'utf8')).join('\n');
  },
  'the histories of all workflows': async () => {
    const connection = await Connection.connect({ address: stack.temporal.address });
    const { workflow } = new Client({ connection });
    const texts: string[] = [];
    for await (const { workflowId, runId } of workflow.list({ query: `TaskQueue = "${stack.temporal.taskQueue}"` })) {
      const handle = workflow.getHandle(workflowId, runId);
      // Payloads are bytes: what they hold is searched.
      const history = JSON.stringify(
        [await handle.fetchHistory(), (await handle.describe()).raw],
        (_key, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value),
      );
      texts.push(history);
    }
    await connection.close();
    return texts.join('\n');
  },
  'a dump of the database': async () => {
    const sql = postgres(stack.databaseUrl, { max: 1 });
    const tables = await sql`select table_name from information_schema.tables where table_schema = 'public'`;
    const rows = await Promise.all(
      tables.map(
        ({ table_name }) => sql`select ${table_name}::text as name, to_jsonb(t) as row from ${sql(table_name)} t`,
      ),
    );
    await sql.end();
    // The replay guard is made of the signatures that were accepted; none is accepted again.
    const kept = rows.flat().filter(({ name }) => name !== 'accepted_signatures');
    // A webhook is sent to its url, which is kept for that and nowhere else.
    return JSON.stringify(
      kept.map(({ name, row }) => ({ name, row: name === 'webhooks' ? { ...row, url: '' } : row })),
    );
  },
  'the metrics of API and worker': async () => {
    const headers = { authorization: `Bearer ${secrets['metrics token']}` };
    const texts = await Promise.all(
      [`${stack.baseUrl}/metrics`, `http://127.0.0.1:${metricsPort}/metrics`].map(async (url) =>
        (await fetch(url, { headers })).text(),
      ),
    );
    return texts.join('\n');
  },
  'the state of the service': async () => (await call('GET', '/api/v1/observability/status')).answer,
  'the traces that were exported': async () => exported.join('\n'),
  'the answers to what was refused': async () => answers.join('\n'),
} satisfies Record<string, () => Promise<string>>;

/** What proves that a place was really read. */
const proofs: Record<string, () => string[]> = {
  'the logs of API, worker and nodes': () => [
    '"msg":"write accepted"',
    '"msg":"workflow ended"',
    '"msg":"authentication failed"',
    signed.signingId,
  ],
  'the histories of all workflows': () => [signed.signingId, 'cluster_not_ready', 'watchNetwork'],
  'a dump of the database': () => [signed.signingId, admin.apiKey, 'secret_encrypted', 'encrypted_secret'],
  'the metrics of API and worker': () => [
    'countersign_http_request_duration_seconds_count',
    'countersign_signatures_total',
  ],
  'the state of the service': () => ['"mpc_nodes":[{'],
  'the traces that were exported': () => [
    'fulfilSigningRequest',
    'countersign-api',
    'countersign-worker',
    'countersign.mpc_node',
  ],
  'the answers to what was refused': () => ['invalid api signature', 'There is no GET route'],
};

describe('K5: no secret stands in', () => {
  test.each(Object.entries(places))('%s', async (name, read) => {
    const missing = async () => {
      const text = await read();
      return proofs[name]?.().filter((proof) => !text.includes(proof));
    };
    await expect.poll(missing, { timeout: 60_000, interval: 500 }).toEqual([]);
    expect(leaksIn(await read(), secrets)).toEqual([]);
  });
});

test('a search that finds nothing does find what is there, in each form', () => {
  expect(Object.keys(secrets).length).toBeGreaterThan(20);
  for (const [name, secret] of Object.entries(secrets)) {
    const forms = formsOf(secret);
    expect(forms.length, name).toBeGreaterThan(2);
    for (const form of forms) expect(leaksIn(`{"some":"text ${form} around"}`, { [name]: secret })).toEqual([name]);
  }
});

interface Line {
  msg?: string;
  reqId?: string;
  workspaceId?: string;
  apiKeyId?: string;
  operationId?: string;
  workflowId?: string;
  activityType?: string;
  runId?: string;
  traceId?: string;
}

test('the logs lead from a request to its operation, its workflow and its activities', async () => {
  const text = await places['the logs of API, worker and nodes']();
  const lines = text.split('\n').flatMap((line): Line[] => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));
  const accepted = lines.find(({ msg, reqId }) => msg === 'write accepted' && reqId === signed.requestId);
  expect(accepted).toMatchObject({
    operationId: signed.signingId,
    workspaceId: stack.workspaceId,
    reqId: signed.requestId,
  });
  expect(accepted?.apiKeyId).toMatch(/^[0-9a-f-]{36}$/);
  expect(accepted?.traceId).toMatch(/^[0-9a-f]{32}$/);
  const ofWorkflow = lines.filter(({ workflowId }) => workflowId === workflowIdOf('sign', signed.signingId));
  expect(ofWorkflow.some(({ msg }) => msg === 'workflow ended')).toBe(true);
  const failed = ofWorkflow.find(({ activityType }) => activityType === 'fulfilSigningRequest');
  expect(failed?.runId).toMatch(/^[0-9a-f-]{36}$/);
});
