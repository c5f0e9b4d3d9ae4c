// Makes API keys and their secrets: random at birth.
import { randomBytes } from 'node:crypto';

export const generateApiKey = () => `ck_${randomBytes(16).toString('hex')}`;

/** 32 random bytes, as base64url text: the text is the HMAC key. */
export const generateApiSecret = () => `cs_${randomBytes(32).toString('base64url')}`;
