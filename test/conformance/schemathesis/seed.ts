// What a run of Schemathesis finds in the service, and what the hook is told of it.
import { v7 as uuidv7 } from 'uuid';
import { serializeTransaction, zeroAddress } from 'viem';
import { insertSigningRequest } from '../../../drizzle/signing-requests.ts';
import { scopes } from '../../../src/api-keys/scopes.ts';
import type { TestApi, TestKey } from '../../support/api.ts';
import { insertTransaction } from '../../support/transactions.ts';

type Values = Record<string, unknown[]>;

export interface Known {
  /** The first whose `within` is a part of the path signs. */
  keys: Record<'within' | 'api_key' | 'api_secret', string>[];
  signing_key_ids: string[];
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

/** Several of each, because some requests end what they name. */
const EACH = 40;

export async function seed(api: TestApi): Promise<Known> {
  const { workspaceId } = api;
  const [asset] = (await api.call('GET', '/api/v1/assets')).body.data;
  const { id: assetId, network_id: networkId } = asset as { id: string; network_id: string };
  const walletId = await api.makeActiveWallet();
  await api.call('POST', `/api/v1/wallets/${walletId}/assets`, { asset_id: assetId });
  const frozen = await api.makeWorkspace();
  const bound = await api.makeKey({ scopes: [...scopes], walletIds: [walletId] });
  const makeTransaction = async () =>
    (await insertTransaction(api.db, { workspaceId, walletId, assetId, networkId, direction: 'out' })).id;
  return {
    keys: [
      { within: frozen.workspaceId, api_key: frozen.key.apiKey, api_secret: frozen.key.apiSecret },
      // Without an id it answers for the one wallet that a key is bound to.
      { within: '/web3/wallet-detail', api_key: bound.apiKey, api_secret: bound.apiSecret },
      { within: '', api_key: api.admin.apiKey, api_secret: api.admin.apiSecret },
    ],
    signing_key_ids: await Promise.all([idOf(api, api.admin), idOf(api, frozen.key), idOf(api, bound)]),
    values: {
      workspace_id: [workspaceId],
      wallet_id: [walletId],
      signing_id: [await makeSigningRequest(api, walletId)],
      transaction_id: [await makeTransaction()],
      asset_id: [assetId],
      network_id: [networkId],
      expires_at: ['2099-12-31T23:59:59Z'],
      wallet_ids: [[walletId]],
      ip_allowlist: [['127.0.0.1', '203.0.113.0/24', '2001:db8::/32']],
      ...signing,
      'POST /api/v1/web3/{wallet_id}/sign': { typed_data: [JSON.stringify(typedData)] },
      'GET /api/v1/wallets/{wallet_id}/deposit-address': { address_type: ['evm'] },
      // The operations that end or change what they name have their own, so that the others find theirs as it was.
      'POST /api/v1/wallets/{wallet_id}/archive': { wallet_id: await repeat(() => api.makeActiveWallet()) },
      'POST /api/v1/wallets/{wallet_id}/freeze': { wallet_id: await repeat(() => api.makeActiveWallet()) },
      'POST /api/v1/signing-requests/{signing_id}/cancel': {
        signing_id: await repeat(() => makeSigningRequest(api, walletId)),
      },
      'PATCH /api/v1/api-keys/{api_key_id}': { api_key_id: await repeat(() => makeApiKey(api)) },
      'POST /api/v1/api-keys/{api_key_id}/rotate': { api_key_id: await repeat(() => makeApiKey(api)) },
      'DELETE /api/v1/api-keys/{api_key_id}': { api_key_id: await repeat(() => makeApiKey(api)) },
      'POST /api/v1/workspaces/{workspace_id}/withdrawals/freeze': { workspace_id: [frozen.workspaceId] },
      'POST /api/v1/workspaces/{workspace_id}/withdrawals/unfreeze': { workspace_id: [frozen.workspaceId] },
    },
  };
}

const repeat = (make: () => Promise<string>) => Promise.all(Array.from({ length: EACH }, make));

async function makeApiKey(api: TestApi): Promise<string> {
  return idOf(api, await api.makeKey({ scopes: ['wallets:read'] }));
}

async function idOf(api: TestApi, key: TestKey): Promise<string> {
  return (await api.call('GET', '/api/v1/api-keys/self', undefined, { key })).body.data.id;
}

async function makeSigningRequest(api: TestApi, walletId: string): Promise<string> {
  const id = uuidv7();
  await api.db.transaction((tx) =>
    insertSigningRequest(tx, {
      id,
      workspaceId: api.workspaceId,
      walletId,
      operationType: 'generic',
      networkInternalCode: 'ETHEREUM_SANDBOX',
      keyType: 'secp256k1',
      signingHash: `0x${'ab'.repeat(32)}`,
      unsignedTx: `0x${'ab'.repeat(32)}`,
      derivationPath: 'm/44/60/0/0/0',
    }),
  );
  return id;
}
