// What a run of Schemathesis finds in the service, and what the hook is told of it.

import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { getAddress, serializeTransaction, zeroAddress } from 'viem';
import { scopes } from '../../../domain/scopes.ts';
import { untaken } from '../../../drizzle/api-keys/api-keys.ts';
import { insertExportSchedule } from '../../../drizzle/exports/export-schedules.ts';
import { insertExport } from '../../../drizzle/exports/export-steps.ts';
import type { TestApi, TestKey } from '../../support/api/api.ts';
import { storePasskey } from '../../support/api/every-route.ts';
import { sandbox } from '../../support/rows/funded.ts';
import { storeWebhook, targetUrl } from '../../support/rows/stored-webhooks.ts';
import { DecisionSeed, recipient, type Stage } from './seed-decisions.ts';

type Values = Record<string, unknown[]>;

export interface SeededValues {
  /** The first whose `within` is a part of the path signs. */
  keys: Record<'within' | 'api_key' | 'api_secret', string>[];
  signing_key_ids: string[];
  /** Of what waits for approval, by its id, or by that of the workspace whose policy it is. */
  digests: Record<string, string>;
  /** What exists, by the name of the parameter or body field, and by operation where one needs its own. */
  values: Record<string, unknown[] | Values>;
}

/** For each family of aliases one value, so that they agree. */
const hash = ['0x9b1cd4c5a3a9c4a4b7be0ef1fd5d7c7fc0d5a5e0e7a7a3c0f3f6ad6c4b8b7a11'];
const transaction = [
  serializeTransaction({ type: 'eip1559', chainId: 31337, gas: 21_000n, maxFeePerGas: 2n, to: zeroAddress, value: 1n }),
];
const typedData = {
  types: { Mail: [{ name: 'contents', type: 'string' }] },
  primaryType: 'Mail',
  domain: { name: 'Ether Mail', chainId: 31337 },
  message: { contents: 'Hello, Bob!' },
};
const signing: Values = {
  network_internal_code: ['ETHEREUM_SANDBOX'],
  networkInternalCode: ['ETHEREUM_SANDBOX'],
  chain_id: [31337],
  key_type: ['secp256k1'],
  keyType: ['secp256k1'],
  signing_hash: hash,
  signingHash: hash,
  hash,
  transaction_hash: hash,
  transactionHash: hash,
  unsigned_tx: transaction,
  unsignedTx: transaction,
  raw_transaction: transaction,
  rawTransaction: transaction,
  tx: transaction,
  derivation_path: ['m/44/60/0/0/0'],
  derivationPath: ['m/44/60/0/0/0'],
  derivation_path_components: [[44, 60, 0, 0, 0]],
  typed_data: [typedData],
  message: ['0x48656c6c6f'],
};

/** The asset by its id or by its name, which agree. */
const transfer: Values = {
  asset: ['ETH'],
  network: ['ETHEREUM_SANDBOX'],
  amount: ['0.5', '0.000000000000000001'],
  recipient_address: [recipient],
  max_fee: ['0.01'],
};
const contractCalls = [
  { to: recipient, chainId: 31337, value: '1', data: '0xd0e30db0' },
  {
    to: recipient,
    chainId: '0x7a69',
    gasLimit: 100_000,
    maxFeePerGas: '2000000000',
    maxPriorityFeePerGas: 1,
    nonce: 7,
  },
];
const anyPolicy = {
  rules: [
    { name: 'small', when: { amount: { asset_id: sandbox.ETH.assetId, at_most: '1' } }, then: { action: 'allow' } },
  ],
  default: { action: 'require_approvals', approvals: 1 },
};
const stages: Stage[] = ['approved', 'held up', 'broadcast', 'cancelled'];

/** Several of each, because some requests end what they name. */
const EACH = 40;

