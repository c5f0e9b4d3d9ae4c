// The scenarios of record.ts with a receiver of webhooks on this machine: one that takes an event at once, and one that
// first refuses it, so that a timer is waited for.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { encryptSecret } from '../../drizzle/secrets/encrypted-secret.ts';
import { insertWebhook } from '../../drizzle/webhooks/webhooks.ts';
import { generateWebhookSecret } from '../../src/webhooks/secrets.ts';
import { recordAnyEvent, sequenceOnce } from '../support/api/events.ts';
import type { Scenario, Stage } from './record.ts';

export const webhookScenarios: Record<string, Scenario> = {
  'deliver-webhooks-taken': (stage) => deliver(stage, [200]),
  'deliver-webhooks-retried': (stage) => deliver(stage, [503, 200]),
};

async function deliver({ db, workspaceId, keyEncryptionKey, run }: Stage, statuses: number[]): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(statuses.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const id = uuidv7();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const encryptedSecret = encryptSecret(keyEncryptionKey, id, generateWebhookSecret());
  const workflowId = workflowIdOf('deliverWebhooks', id);
  const row = { id, workflowId, workspaceId, url, events: ['wallet.frozen' as const], encryptedSecret };
  await db.transaction((tx) => insertWebhook(tx, row));
  await db.execute(sql`select ${recordAnyEvent(workspaceId, 'wallet.frozen')}`);
  await sequenceOnce(db);
  await run('deliverWebhooks', id, { webhookId: id, workspaceId });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return workflowId;
}
