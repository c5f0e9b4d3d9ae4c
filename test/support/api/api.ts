// The API in this process, on a database of its own: requests go in through `inject`, signed as a caller would sign
// them.

import { createHmac, randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { eq } from 'drizzle-orm';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import { addressOf } from '../../../activities/chains/key-address.ts';
import { scopes } from '../../../domain/scopes.ts';
import { changeApiKey, insertApiKey, type NewApiKey } from '../../../drizzle/api-keys/api-key-steps.ts';
import { apiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { connectDatabase, type Database } from '../../../drizzle/database/connection.ts';
import { encryptSecret } from '../../../drizzle/secrets/encrypted-secret.ts';
import { findUser, insertUser } from '../../../drizzle/users/users.ts';
import { activateWallet, insertWallet } from '../../../drizzle/wallets/wallet-steps.ts';
import { type AppSettings, buildApp } from '../../../src/app.ts';
import { generateApiKey, generateApiSecret } from '../../../src/authentication/generate-secrets.ts';
import { createWorkspace } from '../../../src/commands/create-workspace.ts';
import { temporalClient } from '../../../src/process/temporal.ts';
import type { Tracing } from '../../../src/process/tracing.ts';
import { WorkflowStarter } from '../../../src/writes/start-workflow.ts';
import { createTestDatabase } from '../processes/postgres.ts';
import { testTemporal } from '../processes/temporal.ts';
import { keyEncryptionKey, testSealing, testSeals } from '../rows/seals.ts';

export interface TestKey {
  apiKey: string;
  apiSecret: string;
}

export interface CallOptions {
  key?: TestKey;
  headers?: Record<string, string>;
  /** Sent instead of the JSON of `body`. */
  rawBody?: string;
  /** Unix seconds; now when absent. */
  timestamp?: number | string;
  encoding?: 'hex' | 'base64';
  /** Another API than the first, from `startAnother`. */
  at?: FastifyInstance;
  remoteAddress?: string;
}

export interface TestApi {
  app: FastifyInstance;
  db: Database;
  /** The database for its owner. */
  databaseUrl: string;
  /** The database for the login of the service. */
  serviceUrl: string;
  taskQueue: string;
  starter: WorkflowStarter;
  workspaceId: string;
  admin: TestKey;
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  makeKey(fields: Partial<NewApiKey>): Promise<TestKey>;
  makeActiveWallet(workspaceId?: string): Promise<string>;
  makeWorkspace(): Promise<{ workspaceId: string; key: TestKey }>;
  /** Another API on the same database, with connections of its own. */
  startAnother(changed?: Partial<AppSettings>): Promise<{ app: FastifyInstance; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  headers: LightMyRequestResponse['headers'];
}

export async function startApi({
  temporalAddress,
  tracing,
  ...changed
}: { temporalAddress?: string; tracing?: Tracing } & Partial<AppSettings> = {}): Promise<TestApi> {
  const database = await createTestDatabase();
  const connection = connectDatabase(database.url, { poolSize: 8, name: 'test-api' });
  const { db } = connection;
  const { address, namespace, taskQueue } = testTemporal('api');
  const client = temporalClient({ address: temporalAddress ?? address, namespace, taskQueue });
  const starter = new WorkflowStarter({ client, taskQueue, db, log: { warn: () => {} }, tracing });
  const settings: AppSettings = {
    keyEncryptionKeys: [keyEncryptionKey],
    signRawEnabled: true,
    logLevel: 'silent',
    ...changed,
  };
  const observers = { registry: new Registry(), tracing };
  const app = await buildApp({ db, client, starter, settings, observers });
  const { workspaceId, ...admin } = await makeWorkspace(db, 'test');

  return {
    app,
    db,
    databaseUrl: database.url,
    serviceUrl: database.serviceUrl ?? database.url,
    taskQueue,
    starter,
    workspaceId,
    admin,
    call: (method, path, body, callOptions) =>
      call({ app: callOptions?.at ?? app, admin }, { method, path, body }, callOptions),
    makeKey: (fields) => makeKey(db, workspaceId, fields),
    makeActiveWallet: (owner) => makeActiveWallet(db, owner ?? workspaceId),
    makeWorkspace: async () => {
      const { workspaceId: id, ...key } = await makeWorkspace(db, 'another');
      return { workspaceId: id, key };
    },
    startAnother: async (changedToo) => {
      const own = connectDatabase(database.url, { poolSize: 2, name: 'test-api-another' });
      const another = await buildApp({ db: own.db, client, starter, settings: { ...settings, ...changedToo } });
      return {
        app: another,
        stop: async () => {
          await another.close();
          await own.close();
        },
      };
    },
    stop: async () => {
      await app.close();
      await starter.drain();
      await client.connection.close();
      await connection.close();
      await database.drop();
    },
  };
}

async function call(
  { app, admin }: { app: FastifyInstance; admin: TestKey },
  { method, path, body }: { method: string; path: string; body: unknown },
  options: CallOptions = {},
): Promise<Answer> {
  const raw = options.rawBody ?? (body === undefined ? '' : JSON.stringify(body));
  const timestamp = String(options.timestamp ?? Math.floor(Date.now() / 1000));
  const { apiKey, apiSecret } = options.key ?? admin;
  const hex = createHmac('sha256', apiSecret)
    .update(`method=${method}&path=${path}&timestamp=${timestamp}&body=${raw}`)
    .digest('hex');
  const response = await app.inject({
    method: method as 'GET',
    url: path,
    ...(options.remoteAddress === undefined ? {} : { remoteAddress: options.remoteAddress }),
    ...(raw === '' ? {} : { payload: raw }),
    headers: {
      ...(raw === '' ? {} : { 'content-type': 'application/json' }),
      'access-api-key': apiKey,
      'access-timestamp': timestamp,
      'access-sign': options.encoding === 'base64' ? Buffer.from(hex).toString('base64') : hex,
      ...options.headers,
    },
  });
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return {
    status: response.statusCode,
    body: isJson ? response.json() : response.body,
    headers: response.headers,
  };
}

/** Its first key gets every scope, also those to approve, as an operator may give: tests call every route with it. */
export async function makeWorkspace(db: Database, name: string): Promise<{ workspaceId: string } & TestKey> {
  const { workspaceId, apiKey, apiSecret } = await createWorkspace(db, name, keyEncryptionKey);
  const [row] = await db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.apiKey, apiKey));
  if (row === undefined) throw new Error('a workspace has no first key');
  await db.transaction((tx) => changeApiKey(tx, testSealing, row.id, { scopes: [...scopes] }));
  return { workspaceId, apiKey, apiSecret };
}

/** Of a user of its own with the same id, unless a user is named. */
async function makeKey(db: Database, workspaceId: string, fields: Partial<NewApiKey>): Promise<TestKey> {
  const id = uuidv7();
  const key = { apiKey: generateApiKey(), apiSecret: generateApiSecret() };
  const whole = {
    id,
    workspaceId,
    userId: fields.id ?? id,
    apiKey: key.apiKey,
    secretEncrypted: encryptSecret(Buffer.from(keyEncryptionKey, 'hex'), id, key.apiSecret),
    scopes: [],
    name: 'test key',
    createdBy: 'test',
    ...fields,
  };
  await db.transaction(async (tx) => {
    const owner = { id: whole.userId, workspaceId: whole.workspaceId, name: whole.name, createdBy: 'test' };
    if ((await findUser(tx, owner.workspaceId, owner.id)) === undefined) await insertUser(tx, testSealing, owner);
    await insertApiKey(tx, testSealing, whole);
  });
  return key;
}

/** An active wallet with addresses but without keys in any node: for what never reaches a cluster. */
export async function makeActiveWallet(db: Database, workspaceId: string): Promise<string> {
  const id = uuidv7();
  await db.transaction((tx) =>
    insertWallet(tx, testSeals, { id, workspaceId, name: 'test wallet', walletType: 'mpc' }),
  );
  const publicKey = secp256k1.getPublicKey(secp256k1.utils.randomSecretKey());
  const solanaKey = randomBytes(32);
  const chainCode = randomBytes(32);
  await activateWallet(db, testSeals, id, {
    keys: [
      { curve: 'secp256k1', publicKey, chainCode },
      { curve: 'ed25519', publicKey: solanaKey, chainCode },
    ],
    addresses: (
      [
        ['evm', 60],
        ['btc', 0],
        ['tron', 195],
        ['sol', 501],
      ] as const
    ).map(([addressType, coinType]) => ({
      addressType,
      address: addressOf(addressType, addressType === 'sol' ? solanaKey : publicKey, 'regtest'),
      derivationPath: `m/44/${coinType}/0/0/0`,
    })),
  });
  return id;
}