export async function seed(api: TestApi, { exportId }: { exportId: string }): Promise<SeededValues> {
  const { workspaceId } = api;
  const { assetId, networkId } = sandbox.ETH;
  const walletId = await api.makeActiveWallet();
  await api.call('POST', `/api/v1/wallets/${walletId}/assets`, { asset_id: assetId });
  const decisions = new DecisionSeed(api, walletId);
  await decisions.fund();
  const frozen = await api.makeWorkspace();
  const bound = await api.makeKey({ scopes: [...scopes], walletIds: [walletId] });
  const ruled = await seedPolicies(api, decisions);
  const withdrawalIds = await Promise.all(stages.map((stage) => decisions.makeWithdrawal(stage)));
  const ownKeys = [frozen, ...ruled.workspaces];
  const adminId = await idOf(api, api.admin);
  return {
    keys: [
      ...ownKeys.map(({ workspaceId: within, key }) => ({ within, api_key: key.apiKey, api_secret: key.apiSecret })),
      // Without an id it answers for the one wallet that a key is bound to.
      { within: '/web3/wallet-detail', api_key: bound.apiKey, api_secret: bound.apiSecret },
      { within: '', api_key: api.admin.apiKey, api_secret: api.admin.apiSecret },
    ],
    signing_key_ids: [
      adminId,
      await idOf(api, bound),
      ...(await Promise.all(ownKeys.map(({ key }) => idOf(api, key)))),
    ],
    digests: decisions.digests,
    values: {
      workspace_id: [workspaceId],
      wallet_id: [walletId],
      signing_id: [await decisions.makeSigningRequest()],
      transaction_id: withdrawalIds,
      withdrawal_id: withdrawalIds,
      asset_id: [assetId],
      network_id: [networkId],
      export_id: [exportId],
      schedule_id: [await makeSchedule(api)],
      cron: ['30 6 * * *', '0 0 1 */3 *'],
      time_zone: ['Europe/Zurich', 'UTC'],
      expires_at: ['2099-12-31T23:59:59Z'],
      wallet_ids: [[walletId]],
      ip_allowlist: [['127.0.0.1', '203.0.113.0/24', '2001:db8::/32']],
      ...signing,
      'POST /api/v1/web3/{wallet_id}/sign': { typed_data: [JSON.stringify(typedData)], transaction: contractCalls },
      'POST /api/v1/web3/transaction/{wallet_id}/signRaw': { transaction: contractCalls },
      'GET /api/v1/wallets/{wallet_id}/deposit-address': { address_type: ['evm'] },
      'POST /api/v1/wallets/{wallet_id}/request-withdrawal': transfer,
      'POST /api/v1/wallets/{wallet_id}/withdrawals/estimate': transfer,
      'POST /api/v1/networks/rescan-transaction': { tx_hash: hash },
      'POST /api/v1/sandbox/faucet': { amount: ['1', '0.5'] },
      'POST /api/v1/workspaces/{workspace_id}/api-keys': { user_id: [await userOf(api, api.admin)] },
      'POST /api/v1/workspaces/{workspace_id}/policy/simulate': {
        ...transfer,
        initiator: [await userOf(api, api.admin)],
        document: [anyPolicy],
      },
      ...(await seedWebhooks(api)),
      ...ruled.values,
      ...(await seedEnded(api, decisions)),
      'POST /api/v1/workspaces/{workspace_id}/withdrawals/freeze': { workspace_id: [frozen.workspaceId] },
      'POST /api/v1/workspaces/{workspace_id}/withdrawals/unfreeze': { workspace_id: [frozen.workspaceId] },
    },
  };
}

