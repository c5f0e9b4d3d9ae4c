// Every route of the OpenAPI document, with what its path may name and the body that the document gives as an example:
// for tests that walk them all, so that a new route is covered or fails.

import { v7 as uuidv7 } from 'uuid';
import { insertApprovalRound } from '../../../drizzle/approvals/approvals.ts';
import { insertExportSchedule } from '../../../drizzle/exports/export-schedules.ts';
import { insertExport } from '../../../drizzle/exports/export-steps.ts';
import { insertPasskey } from '../../../drizzle/passkeys/passkeys.ts';
import { insertSigningRequest } from '../../../drizzle/signing-requests/signing-steps.ts';
import { authorityChanges } from '../../../drizzle/users/authority-changes.ts';
import { insertWithdrawal } from '../../../drizzle/withdrawals/withdrawal-steps.ts';
import { describeApi } from '../../../src/describe-api.ts';
import { testSealing, testSeals } from '../rows/seals.ts';
import { storeWebhook } from '../rows/stored-webhooks.ts';
import type { Answer, TestApi, TestKey } from './api.ts';

interface Parameter {
  name: string;
  in: string;
}

interface Operation {
  security?: object[];
  'x-scope'?: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
  responses: Record<string, object>;
}

export interface Route {
  name: string;
  method: string;
  path: string;
  operation: Operation;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
  security: object[];
}

/** With what an operation has of the document: its parameters' components, and the signature that all need. */
export async function readRoutes(): Promise<Route[]> {
  const { paths, components, security } = (await describeApi()) as Document;
  const resolved = (parameter: Parameter & { $ref?: string }) =>
    components.parameters[parameter.$ref?.replace('#/components/parameters/', '') ?? ''] ?? parameter;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const verb = method.toUpperCase();
      const parameters = (operation.parameters ?? []).map(resolved);
      return { name: `${verb} ${path}`, method: verb, path, operation: { security, ...operation, parameters } };
    }),
  );
}

export const paramsOf = ({ path }: Route) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);

export async function readCatalogue(api: TestApi): Promise<{ asset_id: string; network_id: string }> {
  const [asset] = (await api.call('GET', '/api/v1/assets')).body.data;
  return { asset_id: asset.id, network_id: asset.network_id };
}

export async function makeResources(
  api: TestApi,
  workspaceId: string,
  key: TestKey,
  catalogue: { asset_id: string; network_id: string },
) {
  const walletId = await api.makeActiveWallet(workspaceId);
  const signingId = uuidv7();
  await api.db.transaction((tx) =>
    insertSigningRequest(tx, testSeals, {
      id: signingId,
      workspaceId,
      walletId,
      operationType: 'generic',
      networkInternalCode: 'ETHEREUM_SANDBOX',
      keyType: 'secp256k1',
      signingHash: `0x${'ab'.repeat(32)}`,
      unsignedTx: `0x${'ab'.repeat(32)}`,
      derivationPath: 'm/44/60/0/0/0',
    }),
  );
  const withdrawalId = await makeWithdrawal(api, workspaceId, walletId, catalogue);
  const address = await api.call(
    'POST',
    `/api/v1/workspaces/${workspaceId}/address-book`,
    { network_id: catalogue.network_id, address: `0x${'5e'.repeat(20)}`, label: 'A supplier' },
    { key },
  );
  await api.call('POST', `/api/v1/wallets/${walletId}/assets`, { asset_id: catalogue.asset_id }, { key });
  const self = await api.call('GET', '/api/v1/api-keys/self', undefined, { key });
  const [change] = await api.db.insert(authorityChanges).values(changeOf(workspaceId)).returning();
  const { webhookId, deliveryId } = await storeWebhook(api, workspaceId);
  const exportId = uuidv7();
  await api.db.transaction((tx) =>
    insertExport(tx, {
      id: exportId,
      workspaceId,
      workflowId: `write-export-${exportId}`,
      requestedBy: uuidv7(),
      content: 'transactions',
      format: 'csv',
    }),
  );
  const schedule = await api.db.transaction((tx) =>
    insertExportSchedule(tx, {
      id: uuidv7(),
      workspaceId,
      requestedBy: uuidv7(),
      content: 'transactions',
      format: 'csv',
      cron: '0 6 * * *',
      timeZone: 'UTC',
    }),
  );
  return {
    workspace_id: workspaceId,
    wallet_id: walletId,
    signing_id: signingId,
    transaction_id: withdrawalId,
    withdrawal_id: withdrawalId,
    address_book_id: address.body.data.id as string,
    api_key_id: self.body.data.id as string,
    user_id: self.body.data.user_id as string,
    change_id: change?.id ?? '',
    webhook_id: webhookId,
    delivery_id: deliveryId,
    export_id: exportId,
    schedule_id: schedule.id,
    // Of two, since the last one stays.
    passkey_id: await storePasskey(api, workspaceId, self.body.data.user_id),
    another_passkey_id: await storePasskey(api, workspaceId, self.body.data.user_id),
    subject_id: await storeRound(api, workspaceId, walletId),
  };
}

