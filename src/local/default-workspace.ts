// The sandbox's first workspace with its two users, who administers and who approves, and their keys in
// .local/credentials.json for its owner only. Keeps those that are there as long as their keys authenticate; prints no
// secret.
import { existsSync, readFileSync } from 'node:fs';
import { CountersignClient, CountersignError } from '../client/client.ts';
import { writeAtomically } from './atomic-file.ts';
import type { RpcUrls } from './settings.ts';

interface Key {
  api_key: string;
  api_secret: string;
}
type Created = Key & { workspace_id: string };
type Kept = Created & { approver?: Key };
type Addresses = { base_url: string; temporal_ui_url?: string; networks: RpcUrls };

/** `command` runs the operator's command with these arguments and returns the JSON line that it printed. */
export async function keepDefaultWorkspace(
  file: string,
  addresses: Addresses,
  command: (...args: string[]) => Promise<string>,
): Promise<void> {
  const { base_url, temporal_ui_url = null, networks } = addresses;
  const kept = readCredentials(file);
  const usable = kept !== undefined && (await authenticates(base_url, kept)) ? kept : undefined;
  const { workspace_id, api_key, api_secret } =
    usable ?? (JSON.parse(await command('create', '--name', 'default', '--json')) as Created);
  const approver = await keepApprover(base_url, workspace_id, usable?.approver, command);
  const credentials = { base_url, workspace_id, api_key, api_secret, approver };
  writeAtomically(file, `${JSON.stringify({ ...credentials, temporal_ui_url, networks }, null, 2)}\n`, 0o600);
}

async function keepApprover(
  baseUrl: string,
  workspaceId: string,
  kept: Key | undefined,
  command: (...args: string[]) => Promise<string>,
): Promise<Key> {
  if (kept !== undefined && (await authenticates(baseUrl, kept))) return kept;
  const made = await command('create-user', '--workspace', workspaceId, '--name', 'approver', '--json');
  const { api_key, api_secret } = JSON.parse(made) as Created;
  return { api_key, api_secret };
}

async function authenticates(baseUrl: string, { api_key, api_secret }: Key): Promise<boolean> {
  const client = new CountersignClient({ baseUrl, apiKey: api_key, apiSecret: api_secret });
  try {
    await client.get('/api/v1/api-keys/self');
    return true;
  } catch (error) {
    if (error instanceof CountersignError && error.status === 401) return false;
    throw error;
  }
}

function readCredentials(file: string): Kept | undefined {
  if (!existsSync(file)) return undefined;
  const { workspace_id, api_key, api_secret, approver } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Kept>;
  if (!workspace_id || !api_key || !api_secret) return undefined;
  return { workspace_id, api_key, api_secret, ...(approver === undefined ? {} : { approver }) };
}
