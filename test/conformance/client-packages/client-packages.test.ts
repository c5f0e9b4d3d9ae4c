// Goal: each client package does what the others do, and what the service means. Method: `npm start` as a reader starts
// it, with a proxy before it that loses answers and refuses on demand; one scenario, which each client's driver carries
// out from its installed package. What is signed is judged by viem, what arrives by the proxy, and what a webhook is by
// those that the service sends. Writes nothing but into temporary folders and build/.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseSignature, recoverTransactionAddress, serializeTransaction, verifyMessage } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CountersignClient } from '../../../src/client/client.ts';
import { startReceiver } from '../../support/api/webhooks.ts';
import { makeProject, type Project, type Starter, untilReady } from '../../support/processes/local-start.ts';
import { type CallFailed, Driver, type Program } from './driver.ts';
import { clientPackages, removePackages } from './packages.ts';
import { startTroubledProxy, type TroubledProxy } from './troubled-proxy.ts';

const MINUTE_MS = 60_000;
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const network = 'ETHEREUM_SANDBOX';
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, 'request-vectors.json'), 'utf8')) as {
  name: string;
  given: { api_secret: string; method: string; path: string; body: string; unix_seconds: number };
  canonical: string;
  access_sign: string;
}[];

interface Key {
  api_key: string;
  api_secret: string;
}

let project: Project;
let started: Starter;
let proxy: TroubledProxy;
/** Where no service is, nor comes to be while the test lasts: a free port may be another test's a moment later. */
const nobodyUrl = 'http://127.0.0.1:1';
let credentials: Key & { base_url: string; approver: Key };
/** What prepares and looks beside the clients under test. */
let own: CountersignClient;
let walletId: string;
let eth: string;

beforeAll(async () => {
  project = await makeProject();
  started = project.start();
  await untilReady(started, 10 * MINUTE_MS);
  credentials = JSON.parse(readFileSync(join(project.directory, '.local/credentials.json'), 'utf8'));
  own = new CountersignClient({
    baseUrl: credentials.base_url,
    apiKey: credentials.api_key,
    apiSecret: credentials.api_secret,
  });
  proxy = await startTroubledProxy(credentials.base_url);
  walletId = (await own.createWallet({ name: 'Conformance' }).wait()).wallet_id;
  const assets = await own.get('/api/v1/assets', { query: { symbol: 'ETH' } });
  eth = assets.find((asset) => asset.network.internal_code === network)?.id ?? '';
  await own.faucet({ wallet_id: walletId, asset_id: eth, amount: '5' });
  for await (const { data } of own.followEvents({ type: ['deposit.confirmed'] }))
    if ('wallet_id' in data && data.wallet_id === walletId) break;
  const { active } = await own.policy();
  const name = 'everything is seen by two people';
  const when = { operations: ['withdrawal' as const], wallet_ids: [walletId] };
  const then = { action: 'require_approvals' as const, approvals: 1 };
  await own.setPolicy({ ...active.document, rules: [{ name, when, then }, ...active.document.rules] });
}, 12 * MINUTE_MS);

afterAll(async () => {
  await proxy?.stop();
  started?.process.kill('SIGTERM');
  await started?.exit;
  project?.remove();
  removePackages();
}, MINUTE_MS);

test('the vectors are HMAC-SHA256 of the canonical string, in base64 of hex', () => {
  for (const { given, canonical, access_sign } of vectors) {
    const { method, path, unix_seconds, body, api_secret } = given;
    expect(canonical).toBe(`method=${method}&path=${path}&timestamp=${unix_seconds}&body=${body}`);
    const hex = createHmac('sha256', api_secret).update(canonical).digest('hex');
    expect(access_sign).toBe(Buffer.from(hex).toString('base64'));
  }
});

const available = clientPackages.filter(({ missing }) => missing === undefined || process.env['CI']);

