// The sandbox's first workspace with its two users, who administers and who approves, and their keys in
// .local/credentials.json for its owner only. Keeps those that are there as long as their keys authenticate. Makes
// links by which the two enrol passkeys, as long as they have none; prints no other secret.
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

/** `takesPasskeys`: whether somebody can sign in at the console by one. */
interface DefaultWorkspace {
  file: string;
  addresses: Addresses;
  takesPasskeys: boolean;
}

/** By role: where somebody enrols the first passkey of it. */
export type ConsoleLinks = Readonly<Record<string, string>>;

type Command = (...args: string[]) => Promise<string>;

/**
 * `command` runs the operator's command with these arguments and returns the JSON line that it printed. Answers the
 * links of who has no passkey yet.
 */
export async function keepDefaultWorkspace(
  { file, addresses, takesPasskeys }: DefaultWorkspace,
  command: Command,
): Promise<ConsoleLinks> {
  const { base_url, temporal_ui_url = null, networks } = addresses;
  const kept = readCredentials(file);
  const usable = kept !== undefined && (await authenticates(base_url, kept)) ? kept : undefined;
  const { workspace_id, api_key, api_secret } =
    usable ?? (JSON.parse(await command('create', '--name', 'default', '--json')) as Created);
  const approver = await keepApprover(base_url, workspace_id, usable?.approver, command);
  const credentials = { base_url, workspace_id, api_key, api_secret, approver };
  writeAtomically(file, `${JSON.stringify({ ...credentials, temporal_ui_url, networks }, null, 2)}\n`, 0o600);
  if (!takesPasskeys) return {};
  const people = { administrator: { api_key, api_secret }, approver };
  const links = await Promise.all(
    Object.entries(people).map(async ([role, key]) => [
      role,
      await findLink(base_url, workspace_id, { role, key }, command),
    ]),
  );
  return Object.fromEntries(links.filter(([, url]) => url !== undefined)) as ConsoleLinks;
}

/** Undefined for who has a passkey. */
async function findLink(
  baseUrl: string,
  workspaceId: string,
  { role, key: { api_key: apiKey, api_secret: apiSecret } }: { role: string; key: Key },
  command: Command,
): Promise<string | undefined> {
  const client = new CountersignClient({ baseUrl, apiKey, apiSecret });
  const { user_id } = await client.get('/api/v1/api-keys/self');
  const passkeys = await client.get('/api/v1/users/{user_id}/passkeys', { path: { user_id } });
  if (passkeys.length > 0) return undefined;
  const whose = ['--workspace', workspaceId, '--user', user_id, '--roles', role];
  return (JSON.parse(await command('create-link', ...whose, '--json')) as { url: string }).url;
}

async function keepApprover(
  baseUrl: string,
  workspaceId: string,
  kept: Key | undefined,
  command: Command,
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
