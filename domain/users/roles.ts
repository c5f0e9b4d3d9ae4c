// What people do at the console, and which scopes that takes. A role is given to a user; the scopes of all roles of a
// user are what a session of theirs may do.
import { type Scope, scopes } from '../scopes.ts';
import { approvingScopes } from '../votes/vote-rules.ts';

export const roles = ['administrator', 'approver', 'operator', 'viewer', 'auditor'] as const;

export type Role = (typeof roles)[number];

/** Administers and asks, and approves nothing: who holds this alone moves nothing that needs an approval. */
export const administratorScopes: readonly Scope[] = scopes.filter((scope) => !approvingScopes.includes(scope));

/** Reads and approves, and asks for nothing that moves money. */
export const approverScopes: readonly Scope[] = [
  'catalog:read',
  'wallets:read',
  'balances:read',
  'transactions:read',
  'audit:read',
  'withdrawals:read',
  'withdrawals:approve',
  'signing:read',
  'signing:approve',
  'policies:read',
  'policies:write',
];

const viewerScopes: readonly Scope[] = [
  'catalog:read',
  'wallets:read',
  'balances:read',
  'transactions:read',
  'withdrawals:read',
  'signing:read',
  'policies:read',
  'webhooks:read',
];

const scopesByRole: Readonly<Record<Role, readonly Scope[]>> = {
  administrator: administratorScopes,
  approver: approverScopes,
  operator: [
    ...viewerScopes,
    'wallets:write',
    'transactions:write',
    'withdrawals:write',
    'signing:write',
    'observability:read',
  ],
  viewer: viewerScopes,
  auditor: [...viewerScopes, 'audit:read', 'observability:read'],
};

/** Each scope once, in the order of the list of scopes. */
export function scopesOfRoles(held: readonly Role[]): Scope[] {
  const granted = new Set(held.flatMap((role) => scopesByRole[role]));
  return scopes.filter((scope) => granted.has(scope));
}