/** One that answers nothing. */
export async function storePasskey(api: TestApi, workspaceId: string, userId: string): Promise<string> {
  const id = uuidv7();
  await api.db.transaction((tx) =>
    insertPasskey(tx, testSealing, {
      id,
      workspaceId,
      userId,
      credentialId: Buffer.from(id).toString('base64url'),
      publicKey: new Uint8Array([1]),
      publicKeySpki: 'AQ==',
      counter: 0,
      backupEligible: false,
      backedUp: false,
      transports: [],
      aaguid: '00000000-0000-0000-0000-000000000000',
      name: 'test',
      linkId: null,
    }),
  );
  return id;
}

async function storeRound(api: TestApi, workspaceId: string, walletId: string): Promise<string> {
  const subjectId = uuidv7();
  const round = { subject: 'withdrawal', subjectId, workspaceId, walletId, requestedBy: uuidv7() } as const;
  await api.db.transaction((tx) =>
    insertApprovalRound(tx, testSeals, { ...round, required: 1, digest: '00'.repeat(32), expiresInSeconds: 3_600 }),
  );
  return subjectId;
}

const changeOf = (workspaceId: string) => {
  const [id, userId, createdBy] = [uuidv7(), uuidv7(), uuidv7()];
  return {
    id,
    workspaceId,
    kind: 'create_user',
    targetId: userId,
    userId,
    details: { name: 'Ada' },
    createdBy,
  } as const;
};

async function makeWithdrawal(
  api: TestApi,
  workspaceId: string,
  walletId: string,
  { asset_id: assetId, network_id: networkId }: { asset_id: string; network_id: string },
): Promise<string> {
  const id = uuidv7();
  await api.db.transaction((tx) =>
    insertWithdrawal(tx, testSeals, {
      id,
      workspaceId,
      walletId,
      assetId,
      networkId,
      feeAssetId: assetId,
      amountBaseUnits: 0n,
      decimals: 18,
      fromAddress: `0x${'aa'.repeat(20)}`,
      derivationPath: 'm/44/60/0/0/0',
      recipientAddress: `0x${'bb'.repeat(20)}`,
      requestedBy: uuidv7(),
    }),
  );
  return id;
}

export function fill(route: Route, params: Record<string, string>): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${route.name} has a parameter that this test does not know: ${name}`);
    return value;
  });
}

/** Each body once only: an equal write in the same second would be a replay. */
let counter = 0;
export function callRoute(api: TestApi, route: Route, params: Record<string, string>, key: TestKey): Promise<Answer> {
  const body = route.operation.requestBody?.content['application/json'].example;
  counter += 1;
  const timestamp = Math.floor(Date.now() / 1000) - 250 + (counter % 500);
  return api.call(route.method, fill(route, params), body, { key, timestamp });
}
