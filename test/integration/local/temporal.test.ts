// Goal: the embedded Temporal keeps its histories over restarts, knows our search attributes and leaves no process.
// Method: the real development server in a temporary folder.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identifyProcess } from '../../../src/local/processes/process-identity.ts';
import { startTemporal } from '../../../src/local/temporal/temporal.ts';
import { findTemporal } from '../../../src/local/temporal/temporal-binary.ts';

const binary = await findTemporal(resolve(import.meta.dirname, '../../../.local'), {
  report: console.log,
  signal: new AbortController().signal,
});
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-temporal-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a second start, after a kill, finds the workflow of the first', async () => {
  const first = await startTemporal({ binary, directory });
  await withClient(first.address, (client) =>
    client.workflow.start('sleeper', {
      taskQueue: 'nobody',
      workflowId: 'kept',
      workflowExecutionTimeout: '1h',
    }),
  );
  first.kill('SIGKILL');
  await first.exited;

  const second = await startTemporal({ binary, directory });
  const status = await withClient(
    second.address,
    async (client) => (await client.workflow.getHandle('kept').describe()).status.name,
  );
  expect(status).toBe('RUNNING');
  await second.stop();
  expect(identifyProcess(second.pid)).toBeUndefined();
});

test('the search attributes are there from the start', async () => {
  const server = await startTemporal({ binary, directory });
  const names = await withClient(server.address, async ({ connection }) =>
    Object.keys((await connection.operatorService.listSearchAttributes({ namespace: 'default' })).customAttributes),
  );
  expect(names).toEqual(
    expect.arrayContaining(['WorkspaceId', 'WalletId', 'WalletIds', 'NetworkCode', 'OperationStatus']),
  );
  await server.stop();
});

test('the searches of the runbook for operations are taken', async () => {
  const server = await startTemporal({ binary, directory });
  const runbook = readFileSync(resolve(import.meta.dirname, '../../../RUNBOOK.md'), 'utf8');
  const [, section = ''] = runbook.split("## Operations in Temporal's web interface");
  const searches = [...(section.split('\n## ')[0]?.matchAll(/^```temporal\n([\s\S]*?)```/gm) ?? [])];
  expect(searches).toHaveLength(4);
  for (const [, search = ''] of searches) {
    const found = () => withClient(server.address, (client) => client.workflow.count(search.trim()));
    await expect(found()).resolves.toMatchObject({ count: 0 });
  }
  await server.stop();
});

test('a taken port is refused with a sentence', async () => {
  const blocker = createServer();
  const port = await new Promise<number>((done) => {
    blocker.listen(0, '127.0.0.1', () => done((blocker.address() as { port: number }).port));
  });
  await expect(startTemporal({ binary, directory, port })).rejects.toThrow(/Temporal did not start.*log: /s);
  blocker.close();
});

async function withClient<Answer>(address: string, ask: (client: Client) => Promise<Answer>): Promise<Answer> {
  const connection = await Connection.connect({ address });
  try {
    return await ask(new Client({ connection }));
  } finally {
    await connection.close();
  }
}
