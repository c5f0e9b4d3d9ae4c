// The scopes that a key can carry. domain/access-rules.ts says which one a route needs.
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

/** Nobody votes blind: who approves something may read it. */
const readingScopes: Partial<Record<Scope, Scope>> = {
  'withdrawals:read': 'withdrawals:approve',
  'signing:read': 'signing:approve',
};

/** Whether a key with these scopes may do what needs `scope`. */
export function scopesAllow(held: readonly Scope[], scope: Scope): boolean {
  const approving = readingScopes[scope];
  return held.includes(scope) || (approving !== undefined && held.includes(approving));
}