/** The operations that end or change what they name have their own, so that the others find theirs as it was. */
async function seedEnded(api: TestApi, decisions: DecisionSeed): Promise<Record<string, Values>> {
  const makeWallets = () => repeat(() => api.makeActiveWallet());
  const makeKeys = () => repeat(() => makeApiKey(api));
  const makeWithdrawals = (stage: Stage) => repeat(() => decisions.makeWithdrawal(stage));
  const makeChanges = () => repeat(() => decisions.makeChange());
  const makeAddresses = () => repeat(() => decisions.makeAddress('pending'));
  const book = '/api/v1/workspaces/{workspace_id}/address-book';
  const exported = '/api/v1/workspaces/{workspace_id}/exports';
  return {
    'POST /api/v1/wallets/{wallet_id}/archive': { wallet_id: await makeWallets() },
    'POST /api/v1/wallets/{wallet_id}/freeze': { wallet_id: await makeWallets() },
    'POST /api/v1/signing-requests/{signing_id}/cancel': {
      signing_id: await repeat(() => decisions.makeSigningRequest()),
    },
    'POST /api/v1/signing-requests/{signing_id}/approve': {
      signing_id: await repeat(() => decisions.makeSigningRequest('held up')),
    },
    'POST /api/v1/signing-requests/{signing_id}/reject': {
      signing_id: await repeat(() => decisions.makeSigningRequest('held up')),
    },
    'POST /api/v1/withdrawals/{withdrawal_id}/cancel': { withdrawal_id: await makeWithdrawals('approved') },
    'POST /api/v1/withdrawals/{withdrawal_id}/drop': { withdrawal_id: await makeWithdrawals('broadcast') },
    'POST /api/v1/withdrawals/{withdrawal_id}/speed-up': { withdrawal_id: await makeWithdrawals('broadcast') },
    'POST /api/v1/withdrawals/{withdrawal_id}/approve': { withdrawal_id: await makeWithdrawals('held up') },
    'POST /api/v1/withdrawals/{withdrawal_id}/reject': { withdrawal_id: await makeWithdrawals('held up') },
    [`POST ${exported}/{export_id}/cancel`]: { export_id: await repeat(() => makePendingExport(api)) },
    'DELETE /api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}': {
      schedule_id: await repeat(() => makeSchedule(api)),
    },
    [`DELETE ${book}/{address_book_id}`]: { address_book_id: await makeAddresses() },
    [`POST ${book}/{address_book_id}/approve`]: { address_book_id: await makeAddresses() },
    [`POST ${book}/{address_book_id}/reject`]: { address_book_id: await makeAddresses() },
    // A key that the test makes has a user with its id.
    'PATCH /api/v1/users/{user_id}': { user_id: await makeKeys() },
    ...(await seedConsole(api, decisions)),
    'GET /api/v1/changes/{change_id}': { change_id: await makeChanges() },
    'POST /api/v1/changes/{change_id}/approve': { change_id: await makeChanges() },
    'POST /api/v1/changes/{change_id}/reject': { change_id: await makeChanges() },
    'PATCH /api/v1/api-keys/{api_key_id}': { api_key_id: await makeKeys() },
    'POST /api/v1/api-keys/{api_key_id}/rotate': { api_key_id: await makeKeys() },
    'DELETE /api/v1/api-keys/{api_key_id}': { api_key_id: await makeKeys() },
    'POST /api/v1/api-keys/{api_key_id}/take-secret': { api_key_id: await repeat(() => makeUntakenKey(api)) },
  };
}

async function makeSchedule({ db, workspaceId }: TestApi): Promise<string> {
  const id = uuidv7();
  const asked = { content: 'balances', format: 'csv', cron: '0 6 * * *', timeZone: 'UTC' } as const;
  await db.transaction((tx) => insertExportSchedule(tx, { id, workspaceId, requestedBy: uuidv7(), ...asked }));
  return id;
}

async function makePendingExport({ db, workspaceId }: TestApi): Promise<string> {
  const id = uuidv7();
  const asked = { id, workspaceId, workflowId: `write-export-${id}`, requestedBy: uuidv7() };
  await db.transaction((tx) => insertExport(tx, { ...asked, content: 'balances', format: 'csv' }));
  return id;
}

/** Roles, links and passkeys of the calling key's user; passkeys that are removed are of others. */
async function seedConsole(api: TestApi, decisions: DecisionSeed): Promise<Record<string, Values>> {
  const own = { user_id: [await userOf(api, api.admin)] };
  const removed = await repeat(async () => storePasskey(api, api.workspaceId, await makeApiKey(api)));
  return {
    'GET /api/v1/users/{user_id}/passkeys': own,
    'PUT /api/v1/users/{user_id}/roles': own,
    'POST /api/v1/users/{user_id}/enrolment-links': own,
    'POST /api/v1/users/{user_id}/sign-out': own,
    'DELETE /api/v1/passkeys/{passkey_id}': { passkey_id: removed },
    'GET /api/v1/approvals/{subject_id}/evidence': { subject_id: [await decisions.makeWithdrawal('held up')] },
  };
}

