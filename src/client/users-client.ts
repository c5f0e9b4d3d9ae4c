// Users and their keys by the client: who there is, what waits for another user's approval, and the secret that only a
// key's own user takes.

import type { Body, Data, Query } from './api-types.ts';
import { MoneyClient } from './money-client.ts';
import type { CallOptions, WriteOptions } from './service-client.ts';

const WORKSPACE = '/api/v1/workspaces/{workspace_id}';
const USER = '/api/v1/users/{user_id}';
const CHANGE = '/api/v1/changes/{change_id}';
const API_KEY = '/api/v1/api-keys/{api_key_id}';

export type NewUser = Body<'post', `${typeof WORKSPACE}/users`>;
export type UserChange = Body<'patch', typeof USER>;
export type User = Data<'get', `${typeof WORKSPACE}/users`>[number];
/** What waits for approval, or did: of users, and of keys of another user. */
export type AuthorityChange = Data<'get', typeof CHANGE>;
export type NewApiKey = Body<'post', `${typeof WORKSPACE}/api-keys`>;
export type ApiKeyWithSecret = Data<'post', `${typeof API_KEY}/take-secret`>;

export class UsersClient extends MoneyClient {
  /** Disabled ones too. */
  users(query: Query<`${typeof WORKSPACE}/users`> = {}) {
    return this.list(`${WORKSPACE}/users`, { query });
  }

  /** The user, or the change that waits for another user's approval (it has a `kind`). */
  createUser(body: NewUser, options: WriteOptions = {}) {
    return this.post(`${WORKSPACE}/users`, { body, ...options });
  }

  /** The user, or the change that waits (it has a `kind`): who is enabled again waits as who is new. */
  changeUser(userId: string, body: UserChange, options: WriteOptions = {}) {
    return this.patch(USER, { path: { user_id: userId }, body, ...options });
  }

  /** The key with its secret, or the change that waits (it has a `kind`) and has none. */
  createApiKey(body: NewApiKey, options: WriteOptions = {}) {
    return this.post(`${WORKSPACE}/api-keys`, { body, ...options });
  }

  /** Of a key of one's own that another user made or rotated: shown once. */
  takeSecret(
    apiKeyId: string,
    { overlapSeconds, ...options }: WriteOptions & { overlapSeconds?: number } = {},
  ): Promise<ApiKeyWithSecret> {
    const body = overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds };
    return this.post(`${API_KEY}/take-secret`, { path: { api_key_id: apiKeyId }, body, ...options });
  }

  changes(query: Query<`${typeof WORKSPACE}/changes`> = {}) {
    return this.list(`${WORKSPACE}/changes`, { query });
  }

  change(changeId: string, options?: CallOptions): Promise<AuthorityChange> {
    return this.get(CHANGE, { path: { change_id: changeId }, ...options });
  }

  /** With the digest of what was looked at (`approval.digest`): when anything has changed since, it is no approval. */
  approveChange(changeId: string, digest: string, options: WriteOptions = {}): Promise<AuthorityChange> {
    return this.post(`${CHANGE}/approve`, { path: { change_id: changeId }, body: { digest }, ...options });
  }

  rejectChange(changeId: string, options: WriteOptions = {}): Promise<AuthorityChange> {
    return this.post(`${CHANGE}/reject`, { path: { change_id: changeId }, ...options });
  }
}
