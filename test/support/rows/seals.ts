// The key-encryption key of the tests in this process, and seals under it: for rows that tests write themselves.
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { apiKeys, sealedApiKeys } from '../../../drizzle/api-keys/api-keys.ts';
import { approvalRounds, sealedApprovalRounds } from '../../../drizzle/approvals/approvals.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import { Seals } from '../../../drizzle/seals/seals.ts';

export const keyEncryptionKey = randomBytes(32).toString('hex');

export const testSeals = new Seals([Buffer.from(keyEncryptionKey, 'hex')]);

/** For rows that tests write themselves: no audit entry tells of their versions. */
export const testSealing = { seals: testSeals, note: () => {} };

/** As an operator would who has the key-encryption key: the row is sealed as it stands after this. */
export async function writeKey(
  db: Database,
  apiKey: string,
  fields: Partial<typeof apiKeys.$inferInsert>,
): Promise<void> {
  await db
    .update(apiKeys)
    .set({ ...fields, seal: null })
    .where(eq(apiKeys.apiKey, apiKey));
  await sealedApiKeys.sealAll(db, testSeals);
}

export async function writeRound(
  db: Database,
  id: string,
  fields: Partial<typeof approvalRounds.$inferInsert>,
): Promise<void> {
  await db
    .update(approvalRounds)
    .set({ ...fields, seal: null })
    .where(eq(approvalRounds.subjectId, id));
  await sealedApprovalRounds.sealAll(db, testSeals);
}
