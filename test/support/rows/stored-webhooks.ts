// A webhook with a delivery, stored as the service stores them, of which nothing is ever sent: for tests that only ask
// about them.
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { vi } from 'vitest';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import { encryptSecret } from '../../../drizzle/secrets/encrypted-secret.ts';
import { insertWebhook, recordPing, webhookDeliveries } from '../../../drizzle/webhooks/webhooks.ts';
import { generateWebhookSecret } from '../../../src/webhooks/secrets.ts';
import { type TestApi } from '../api/api.ts';
import { sequenceOnce } from '../api/events.ts';
import { keyEncryptionKey } from './seals.ts';

export const targetUrl = 'https://receiver.example/hook';

export async function storeWebhook({ db }: Pick<TestApi, 'db'>, workspaceId: string) {
  const id = uuidv7();
  const workflowId = workflowIdOf('deliverWebhooks', id);
  const encryptedSecret = encryptSecret(Buffer.from(keyEncryptionKey, 'hex'), id, generateWebhookSecret());
  const row = await db.transaction((tx) =>
    insertWebhook(tx, { id, workflowId, workspaceId, url: targetUrl, events: [], encryptedSecret }),
  );
  await db.transaction((tx) => recordPing(tx, row));
  // Another who stores one beside this may be at the round.
  const delivery = await vi.waitFor(
    async () => {
      await sequenceOnce(db);
      const [made] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id));
      if (made === undefined) throw new Error('the webhook has no delivery');
      return made;
    },
    { timeout: 60_000, interval: 10 },
  );
  return { webhookId: id, deliveryId: delivery.id };
}
