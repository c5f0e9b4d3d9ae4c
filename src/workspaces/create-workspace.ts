// Makes a workspace and its first key, which may do everything in it. The secret is returned once and stored only encrypted.
import { v7 as uuidv7 } from 'uuid';
import { insertApiKey } from '../../drizzle/api-keys.ts';
import type { Database } from '../../drizzle/database.ts';
import { insertWorkspace } from '../../drizzle/workspaces.ts';
import { scopes } from '../api-keys/scopes.ts';
import { encryptSecret, generateApiKey, generateApiSecret } from '../api-keys/secrets.ts';

export interface NewWorkspace {
  workspaceId: string;
  apiKey: string;
  apiSecret: string;
}

export async function createWorkspace(db: Database, name: string, keyEncryptionKey: string): Promise<NewWorkspace> {
  const created = { workspaceId: uuidv7(), apiKey: generateApiKey(), apiSecret: generateApiSecret() };
  const keyId = uuidv7();
  await db.transaction(async (tx) => {
    await insertWorkspace(tx, { id: created.workspaceId, name });
    await insertApiKey(tx, {
      id: keyId,
      apiKey: created.apiKey,
      workspaceId: created.workspaceId,
      secretEncrypted: encryptSecret(Buffer.from(keyEncryptionKey, 'hex'), keyId, created.apiSecret),
      scopes: [...scopes],
      name: 'first admin key',
      createdBy: 'operator',
    });
  });
  return created;
}
