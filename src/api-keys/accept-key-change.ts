// The one way in which a key changes over HTTP: by a key that may do so, alone in its workspace, at once or, where it
// needs approvals, as a change that waits for them; then this process forgets the key at once, the others within a
// second.
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { findApiKey } from '../../drizzle/api-keys/api-key-queries.ts';
import { type ApiKeyChange, changeApiKey } from '../../drizzle/api-keys/api-key-steps.ts';
import type { ApiKeyRow } from '../../drizzle/api-keys/api-keys.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { sealingOf } from '../../drizzle/seals/sealing.ts';
import type { NewAuthorityChange } from '../../drizzle/users/authority-changes.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import type { KeyRing, UsableKey } from '../authentication/key-ring.ts';
import { type ShownChange, showChange } from '../authority-changes/authority-changes.response.ts';
import { findNeededApprovals, requestChange } from '../authority-changes/request-change.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { acceptWrite } from '../writes/accept-write.ts';
import { toApiKeyRecord } from './api-keys.response.ts';
import type { ApiKeyDependencies } from './create-api-key.ts';

export interface ApiKeyChangeDependencies extends ApiKeyDependencies {
  keyRing: KeyRing;
}

export type ChangedKey = ReturnType<typeof toApiKeyRecord> | ShownChange;

export interface KeyChange {
  change: ApiKeyChange;
  /** What waits instead, where changes need approvals. Absent for what needs none. */
  waiting?: Pick<NewAuthorityChange, 'kind' | 'details'>;
  /** Called when the change is made at once. */
  made?: () => void;
}

interface KeyChangeRequest {
  id: string;
  /** Throws what keeps the calling key from this one. */
  assertMay: (caller: UsableKey, key: ApiKeyRow) => void;
  /** Undefined when there is nothing to change. */
  decide: (tx: Transaction, key: ApiKeyRow) => Promise<KeyChange | undefined>;
}

export async function acceptKeyChange(
  dependencies: ApiKeyChangeDependencies,
  request: FastifyRequest,
  { id, assertMay, decide }: KeyChangeRequest,
): Promise<ChangedKey> {
  const { key: caller } = request.caller;
  const { workspaceId } = caller;
  const requireKey = async (tx: Transaction) => {
    const key = await findApiKey(tx, workspaceId, id);
    if (key === undefined) throw notFound('API key');
    assertMay(caller, key);
    return key;
  };
  const { result } = await acceptWrite<ChangedKey>(dependencies, request, {
    id: id.toLowerCase(),
    target: '',
    admit: requireKey,
    make: async (tx, _start, note) => {
      await lockWorkspace(tx, workspaceId);
      const key = await requireKey(tx);
      note({ before: toApiKeyRecord(key) });
      const decided = await decide(tx, key);
      if (decided === undefined) return toApiKeyRecord(key);
      if (key.revokedAt !== null) throw new ApiError('invalid_state', 'This key is revoked: create another one.');
      const { change, waiting, made } = decided;
      const needed = waiting === undefined ? undefined : await findNeededApprovals(tx, dependencies, workspaceId);
      if (needed !== undefined && waiting !== undefined) {
        const about = { id: uuidv7(), workspaceId, targetId: key.id, userId: key.userId, createdBy: caller.userId };
        return showChange(tx, await requestChange(tx, dependencies.seals, needed, { ...about, ...waiting }));
      }
      const changed = await changeApiKey(tx, sealingOf(dependencies.seals, note), id, change);
      if (changed === undefined) throw new Error('a key that was locked was revoked');
      made?.();
      return toApiKeyRecord(changed);
    },
  });
  if (!('kind' in result)) dependencies.keyRing.invalidate(result.api_key);
  return result;
}
