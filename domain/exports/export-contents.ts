// What can be exported, in which forms, and what a key needs to read each. Reads nothing itself.
import { type Scope, scopesAllow } from '../scopes.ts';

export const exportContents = [
  'transactions',
  'withdrawals',
  'deposits',
  'signing_requests',
  'ledger_entries',
  'balances',
  'audit',
] as const;
export type ExportContent = (typeof exportContents)[number];

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The scope by which the same is read elsewhere in the API: to start, to read and to download an export takes it. */
export const exportScopes: Readonly<Record<ExportContent, Scope>> = {
  transactions: 'transactions:read',
  withdrawals: 'withdrawals:read',
  deposits: 'transactions:read',
  signing_requests: 'signing:read',
  ledger_entries: 'balances:read',
  balances: 'balances:read',
  audit: 'audit:read',
};

/** The log shows what every wallet does, so a key that is bound to wallets does not get it. */
export const isOfWholeWorkspace = (content: ExportContent): boolean => content === 'audit';

/** How things are at a moment, and not what happened within a time. */
export const isOfAMoment = (content: ExportContent): boolean => content === 'balances';

/** Whether who holds these scopes, and is bound to these wallets or to none, may read an export of these. */
export function mayReadExport(
  { scopes, walletIds: own }: { scopes: readonly Scope[]; walletIds: readonly string[] },
  { content, walletIds }: { content: ExportContent; walletIds: readonly string[] | null },
): boolean {
  if (!scopesAllow(scopes, exportScopes[content])) return false;
  if (own.length === 0) return true;
  return walletIds !== null && !isOfWholeWorkspace(content) && walletIds.every((id) => own.includes(id));
}

export const exportMediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
};
