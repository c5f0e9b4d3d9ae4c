// Calls of the routes of API keys, each write signed in a second of its own, and what a test asks about a key.
import { eq } from 'drizzle-orm';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { WriteClock } from '../../../src/client/write-clock.ts';
import type { Answer, CallOptions, TestApi, TestKey } from './api.ts';

export const SELF = '/api/v1/api-keys/self';
export const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';
export const HOUR_MS = 3_600_000;

export const soon = () => new Date(Date.now() + HOUR_MS).toISOString();
export const keyOf = ({ body }: Answer): TestKey => ({ apiKey: body.data.api_key, apiSecret: body.data.api_secret });
export const codeOf = ({ status, body }: Answer) => [status, body.code];

export class KeyCalls {
  readonly #api: TestApi;
  readonly #clock = new WriteClock();
  readonly list: string;

  constructor(api: TestApi) {
    this.#api = api;
    this.list = `/api/v1/workspaces/${api.workspaceId}/api-keys`;
  }

  /** Equal writes are signed in different seconds: a signature counts once. */
  write(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const timestamp = this.#clock.secondFor(`${method} ${path} ${JSON.stringify(body)} ${options.key?.apiSecret}`);
    return this.#api.call(method, path, body, { timestamp, ...options });
  }

  create(body: object = {}, key?: TestKey): Promise<Answer> {
    const whole = { name: 'a key', scopes: ['wallets:read'], ...body };
    return this.write('POST', this.list, whole, key === undefined ? {} : { key });
  }

  rows() {
    return this.#api.db.select().from(apiKeys);
  }

  async rowOf(id: string) {
    return (await this.#api.db.select().from(apiKeys).where(eq(apiKeys.id, id)))[0];
  }

  async idOf(key: TestKey): Promise<string> {
    return (await this.#api.call('GET', SELF, undefined, { key })).body.data.id;
  }

  async userOf(key: TestKey): Promise<string> {
    return (await this.#api.call('GET', SELF, undefined, { key })).body.data.user_id;
  }

  async statusWith(key: TestKey): Promise<number> {
    return (await this.#api.call('GET', SELF, undefined, { key })).status;
  }
}
