// Carries out, with the installed package, what the conformance test asks for: one line of JSON in, one line out.
import { createInterface } from 'node:readline';
import * as countersign from '@countersign/client';

const clients = new Map();
const collected = async (rows) => {
  const all = [];
  for await (const row of rows) all.push(row);
  return all;
};

const calls = {
  connect: (_client, { name, base_url, api_key, api_secret, retries }) => {
    const options = { baseUrl: base_url, apiKey: api_key, apiSecret: api_secret };
    clients.set(name, new countersign.CountersignClient(retries === undefined ? options : { ...options, retries }));
  },
  read_wallet: (client, { wallet_id }) => client.get('/api/v1/wallets/{wallet_id}', { path: { wallet_id } }),
  create_wallet: async (client, { name, idempotency_key: idempotencyKey }) => {
    const options = idempotencyKey === undefined ? {} : { idempotencyKey };
    return client.createWallet({ name }, options).wait();
  },
  sign_message: (client, { wallet_id, ...body }) => client.signMessage(wallet_id, body).wait(),
  sign_transaction: (client, { wallet_id, ...body }) => client.signTransaction(wallet_id, body).wait(),
  request_withdrawal: async (client, { wallet_id, ...body }) =>
    (await client.requestWithdrawal(wallet_id, body)).withdrawal,
  approve_withdrawal: async (client, { withdrawal_id }) => {
    const { approval } = await client.withdrawal(withdrawal_id);
    return client.approveWithdrawal(withdrawal_id, approval.digest);
  },
  reject_withdrawal: (client, { withdrawal_id }) => client.rejectWithdrawal(withdrawal_id),
  wait_for_withdrawal: (client, { withdrawal_id, timeout_seconds = 120 }) =>
    client.waitForWithdrawal(withdrawal_id, { timeoutMs: timeout_seconds * 1000 }),
  list_assets: (client, query) => collected(client.list('/api/v1/assets', { query })),
  list_wallets: (client, query) => collected(client.wallets(query)),
  events: (client, query) => collected(client.events(query)),
  next_event: async (client, query) => (await client.followEvents(query).next()).value,
  export_transactions: async (client, query) => (await collected(client.exportTransactions(query))).join(''),
  verify_webhook: (_client, { body, headers, secret, public_key, now_seconds }) => {
    const keys = {
      ...(secret === undefined ? {} : { secret }),
      ...(public_key === undefined ? {} : { publicKey: public_key }),
    };
    const clock = now_seconds === undefined ? {} : { nowMs: now_seconds * 1000 };
    return countersign.verifyWebhook({ body, headers }, keys, clock);
  },
  sign_request: (_client, { api_key, api_secret, method, path, body, unix_seconds }) =>
    countersign.signRequest({ apiKey: api_key, apiSecret: api_secret }, { method, path, body }, unix_seconds),
};

const kinds = {
  CountersignError: 'refused',
  UnreachableError: 'unreachable',
  OperationFailedError: 'failed',
  OperationOpenError: 'open',
  WebhookRefusedError: 'webhook',
};

for await (const line of createInterface({ input: process.stdin })) {
  const { client, call, given } = JSON.parse(line);
  try {
    const result = await calls[call](clients.get(client), given);
    console.log(JSON.stringify({ result: result ?? null }));
  } catch (error) {
    const { name, message, status, code } = error;
    console.log(JSON.stringify({ error: { kind: kinds[name] ?? name, message, status, code } }));
  }
}
