// The OpenAPI document without a running service: the routes are built on connections that are never opened.
import { connectDatabase } from '../drizzle/database/connection.ts';
import { buildApp } from './app.ts';
import { temporalClient } from './process/temporal.ts';
import { WorkflowStarter } from './writes/start-workflow.ts';

export async function describeApi(): Promise<object> {
  const { db } = connectDatabase('postgres://nobody@127.0.0.1:1/none', { poolSize: 1, name: 'countersign-openapi' });
  const client = temporalClient({ address: '127.0.0.1:1', namespace: 'none', taskQueue: 'none' });
  const starter = new WorkflowStarter({ client, taskQueue: 'none', db, log: { warn: () => {} } });
  const settings = { keyEncryptionKeys: ['00'.repeat(32)], signRawEnabled: true, logLevel: 'silent' };
  const app = await buildApp({ db, client, starter, settings });
  await app.ready();
  const document = app.swagger();
  await app.close();
  return document;
}