describe.each(available)('$name', { timeout: 3 * MINUTE_MS }, ({ prepare }) => {
  let driver: Driver;
  let examples: readonly Program[];

  beforeAll(async () => {
    const prepared = await prepare();
    examples = prepared.examples;
    driver = new Driver(prepared.driver);
    const base_url = proxy.url;
    const { api_key, api_secret, approver } = credentials;
    await driver.call('', 'connect', { name: 'caller', base_url, api_key, api_secret });
    await driver.call('', 'connect', { name: 'hasty', base_url, api_key, api_secret, retries: 0 });
    await driver.call('', 'connect', { name: 'nobody', base_url: nobodyUrl, api_key, api_secret, retries: 0 });
    await driver.call('', 'connect', { name: 'stranger', base_url, api_key, api_secret: 'another secret' });
    await driver.call('', 'connect', { ...approver, name: 'approver', base_url });
  }, 10 * MINUTE_MS);
  afterAll(async () => driver?.stop());

  const call = (name: string, given: object) => driver.call('caller', name, given);
  const refusalOf = (asked: Promise<unknown>) =>
    asked.then(
      (result) => Promise.reject(new Error(`it succeeded: ${JSON.stringify(result)}`)),
      (error: CallFailed) => error.refusal ?? Promise.reject(error),
    );
  const writesSince = (place: number) => proxy.passed.slice(place).filter(({ method }) => method !== 'GET');

  test('signs as the shared vectors', async () => {
    for (const { given, access_sign } of vectors) {
      const headers = await call('sign_request', given);
      expect(headers).toMatchObject({ 'ACCESS-TIMESTAMP': String(given.unix_seconds), 'ACCESS-SIGN': access_sign });
    }
  });

  test('refusals carry status, code and sentence, and are not repeated', async () => {
    const stranger = await refusalOf(driver.call('stranger', 'read_wallet', { wallet_id: walletId }));
    expect(stranger).toMatchObject({ kind: 'refused', status: 401, code: 'unauthorized' });
    const wallet_id = '01990000-0000-7000-8000-000000000000';
    const place = proxy.passed.length;
    expect(await refusalOf(call('read_wallet', { wallet_id }))).toMatchObject({
      kind: 'refused',
      status: 404,
      code: 'not_found',
    });
    expect(proxy.passed.length).toBe(place + 1);
  });

  test('waits for a wallet, by reads that are held', async () => {
    const place = proxy.passed.length;
    expect(await call('create_wallet', { name: 'Grüße aus Köln 💶' })).toMatchObject({ status: 'success' });
    const reads = proxy.passed.slice(place).filter(({ path }) => path.includes('/creation-status/'));
    expect(reads.length).toBeLessThanOrEqual(5);
    expect(reads.every(({ headers }) => /^wait=\d+$/.test(String(headers['prefer'])))).toBe(true);
  });

  test('a write that is repeated, or whose answer is lost, is done once', async () => {
    const [name, idempotency_key] = [`Once ${Math.random()}`, `once-${Math.random()}`];
    proxy.trouble('POST', '/api/v1/wallets', 'lose');
    const place = proxy.passed.length;
    const first = await call('create_wallet', { name });
    const sent = writesSince(place);
    expect(sent.map(({ path }) => path)).toEqual(['/api/v1/wallets', '/api/v1/wallets']);
    expect(sent[0]?.headers['x-idempotency-key']).toBe(sent[1]?.headers['x-idempotency-key']);
    expect(sent[0]?.headers['access-sign']).not.toBe(sent[1]?.headers['access-sign']);
    const wallets = await call('list_wallets', { limit: 200 });
    const alike = wallets.filter((wallet: { name: string }) => wallet.name === name);
    expect(alike.map((wallet: { wallet_id: string }) => wallet.wallet_id)).toEqual([first.wallet_id]);

    const [one, other] = [
      await call('create_wallet', { name, idempotency_key }),
      await call('create_wallet', { name, idempotency_key }),
    ];
    expect(other.wallet_id).toBe(one.wallet_id);
    const changed = await refusalOf(call('create_wallet', { name: 'another', idempotency_key }));
    expect(changed).toMatchObject({ kind: 'refused', status: 409, code: 'idempotency_key_reused' });
  });

  test('what may pass is tried again, after as long as the service says', async () => {
    const path = `/api/v1/wallets/${walletId}`;
    proxy.trouble('GET', path, { status: 429, headers: { 'retry-after': '1' } }, { status: 503 });
    const place = proxy.passed.length;
    expect(await call('read_wallet', { wallet_id: walletId })).toMatchObject({ name: 'Conformance' });
    const [first, second, third] = proxy.passed.slice(place);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
    expect(third).toBeDefined();

    proxy.trouble('GET', path, { status: 503 });
    const hasty = await refusalOf(driver.call('hasty', 'read_wallet', { wallet_id: walletId }));
    expect(hasty).toMatchObject({ kind: 'refused', status: 503, code: 'dependency_unavailable' });
    const nobody = await refusalOf(driver.call('nobody', 'read_wallet', { wallet_id: walletId }));
    expect(nobody.kind).toBe('unreachable');
  });

  test('signs messages and transactions that verify', async () => {
    const message = 'Zahlung über 5 € 💶';
    const signed = await call('sign_message', { wallet_id: walletId, network_internal_code: network, message });
    const { address, signature } = signed;
    expect(await verifyMessage({ address, message, signature })).toBe(true);
    const transaction = { chainId: 31337, nonce: 7, to: RECIPIENT, value: 1n, gas: 21_000n, type: 'eip1559' } as const;
    const unsigned = { ...transaction, maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: 1n };
    const asked = { wallet_id: walletId, network_internal_code: network, unsigned_tx: serializeTransaction(unsigned) };
    const { signature: hex } = await call('sign_transaction', asked);
    const serializedTransaction = serializeTransaction(unsigned, parseSignature(hex));
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address);
  });

  test('a withdrawal waits for another user, and is followed to its end', async () => {
    const body = { wallet_id: walletId, asset_id: eth, recipient_address: RECIPIENT, amount: '0.01' };
    const asked = await call('request_withdrawal', body);
    expect(asked.status).toBe('pending_approval');
    const early = await refusalOf(call('wait_for_withdrawal', { withdrawal_id: asked.id, timeout_seconds: 1 }));
    expect(early.kind).toBe('open');
    await driver.call('approver', 'approve_withdrawal', { withdrawal_id: asked.id });
    const paid = await call('wait_for_withdrawal', { withdrawal_id: asked.id });
    expect(paid).toMatchObject({ status: 'completed', tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });

    const other = await call('request_withdrawal', { ...body, amount: '0.02' });
    await driver.call('approver', 'reject_withdrawal', { withdrawal_id: other.id });
    expect((await refusalOf(call('wait_for_withdrawal', { withdrawal_id: other.id }))).kind).toBe('failed');
  });

  test('downloads the export', async () => {
    const csv: string = await call('export_transactions', { wallet_id: [walletId], sort_order: 'asc' });
    const [head, ...lines] = csv.trimEnd().split('\r\n');
    expect(head).toMatch(/^id,transaction_id,wallet_id,/);
    let listed = 0;
    for await (const { transaction_id } of own.transactions({ wallet_id: [walletId] })) {
      expect(lines.some((line) => line.includes(transaction_id))).toBe(true);
      listed += 1;
    }
    expect(lines.length).toBe(listed);
  });

  test('walks lists by their pages, and the feed by its places', async () => {
    const whole = await own.get('/api/v1/assets');
    const limit = Math.ceil(whole.length / 3);
    const place = proxy.passed.length;
    const assets = await call('list_assets', { limit });
    expect(assets.map(({ id }: { id: string }) => id).toSorted()).toEqual(whole.map(({ id }) => id).toSorted());
    expect(proxy.passed.length - place).toBe(Math.ceil(whole.length / limit));

    const start = proxy.passed.length;
    const events = await call('events', {});
    expect(proxy.passed[start]?.path).not.toContain('after_seq');
    expect(events.length).toBeGreaterThan(3);
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(events.map((_: unknown, index: number) => index + 1));
    const type = ['wallet.created'];
    const [next] = [call('next_event', { after_seq: events.length, type }), await own.createWallet({ name: 'Told' })];
    expect(await next).toMatchObject({ type: 'wallet.created', data: { name: 'Told' } });

    for (const walk of ['events', 'next_event']) {
      proxy.trouble('GET', '/api/v1/workspaces/', { status: 400, code: 'invalid_cursor' });
      const gone = await refusalOf(call(walk, { after_seq: 1, type }));
      expect(gone).toMatchObject({ kind: 'refused', status: 400, code: 'invalid_cursor' });
    }
  });

  test('takes webhooks of the service, and nothing else', async () => {
    const receiver = await startReceiver();
    const path = { webhook_id: '' };
    try {
      const asked = { url: receiver.url, events: ['wallet.created' as const] };
      const made = await own.post('/api/v1/workspaces/{workspace_id}/webhooks', { body: asked });
      path.webhook_id = made.id;
      await own.post('/api/v1/webhooks/{webhook_id}/ping', { path });
      await expect.poll(() => receiver.received.length, { timeout: MINUTE_MS }).toBeGreaterThan(0);
      const { public_key } = await own.get('/api/v1/workspaces/{workspace_id}/webhook-verification-key');
      const { secret } = made;
      const { body, headers: all } = receiver.received[0] ?? { body: '', headers: {} };
      const headers = Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith('webhook-')));
      const ping = { type: 'webhook.ping' };
      expect(await call('verify_webhook', { body, headers, secret })).toMatchObject(ping);
      expect(await call('verify_webhook', { body, headers, public_key })).toMatchObject(ping);
      const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
      expect(await call('verify_webhook', { body, headers: capitals, secret, public_key })).toMatchObject(ping);

      const otherSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      const otherKey = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
      const unsigned = { ...headers, 'webhook-signature': 'v1,AAAA v1a,AAAA v2,AAAA' };
      const late = Number(headers['webhook-timestamp']) + 301;
      for (const wrong of [
        { body: body.replace('ping', 'pong'), headers, secret, public_key },
        { body, headers, secret: otherSecret },
        { body, headers, public_key: otherKey.toString('base64') },
        { body, headers: { ...headers, 'webhook-id': 'another' }, secret, public_key },
        { body, headers: unsigned, secret, public_key },
        { body, headers: {}, secret },
        { body, headers, secret, public_key, now_seconds: late },
        { body, headers, secret, public_key, now_seconds: late - 602 },
      ])
        expect((await refusalOf(call('verify_webhook', wrong))).kind).toBe('webhook');
    } finally {
      if (path.webhook_id !== '') await own.delete('/api/v1/webhooks/{webhook_id}', { path });
      await receiver.stop();
    }
  });

  test('its examples run', async () => {
    expect(examples.length).toBeGreaterThan(0);
    const file = join(project.directory, '.local/credentials.json');
    for (const { command, args, cwd } of examples) {
      const { stdout } = await promisify(execFile)(command, [...args, file], { cwd, timeout: 2 * MINUTE_MS });
      expect(stdout).toMatch(/^(paid 0.25 by 0x|received )/);
    }
  });
});