/** What is deleted has webhooks of its own, and so has what may be disabled. */
async function seedWebhooks(api: TestApi): Promise<Record<string, Values>> {
  const makeWebhooks = () => repeat(async () => (await storeWebhook(api, api.workspaceId)).webhookId);
  const { webhookId, deliveryId } = await storeWebhook(api, api.workspaceId);
  const changed = await storeWebhook(api, api.workspaceId);
  const webhook = '/api/v1/webhooks/{webhook_id}';
  const values: Values = { webhook_id: [webhookId] };
  return {
    'POST /api/v1/workspaces/{workspace_id}/webhooks': { url: [targetUrl] },
    [`GET ${webhook}`]: values,
    [`GET ${webhook}/deliveries`]: values,
    [`PATCH ${webhook}`]: { webhook_id: [changed.webhookId], url: [targetUrl] },
    [`DELETE ${webhook}`]: { webhook_id: await makeWebhooks() },
    [`POST ${webhook}/ping`]: values,
    [`POST ${webhook}/rotate-secret`]: values,
    [`POST ${webhook}/replay`]: { ...values, from: ['2026-01-01T00:00:00Z'], to: ['2099-01-01T00:00:00Z'] },
    'POST /api/v1/webhooks/deliveries/{delivery_id}/redeliver': { delivery_id: [deliveryId] },
  };
}

/** Workspaces of their own, so that no other operation is decided by what is set here. */
async function seedPolicies(api: TestApi, decisions: DecisionSeed) {
  const set = await api.makeWorkspace();
  const [setterId, walletId] = [await userOf(api, set.key), await api.makeActiveWallet(set.workspaceId)];
  const makeChanged = async (required: number) => {
    const made = await api.makeWorkspace();
    await decisions.makeChangedPolicy(made.workspaceId, required);
    return made;
  };
  // Where two must approve one may say so again and again; where one suffices it is decided once.
  const approved = [await makeChanged(2), await makeChanged(1)];
  const rejected = [await makeChanged(1), await makeChanged(1), await makeChanged(1)];
  const idsOf = (made: { workspaceId: string }[]) => made.map(({ workspaceId }) => workspaceId);
  const policy = '/api/v1/workspaces/{workspace_id}/policy';
  const book = '/api/v1/workspaces/{workspace_id}/address-book';
  const values: Record<string, Values> = {
    [`GET ${policy}`]: { workspace_id: [api.workspaceId, set.workspaceId, ...idsOf(approved)] },
    [`PUT ${policy}`]: {
      workspace_id: [set.workspaceId],
      wallet_ids: [[walletId]],
      networks: [['ETHEREUM_SANDBOX'], ['SOL_SANDBOX', 'BTC_SANDBOX']],
      asset_ids: [[sandbox.ETH.assetId]],
      initiators: [[setterId]],
      approvers: [[setterId]],
      approvals: [1],
      addresses: [[recipient]],
      // Not the document of that name.
      typed_data: [{ primary_types: ['Mail'] }, { chain_ids: ['31337'] }],
    },
    [`POST ${policy}/approve`]: { workspace_id: idsOf(approved) },
    [`POST ${policy}/reject`]: { workspace_id: idsOf(rejected) },
    [`POST ${book}`]: {
      address: Array.from({ length: 1_000 }, () => getAddress(`0x${randomBytes(20).toString('hex')}`)),
    },
  };
  return { workspaces: [set, ...approved, ...rejected], values };
}

const repeat = (make: () => Promise<string>) => Promise.all(Array.from({ length: EACH }, make));

async function makeApiKey(api: TestApi): Promise<string> {
  return idOf(api, await api.makeKey({ scopes: ['wallets:read'] }));
}

async function userOf(api: TestApi, key: TestKey): Promise<string> {
  return (await api.call('GET', '/api/v1/api-keys/self', undefined, { key })).body.data.user_id;
}

async function idOf(api: TestApi, key: TestKey): Promise<string> {
  return (await api.call('GET', '/api/v1/api-keys/self', undefined, { key })).body.data.id;
}

/** Of the caller's own user, and its secret waits to be taken. */
async function makeUntakenKey(api: TestApi): Promise<string> {
  const id = uuidv7();
  await api.makeKey({ id, userId: await userOf(api, api.admin), secretEncrypted: untaken() });
  return id;
}
