// Makes the secrets of webhook endpoints, in the form of the Standard Webhooks specification.
import { randomBytes } from 'node:crypto';

/** How long the former secret still signs beside the new one. */
export const OVERLAP_MS = 24 * 60 * 60_000;

export const generateWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
