// A row of an API key as the wire shows it. Neither of its secrets is part of it.
import { type ApiKeyRow, awaitsSecret } from '../../drizzle/api-keys/api-keys.ts';

export function toApiKeyRecord(row: ApiKeyRow) {
  const overlap = row.previousSecretExpiresAt;
  return {
    id: row.id,
    api_key: row.apiKey,
    workspace_id: row.workspaceId,
    user_id: row.userId,
    scopes: row.scopes,
    wallet_ids: row.walletIds,
    ...(row.ipAllowlist.length === 0 ? {} : { ip_allowlist: row.ipAllowlist }),
    name: row.name,
    created_by: row.createdBy,
    ...(row.legacyPathSigning ? { legacy_path_signing: true as const } : {}),
    ...(awaitsSecret(row) ? { awaiting_secret: true as const } : {}),
    ...(overlap === null || overlap.getTime() <= Date.now()
      ? {}
      : { previous_secret_expires_at: overlap.toISOString() }),
    ...(row.revokedAt === null ? {} : { revoked_at: row.revokedAt.toISOString() }),
    ...(row.expiresAt === null ? {} : { expires_at: row.expiresAt.toISOString() }),
    ...(row.lastUsedAt === null ? {} : { last_used_at: row.lastUsedAt.toISOString() }),
    ...(row.lastUsedIp === null ? {} : { last_used_ip: row.lastUsedIp }),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
