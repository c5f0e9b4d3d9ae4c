// The sandbox's first workspace and its key, in .local/credentials.json for its owner only. Keeps the one that is there as
// long as its key authenticates; prints no secret.
import { existsSync, readFileSync } from 'node:fs';
import { CountersignClient, CountersignError } from '../client/client.ts';
import { writeAtomically } from './atomic-file.ts';
import type { RpcUrls } from './settings.ts';

type Created = { workspace_id: string; api_key: string; api_secret: string };
type Addresses = { base_url: string; temporal_ui_url?: string; networks: RpcUrls };

/** `create` runs the operator's command and returns the JSON line that it printed. */
export async function keepDefaultWorkspace(
  file: string,
  addresses: Addresses,
  create: () => Promise<string>,
): Promise<void> {
  const kept = readCredentials(file);
  const usable = kept !== undefined && (await authenticates(addresses.base_url, kept));
  const { workspace_id, api_key, api_secret } = usable ? kept : (JSON.parse(await create()) as Created);
  const credentials = { base_url: addresses.base_url, workspace_id, api_key, api_secret };
  const { temporal_ui_url = null, networks } = addresses;
  writeAtomically(file, `${JSON.stringify({ ...credentials, temporal_ui_url, networks }, null, 2)}\n`, 0o600);
}

async function authenticates(baseUrl: string, { api_key, api_secret }: Created): Promise<boolean> {
  const client = new CountersignClient({ baseUrl, apiKey: api_key, apiSecret: api_secret });
  try {
    await client.get('/api/v1/api-keys/self');
    return true;
  } catch (error) {
    if (error instanceof CountersignError && error.status === 401) return false;
    throw error;
  }
}

function readCredentials(file: string): Created | undefined {
  if (!existsSync(file)) return undefined;
  const { workspace_id, api_key, api_secret } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Created>;
  return workspace_id && api_key && api_secret ? { workspace_id, api_key, api_secret } : undefined;
}
