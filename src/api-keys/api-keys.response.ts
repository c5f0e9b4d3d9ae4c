// A row of an API key as the wire shows it. Neither of its secrets is part of it.

import type { RecordedApiKey } from '../../drizzle/api-keys/api-key-steps.ts';
import { type ApiKeyRow, awaitsSecret, isConsoleKey } from '../../drizzle/api-keys/api-keys.ts';

/** What events say of it, which is a part of its record: nothing that helps to use the key. */
export const toApiKeyEventData = (row: RecordedApiKey) => ({
  id: row.id,
  workspace_id: row.workspaceId,
  user_id: row.userId,
  scopes: row.scopes,
  wallet_ids: row.walletIds,
  name: row.name,
  created_by: row.createdBy,
  ...(row.revokedAt === null ? {} : { revoked_at: row.revokedAt.toISOString() }),
  ...(row.expiresAt === null ? {} : { expires_at: row.expiresAt.toISOString() }),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export function toApiKeyRecord(row: ApiKeyRow) {
  const overlap = row.previousSecretExpiresAt;
  return {
    ...toApiKeyEventData(row),
    api_key: row.apiKey,
    ...(row.ipAllowlist.length === 0 ? {} : { ip_allowlist: row.ipAllowlist }),
    ...(row.legacyPathSigning ? { legacy_path_signing: true as const } : {}),
    ...(row.roles === null ? {} : { roles: [...row.roles] }),
    ...(awaitsSecret(row) && !isConsoleKey(row) ? { awaiting_secret: true as const } : {}),
    ...(overlap === null || overlap.getTime() <= Date.now()
      ? {}
      : { previous_secret_expires_at: overlap.toISOString() }),
    ...(row.lastUsedAt === null ? {} : { last_used_at: row.lastUsedAt.toISOString() }),
    ...(row.lastUsedIp === null ? {} : { last_used_ip: row.lastUsedIp }),
  };
}
