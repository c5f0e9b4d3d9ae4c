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

export const exportFormats = ['csv', 'jsonl', 'parquet'] as const;
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
const isOfWholeWorkspace = (content: ExportContent): boolean => content === 'audit';

/** How things are at a moment, and not what happened within a time. */
export const isOfAMoment = (content: ExportContent): boolean => content === 'balances';

/** What a key may read, and of which wallets: of all of them when it is bound to none. */
export interface ExportReader {
  scopes: readonly Scope[];
  walletIds: readonly string[];
}

/** `walletIds`: of which wallets an export is; null for the whole workspace. */
export interface ExportReach {
  content: ExportContent;
  walletIds: readonly string[] | null;
}

/** `scope`: the one that is missing. The others: the key is bound to wallets, and the export reaches beyond them. */
export type ExportRefusal = { scope: Scope } | 'whole_workspace' | 'other_wallets';

/** Why a key may not start, read or download an export; undefined when it may. The one place that says so. */
export function findExportRefusal(
  { scopes, walletIds: own }: ExportReader,
  { content, walletIds }: ExportReach,
): ExportRefusal | undefined {
  const scope = exportScopes[content];
  if (!scopesAllow(scopes, scope)) return { scope };
  if (own.length === 0) return undefined;
  if (walletIds === null || isOfWholeWorkspace(content)) return 'whole_workspace';
  return walletIds.every((id) => own.includes(id)) ? undefined : 'other_wallets';
}

/** Of which contents a key may read exports: of its own wallets, where it is bound to some. */
export function readableContents(reader: ExportReader): ExportContent[] {
  const walletIds = reader.walletIds.length === 0 ? null : reader.walletIds;
  return exportContents.filter((content) => findExportRefusal(reader, { content, walletIds }) === undefined);
}

export const exportMediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};
