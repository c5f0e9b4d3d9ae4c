// Who may start, read and download an export: whoever may read the same elsewhere in the API, and of the same wallets.
import {
  type ExportContent,
  exportContents,
  exportScopes,
  isOfWholeWorkspace,
} from '../../domain/exports/export-contents.ts';
import { scopesAllow } from '../../domain/scopes.ts';
import type { ExportFilter, ExportRow } from '../../drizzle/exports/exports.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { ApiError, notFound } from '../http/errors.ts';

/** Throws when the key may not read it. `walletIds`: of which wallets it is; null for the whole workspace. */
export function assertMayReadExport(
  key: UsableKey,
  { content, walletIds }: { content: ExportContent; walletIds: readonly string[] | null },
): void {
  const scope = exportScopes[content];
  if (!scopesAllow(key.scopes, scope))
    throw new ApiError('insufficient_scope', `This key lacks the scope ${scope}, which an export of ${content} takes.`);
  if (walletIds === null || isOfWholeWorkspace(content)) assertDecidesForWorkspace(key);
  else for (const walletId of walletIds) assertWalletAllowed(key, walletId);
}

/** The row that was looked up, once it is there and the key may read it. */
export function requireReadable(key: UsableKey, row: ExportRow | undefined): ExportRow {
  if (row === undefined) throw notFound('export');
  assertMayReadExport(key, row);
  return row;
}

/** Which of the workspace's exports the list shows this key: those of which `assertMayReadExport` throws nothing. */
export function readableBy({ workspaceId, scopes, walletIds }: UsableKey): ExportFilter {
  const isBound = walletIds.length > 0;
  const contents = exportContents.filter(
    (content) => scopesAllow(scopes, exportScopes[content]) && !(isBound && isOfWholeWorkspace(content)),
  );
  return { workspaceId, contents, withinWallets: isBound ? walletIds : undefined };
}
