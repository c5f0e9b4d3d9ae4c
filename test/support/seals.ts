// The key-encryption key of the tests in this process, and seals under it: for rows that tests write themselves.
import { randomBytes } from 'node:crypto';
import { Seals } from '../../drizzle/seals.ts';

export const keyEncryptionKey = randomBytes(32).toString('hex');

export const testSeals = new Seals([Buffer.from(keyEncryptionKey, 'hex')]);
