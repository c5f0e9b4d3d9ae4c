// Makes an API key: at once for the calling key's own user, with a secret that is shown to the caller alone, once; for
// another user as a change that a third one approves, where the policy asks for that, without any secret: its own user
// takes that.
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { approvingScopes } from '../../domain/votes/vote-rules.ts';
import { findApiKey } from '../../drizzle/api-keys/api-key-queries.ts';
import { insertApiKey } from '../../drizzle/api-keys/api-key-steps.ts';
import type { ApiKeyRow } from '../../drizzle/api-keys/api-keys.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { sealingOf } from '../../drizzle/seals/sealing.ts';
import { encryptSecret } from '../../drizzle/secrets/encrypted-secret.ts';
import { findAuthorityChange } from '../../drizzle/users/authority-changes.ts';
import { findUser, type UserRow } from '../../drizzle/users/users.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { generateApiKey, generateApiSecret } from '../authentication/generate-secrets.ts';
import { type ShownChange, showChange } from '../authority-changes/authority-changes.response.ts';
import { findNeededApprovals, requestChange } from '../authority-changes/request-change.ts';
import { ApiError } from '../http/errors.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { toApiKeyRecord } from './api-keys.response.ts';
import type { CreateApiKeyBody } from './api-keys.schema.ts';
import { assertGrants, assertRanges, assertWalletsExist, readFutureMoment } from './grants.ts';

export interface ApiKeyDependencies extends WriteDependencies {
  /** New secrets are encrypted under it. */
  keyEncryptionKey: Buffer;
  production: boolean;
}

/** `change` while it waits for approval. Without the secret for a repeat. */
export type CreatedKey = { row: ApiKeyRow; secret?: string } | { change: ShownChange };

export async function createApiKey(
  dependencies: ApiKeyDependencies,
  request: FastifyRequest,
  body: CreateApiKeyBody,
): Promise<CreatedKey> {
  const { key: caller } = request.caller;
  const { workspaceId } = caller;
  const id = uuidv7();
  const { result } = await acceptWrite<CreatedKey>(dependencies, request, {
    id,
    target: '',
    make: async (tx, _start, note) => {
      await lockWorkspace(tx, workspaceId);
      const user = await requireActiveUser(tx, workspaceId, body.user_id?.toLowerCase() ?? caller.userId);
      const isOwn = user.id === caller.userId;
      const needed = isOwn ? undefined : await findNeededApprovals(tx, dependencies, workspaceId);
      const asked = readKey(body);
      assertGrants(caller, asked, { except: needed === undefined ? [] : approvingScopes });
      await assertWalletsExist(tx, workspaceId, asked.walletIds);
      const key = { ...asked, apiKey: generateApiKey() };
      if (needed === undefined) {
        const owner = { id, workspaceId, userId: user.id, createdBy: caller.userId };
        const secret = generateApiSecret();
        const secretEncrypted = encryptSecret(dependencies.keyEncryptionKey, id, secret);
        const row = await insertApiKey(tx, sealingOf(dependencies.seals, note), { ...key, ...owner, secretEncrypted });
        note({ after: toApiKeyRecord(row) });
        return { row, secret };
      }
      const about = { id, workspaceId, kind: 'create_api_key', targetId: uuidv7(), userId: user.id } as const;
      const change = { ...about, details: toDetails(key), createdBy: caller.userId };
      const shown = await showChange(tx, await requestChange(tx, dependencies.seals, needed, change));
      note({ after: shown });
      return { change: shown };
    },
    find: (tx, earlierId) => findCreated(tx, workspaceId, earlierId),
  });
  return result;
}

async function findCreated(tx: Transaction, workspaceId: string, id: string): Promise<CreatedKey | undefined> {
  const row = await findApiKey(tx, workspaceId, id);
  if (row !== undefined) return { row };
  const change = await findAuthorityChange(tx, workspaceId, id);
  return change && { change: await showChange(tx, change) };
}

export async function requireActiveUser(tx: Transaction, workspaceId: string, id: string): Promise<UserRow> {
  const user = await findUser(tx, workspaceId, id);
  if (user === undefined)
    throw new ApiError('invalid_request', `body.user_id: there is no user ${id} in this workspace.`);
  if (user.status !== 'active') throw new ApiError('invalid_state', 'This user is disabled: enable the user first.');
  return user;
}

function readKey(body: CreateApiKeyBody) {
  assertRanges(body.ip_allowlist ?? []);
  return {
    name: body.name,
    scopes: [...body.scopes] as string[],
    walletIds: (body.wallet_ids ?? []).map((walletId) => walletId.toLowerCase()),
    ipAllowlist: body.ip_allowlist ?? [],
    expiresAt: body.expires_at === undefined ? null : readFutureMoment(body.expires_at),
    legacyPathSigning: body.legacy_path_signing ?? false,
  };
}

const toDetails = (key: ReturnType<typeof readKey> & { apiKey: string }) => ({
  name: key.name,
  api_key: key.apiKey,
  ...toPower(key),
  legacy_path_signing: key.legacyPathSigning,
});

/** What a key can do, as a change shows it. */
export const toPower = (key: Pick<ApiKeyRow, 'scopes' | 'walletIds' | 'ipAllowlist' | 'expiresAt'>) => ({
  scopes: key.scopes,
  wallet_ids: key.walletIds,
  ip_allowlist: key.ipAllowlist,
  expires_at: key.expiresAt?.toISOString() ?? null,
});
