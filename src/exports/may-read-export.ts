// Refuses whoever may not start, read or download an export, and says why. The rule is `findExportRefusal`: whoever may
// read the same elsewhere in the API, and of the same wallets.
import { type ExportReach, findExportRefusal, readableContents } from '../../domain/exports/export-contents.ts';
import type { ExportFilter, ExportRow } from '../../drizzle/exports/exports.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { ApiError, notFound } from '../http/errors.ts';

/** Throws when the key may not read it. */
export function assertMayReadExport(key: UsableKey, { content, walletIds }: ExportReach): void {
  const refusal = findExportRefusal(key, { content, walletIds });
  if (refusal === undefined) return;
  if (refusal === 'whole_workspace')
    throw new ApiError(
      'wallet_not_allowed',
      'This key is bound to wallets, and the whole workspace is not for it to export.',
    );
  if (refusal === 'other_wallets') throw new ApiError('wallet_not_allowed', 'This key is bound to other wallets.');
  throw new ApiError(
    'insufficient_scope',
    `This key lacks the scope ${refusal.scope}, which an export of ${content} takes.`,
  );
}

/** The row that was looked up, once it is there and the key may read it. */
export function requireReadable(key: UsableKey, row: ExportRow | undefined): ExportRow {
  if (row === undefined) throw notFound('export');
  assertMayReadExport(key, row);
  return row;
}

/** Which of the workspace's exports the list shows this key: what the same rule lets it read. */
export function readableBy(key: UsableKey): ExportFilter {
  const { workspaceId, walletIds } = key;
  return {
    workspaceId,
    contents: readableContents(key),
    withinWallets: walletIds.length === 0 ? undefined : walletIds,
  };
}
