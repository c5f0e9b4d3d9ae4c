// Where the address of the service and the key come from: the environment, or a file that its owner alone can read and
// write. Never from the arguments of a command, which every user of the machine can list.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { visible } from '../visible-text.ts';
import { readPrivateFile } from './private-file.ts';
import { checkBaseUrl } from './service-address.ts';

export interface Profile {
  name: string;
  baseUrl: string;
  apiKey: string;
  apiSecret: string;
}

/** As it stands in the file. */
export interface StoredProfile {
  base_url: string;
  api_key: string;
  api_secret: string;
  allow_http?: unknown;
}

export interface StoredProfiles {
  default?: string;
  profiles: Record<string, StoredProfile>;
}

type Surroundings = Pick<Terminal, 'env' | 'folder' | 'home'>;

/** What `npm start` writes, and whose key of it: the administrator's, or the approver's. */
const SANDBOX_FILE = '.local/credentials.json';
const sandboxProfiles: readonly string[] = ['local', 'local-approver'];

export function profilesFile({ env, home }: Pick<Terminal, 'env' | 'home'>): string {
  if (env['COUNTERSIGN_PROFILES']) return env['COUNTERSIGN_PROFILES'];
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'countersign', 'profiles.json');
}

/** The one that is named; otherwise the variables; otherwise the default of the file. */
export function readProfile(surroundings: Surroundings, named: string | undefined): Profile {
  const { env } = surroundings;
  const name = named ?? (env['COUNTERSIGN_PROFILE'] || undefined);
  if (name !== undefined && sandboxProfiles.includes(name)) return sandboxProfile(surroundings, name);
  const fromVariables = name === undefined ? variablesProfile(env) : undefined;
  return fromVariables ?? storedProfile(surroundings, name);
}

function variablesProfile(env: Terminal['env']): Profile | undefined {
  const { COUNTERSIGN_URL: url, COUNTERSIGN_API_KEY: apiKey, COUNTERSIGN_API_SECRET_FILE: file } = env;
  const secret = env['COUNTERSIGN_API_SECRET'];
  if (!url && !apiKey && !secret && !file) return undefined;
  if (secret && file) throw new UsageError('Set COUNTERSIGN_API_SECRET or COUNTERSIGN_API_SECRET_FILE, not both.');
  const apiSecret = secret || (file ? readPrivateFile(file).trim() : '');
  const missing = [
    url ? [] : ['COUNTERSIGN_URL'],
    apiKey ? [] : ['COUNTERSIGN_API_KEY'],
    apiSecret ? [] : ['COUNTERSIGN_API_SECRET (or COUNTERSIGN_API_SECRET_FILE)'],
  ].flat();
  if (!url || !apiKey || !apiSecret) throw new UsageError(`The environment lacks ${missing.join(' and ')}.`);
  const allowHttp = env['COUNTERSIGN_ALLOW_HTTP'] === '1';
  return { name: 'the environment', baseUrl: checkBaseUrl(url, { allowHttp }), apiKey, apiSecret };
}

function storedProfile(surroundings: Surroundings, named: string | undefined): Profile {
  const path = profilesFile(surroundings);
  const stored = readProfiles(path);
  const name = named ?? stored.default;
  const found = name === undefined ? undefined : ownField(stored.profiles, name);
  if (name === undefined)
    throw new UsageError(
      `No profile is set: give --profile${sandboxHint(surroundings)}, set COUNTERSIGN_URL, COUNTERSIGN_API_KEY and COUNTERSIGN_API_SECRET, or add one by \`countersign profiles add\`.`,
    );
  if (found === undefined) throw new UsageError(`There is no profile ${visible(name)} in ${path}.`);
  return profileOf(name, found, path);
}

/** For who has `npm start` in this folder. */
const sandboxHint = ({ folder }: Surroundings): string =>
  existsSync(join(folder, SANDBOX_FILE)) ? ' (`--profile local` is what `npm start` has made here)' : '';

function sandboxProfile({ folder }: Surroundings, name: string): Profile {
  const path = join(folder, SANDBOX_FILE);
  const kept = parseObject(readPrivateFile(path), path);
  const key = name === 'local' ? kept : ownField(kept, 'approver');
  if (typeof key !== 'object' || key === null)
    throw new UsageError(`${path} has no approver: start \`npm start\` once.`);
  return profileOf(name, { ...key, base_url: kept['base_url'] } as Partial<StoredProfile>, path);
}

function profileOf(name: string, stored: Partial<StoredProfile>, path: string): Profile {
  const { base_url, api_key, api_secret, allow_http: allowHttp = false } = stored;
  for (const [field, value] of Object.entries({ base_url, api_key, api_secret }))
    if (typeof value !== 'string' || value === '')
      throw new UsageError(`The profile ${visible(name)} in ${path} has no ${field}.`);
  const baseUrl = checkBaseUrl(base_url ?? '', { allowHttp: allowHttp === true });
  return { name, baseUrl, apiKey: api_key ?? '', apiSecret: api_secret ?? '' };
}

/** Empty when there is no file yet. */
export function readProfiles(path: string): StoredProfiles {
  const text = readPrivateFile(path, { mayBeAbsent: true });
  if (text === undefined) return { profiles: {} };
  const { default: chosen, profiles = {} } = parseObject(text, path);
  if (typeof profiles !== 'object' || profiles === null) throw new UsageError(`${path}: \`profiles\` is no object.`);
  return {
    ...(typeof chosen === 'string' ? { default: chosen } : {}),
    profiles: profiles as StoredProfiles['profiles'],
  };
}

const ownField = <Value>(values: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** What the parser says of a mistake quotes the text, which has secrets: it is left out. */
function parseObject(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw new UsageError(`${path} holds no JSON object.`);
}
