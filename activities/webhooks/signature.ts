// The body of a delivery and the headers that prove it, by the Standard Webhooks specification. Pure.
import { createHmac, type KeyObject, sign } from 'node:crypto';
import type { DueDelivery } from '../../drizzle/webhooks/webhook-deliveries.ts';

export interface SigningKeys {
  /** `whsec_…`: the one of today, then the one before it while it still signs. */
  secrets: readonly string[];
  /** Ed25519, the service's own. */
  serviceKey: KeyObject;
}

/** From the event alone, so that every attempt sends the same bytes. */
export const bodyOf = ({ id, seq, type, data, createdAt }: DueDelivery['event']): string =>
  JSON.stringify({ type, timestamp: createdAt.toISOString(), data, id, seq });

export function signedHeaders(
  { secrets, serviceKey }: SigningKeys,
  message: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const content = Buffer.from(`${message.id}.${timestamp}.${message.body}`);
  const symmetric = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`,
  );
  const asymmetric = `v1a,${sign(null, content, serviceKey).toString('base64')}`;
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': [...symmetric, asymmetric].join(' '),
  };
}

const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
