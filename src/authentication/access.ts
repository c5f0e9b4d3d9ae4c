// Who may call what: the one table of every route under /api/v1 and the scope that a key needs for it. A route that is
// not here does not start.
import type { FastifyInstance } from 'fastify';
import type { Scope } from '../../domain/scopes.ts';

/** `null`: any valid key. */
export const access: Readonly<Record<string, Scope | null>> = {
  'GET /assets': 'catalog:read',
  'GET /assets/{asset_id}': 'catalog:read',
  'GET /networks': 'catalog:read',
  'GET /networks/{network_id}': 'catalog:read',
  'GET /networks/{network_id}/fees': 'catalog:read',
  'POST /networks/rescan-transaction': 'transactions:write',

  'POST /wallets': 'wallets:write',
  'GET /wallets/creation-status/{wallet_id}': 'wallets:read',
  'GET /workspaces/{workspace_id}/wallets': 'wallets:read',
  'GET /wallets/{wallet_id}': 'wallets:read',
  'PATCH /wallets/{wallet_id}': 'wallets:write',
  'POST /wallets/{wallet_id}/freeze': 'wallets:admin',
  'POST /wallets/{wallet_id}/unfreeze': 'wallets:admin',
  'POST /wallets/{wallet_id}/archive': 'wallets:admin',
  'POST /workspaces/{workspace_id}/automation/sweep-task': 'wallets:admin',
  'GET /wallets/{wallet_id}/assets': 'wallets:read',
  'POST /wallets/{wallet_id}/assets': 'wallets:write',
  'PATCH /wallets/{wallet_id}/assets/{asset_id}': 'wallets:write',
  'GET /wallets/{wallet_id}/address': 'wallets:read',
  'GET /wallets/{wallet_id}/deposit-address': 'wallets:read',
  'GET /web3/wallet-detail': 'wallets:read',
  'GET /web3/wallet-detail/{wallet_id}': 'wallets:read',

  'GET /wallets/{wallet_id}/balances': 'balances:read',
  'GET /workspaces/{workspace_id}/balances': 'balances:read',

  'POST /web3/{wallet_id}/sign': 'signing:write',
  'GET /web3/{wallet_id}/sign/{signing_id}': 'signing:read',
  'POST /web3/transaction/{wallet_id}/signRaw': 'signing:write',
  'POST /web3/transaction/{wallet_id}/signTransaction': 'signing:write',
  'POST /web3/transaction/{wallet_id}/signTyped': 'signing:write',
  'POST /web3/transaction/{wallet_id}/signMessage': 'signing:write',
  'POST /web3/transaction/{wallet_id}/signBatch': 'signing:write',
  'GET /signing-requests/{signing_id}': 'signing:read',
  'POST /signing-requests/{signing_id}/cancel': 'signing:write',
  'GET /workspaces/{workspace_id}/signing-requests': 'signing:read',
  'POST /signing-requests/{signing_id}/approve': 'signing:approve',
  'POST /signing-requests/{signing_id}/reject': 'signing:approve',

  'GET /workspaces/{workspace_id}/policy': 'policies:read',
  'PUT /workspaces/{workspace_id}/policy': 'policies:write',
  'POST /workspaces/{workspace_id}/policy/simulate': 'policies:read',
  'POST /workspaces/{workspace_id}/policy/approve': 'policies:write',
  'POST /workspaces/{workspace_id}/policy/reject': 'policies:write',
  'GET /workspaces/{workspace_id}/address-book': 'policies:read',
  'POST /workspaces/{workspace_id}/address-book': 'policies:write',
  'DELETE /workspaces/{workspace_id}/address-book/{address_book_id}': 'policies:write',
  'POST /workspaces/{workspace_id}/address-book/{address_book_id}/approve': 'policies:write',
  'POST /workspaces/{workspace_id}/address-book/{address_book_id}/reject': 'policies:write',

  'GET /workspaces/{workspace_id}/transactions': 'transactions:read',
  'GET /workspaces/{workspace_id}/transactions/export': 'transactions:read',
  'GET /workspaces/{workspace_id}/transactions/{transaction_id}': 'transactions:read',
  'GET /web3/transaction/{wallet_id}/{transaction_id}': 'transactions:read',
  'POST /wallets/{wallet_id}/request-withdrawal': 'withdrawals:write',
  'POST /wallets/{wallet_id}/withdrawals/estimate': 'withdrawals:read',
  'GET /workspaces/{workspace_id}/withdrawals': 'withdrawals:read',
  'GET /withdrawals/{withdrawal_id}': 'withdrawals:read',
  'GET /withdrawals/{withdrawal_id}/history': 'withdrawals:read',
  'POST /withdrawals/{withdrawal_id}/approve': 'withdrawals:approve',
  'POST /withdrawals/{withdrawal_id}/reject': 'withdrawals:approve',
  'POST /withdrawals/{withdrawal_id}/cancel': 'withdrawals:write',
  'POST /withdrawals/{withdrawal_id}/speed-up': 'withdrawals:write',
  'POST /withdrawals/{withdrawal_id}/drop': 'withdrawals:write',
  'GET /workspaces/{workspace_id}/withdrawals/count': 'withdrawals:read',
  'POST /workspaces/{workspace_id}/withdrawals/freeze': 'workspace:admin',
  'POST /workspaces/{workspace_id}/withdrawals/unfreeze': 'workspace:admin',

  // Which scope it takes is for the content of the export to say (src/exports/may-read-export.ts).
  'POST /workspaces/{workspace_id}/exports': null,
  'GET /workspaces/{workspace_id}/exports': null,
  'GET /workspaces/{workspace_id}/exports/{export_id}': null,
  'GET /workspaces/{workspace_id}/exports/{export_id}/content': null,

  'GET /workspaces/{workspace_id}/events': 'webhooks:read',

  'GET /workspaces/{workspace_id}/webhooks': 'webhooks:read',
  'POST /workspaces/{workspace_id}/webhooks': 'webhooks:write',
  'GET /workspaces/{workspace_id}/webhook-verification-key': 'webhooks:read',
  'GET /webhooks/{webhook_id}': 'webhooks:read',
  'PATCH /webhooks/{webhook_id}': 'webhooks:write',
  'DELETE /webhooks/{webhook_id}': 'webhooks:write',
  'POST /webhooks/{webhook_id}/ping': 'webhooks:write',
  'POST /webhooks/{webhook_id}/rotate-secret': 'webhooks:write',
  'POST /webhooks/{webhook_id}/replay': 'webhooks:write',
  'GET /webhooks/{webhook_id}/deliveries': 'webhooks:read',
  'POST /webhooks/deliveries/{delivery_id}/redeliver': 'webhooks:write',

  'POST /sandbox/faucet': 'wallets:write',
  'POST /sandbox/mine': 'wallets:write',

  'GET /workspaces/{workspace_id}/users': 'api_keys:admin',
  'POST /workspaces/{workspace_id}/users': 'api_keys:admin',
  'PATCH /users/{user_id}': 'api_keys:admin',
  'GET /workspaces/{workspace_id}/changes': 'policies:read',
  'GET /changes/{change_id}': 'policies:read',
  'POST /changes/{change_id}/approve': 'policies:write',
  'POST /changes/{change_id}/reject': 'policies:write',

  'GET /workspaces/{workspace_id}/api-keys': 'api_keys:admin',
  'POST /workspaces/{workspace_id}/api-keys': 'api_keys:admin',
  'PATCH /api-keys/{api_key_id}': 'api_keys:admin',
  'DELETE /api-keys/{api_key_id}': 'api_keys:admin',
  'POST /api-keys/{api_key_id}/rotate': 'api_keys:admin',
  'POST /api-keys/{api_key_id}/take-secret': null,
  'GET /api-keys/self': null,

  'GET /workspaces/{workspace_id}/audit-logs': 'audit:read',
  'GET /workspaces/{workspace_id}/audit-logs/export': 'audit:read',
  'GET /workspaces/{workspace_id}/audit-logs/verify': 'audit:read',
  'GET /workspaces/{workspace_id}/audit-logs/head': 'audit:read',

  'GET /observability/status': 'observability:read',
};

const PREFIX = '/api/v1';

/** Gives every route its scope, and refuses to start with a route that has none. */
export function installAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith(`${PREFIX}/`)) return;
    const path = route.url.slice(PREFIX.length).replaceAll(/:(\w+)/g, '{$1}');
    // A HEAD route is the shadow of its GET.
    const rule = `${route.method === 'HEAD' ? 'GET' : String(route.method)} ${path}`;
    const scope = access[rule];
    if (scope === undefined) throw new Error(`src/authentication/access.ts has no rule for ${rule}`);
    route.config = { ...route.config, scope, rule };
  });
}
