// The scopes that a key can carry. src/authentication/access.ts says which one a route needs.
export const scopes = [
  'catalog:read',
  'wallets:read',
  'wallets:write',
  'wallets:admin',
  'balances:read',
  'transactions:read',
  'transactions:write',
  'withdrawals:read',
  'withdrawals:write',
  'withdrawals:approve',
  'signing:read',
  'signing:write',
  'signing:approve',
  'policies:read',
  'policies:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
  'observability:read',
  'api_keys:admin',
  'workspace:admin',
] as const;

export type Scope = (typeof scopes)[number];
