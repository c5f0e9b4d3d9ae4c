// Goal: in production nothing is done on a sandbox network: its keys are published, and a balance there would be taken
// for money. Method: an API as a process in production, on a database whose catalogue has the sandbox networks on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sandboxCodes } from '../../../domain/catalog/sandbox.ts';
import { connectDatabase } from '../../../drizzle/database/connection.ts';
import { CountersignClient } from '../../../src/client/client.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { runCommand, type ServiceContext, startApi } from '../../../src/local/processes/service-processes.ts';
import { makeActiveWallet } from '../../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';
import { keyEncryptionKey } from '../../support/rows/seals.ts';

const SANDBOX_CHAIN_ID = 31_337;
const directory = mkdtempSync(join(tmpdir(), 'countersign-production-'));
let database: TestDatabase;
let api: Part | undefined;
afterAll(async () => {
  await api?.stop();
  await database.drop();
  rmSync(directory, { recursive: true, force: true });
});

test('sandbox networks are off: NETWORKS_ENABLED cannot name them, and signMessage signs for none', {
  timeout: 120_000,
}, async () => {
  database = await createTestDatabase();
  const port = await findFreePort();
  const { address, taskQueue } = testTemporal('production-networks');
  const contextOf = (environment: Record<string, string>): ServiceContext => ({
    dist: resolve(import.meta.dirname, '../../../dist'),
    logDirectory: directory,
    environment: {
      PATH: process.env['PATH'],
      SERVICE_ENV: 'production',
      DATABASE_URL: database.serviceUrl ?? database.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TASK_QUEUE: taskQueue,
      KEY_ENCRYPTION_KEY: keyEncryptionKey,
      PORT: String(port),
      ...environment,
    },
    onStart: (_name, part) => {
      api = part;
    },
  });
  await expect(runCommand(contextOf({ NETWORKS_ENABLED: 'SOL_SANDBOX' }), 'server')).rejects.toThrow(
    /NETWORKS_ENABLED names SOL_SANDBOX: production has no sandbox networks/,
  );
  const context = contextOf({});
  const created = JSON.parse(await runCommand(context, 'workspace', ['create', '--name', 'production', '--json']));
  const baseUrl = `http://127.0.0.1:${port}`;
  await startApi(context, baseUrl);
  const client = new CountersignClient({ baseUrl, apiKey: created.api_key, apiSecret: created.api_secret });
  const networks = await client.get('/api/v1/networks');
  const sandbox = networks.filter(({ internal_code }) => sandboxCodes.some((code) => code === internal_code));
  expect(sandbox.map(({ disabled }) => disabled)).toEqual(sandboxCodes.map(() => true));
  expect(networks.some(({ disabled }) => !disabled)).toBe(true);

  const walletId = await walletOf(created.workspace_id);
  const sign = (body: { network_internal_code: string } | { chain_id: number }) =>
    client.post('/api/v1/web3/transaction/{wallet_id}/signMessage', {
      path: { wallet_id: walletId },
      body: { message: 'worth nothing', ...body },
    });
  for (const code of sandboxCodes)
    await expect(sign({ network_internal_code: code })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`The network ${code} is disabled here.`),
    });
  await expect(sign({ chain_id: SANDBOX_CHAIN_ID })).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/No EVM network that is enabled here/),
  });
  const { signing_request: accepted } = await sign({ network_internal_code: 'ETHEREUM_MAINNET' });
  expect(accepted.network_internal_code).toBe('ETHEREUM_MAINNET');
});

async function walletOf(workspaceId: string): Promise<string> {
  const connection = connectDatabase(database.url, { poolSize: 1, name: 'test-production' });
  try {
    return await makeActiveWallet(connection.db, workspaceId);
  } finally {
    await connection.close();
  }
}
