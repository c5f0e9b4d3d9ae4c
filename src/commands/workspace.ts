// The operator's commands: `npm run workspace -- create --name NAME [--cluster NAME] [--json]` makes a workspace with
// its first user, `create-user` further ones, `create-key` the way back in for who has lost the others, `create-secret`
// a secret for a user's key that has none; each shows the secret of a key once, on standard output. `create-link` makes
// a link by which a user enrols a passkey. `set-cluster` says
// which nodes hold the keys of wallets to come, `unfreeze` is for a workspace in which nobody else can approve it,
// `rotate-key-encryption-key` encrypts every stored secret and seals every row anew, `seal-rows` seals the rows of
// before an upgrade.
import { parseArgs } from 'node:util';
import { validate as isUuid } from 'uuid';
import { type Scope, scopes } from '../../domain/scopes.ts';
import { approverScopes } from '../../domain/users/roles.ts';
import { connectDatabase, type Database } from '../../drizzle/database/connection.ts';
import { Seals } from '../../drizzle/seals/seals.ts';
import { ConfigError, keyEncryptionKeysOf, readOperatorConfig } from '../process/config.ts';
import { describeFailure } from '../process/describe-failure.ts';
import { createEnrolmentLink, readRole } from './create-enrolment-link.ts';
import { createWorkspace } from './create-workspace.ts';
import { createAdministratorKey, createSecret, createUser, type NewKey } from './operator-keys.ts';
import { reencryptColumns } from './reencrypt-columns.ts';
import { reencryptSecrets } from './reencrypt-secrets.ts';
import { describeSealing, resealRows, sealRows } from './seal-rows.ts';
import { unfreeze } from './unfreeze.ts';
import { changeCluster } from './workspace-cluster.ts';

const USAGE = `Usage: npm run workspace -- COMMAND
  create --name NAME [--cluster NAME] [--json]  a new workspace with its first user, whose key administers it and cannot approve
  create-user --workspace ID --name NAME [--email ADDRESS] [--scopes A,B] [--json]
                                                another user with a key: an approver, unless the scopes are named
  create-key --workspace ID [--user ID] [--json]
                                                a key with every scope, for this user or a new one: bound to no wallet and no address, without an end
  create-secret --workspace ID --key ID [--json]
                                                a new secret for a key that others made for its user, or whose secret is lost; the one until now ends
  create-link --workspace ID --user ID [--roles A,B] [--json]
                                                a link by which this user enrols a passkey, once, within a day; with --roles in the place of those that the user has
  set-cluster --workspace ID --cluster NAME     whose nodes hold the keys of its wallets to come; those that exist stay
  unfreeze --workspace ID [--wallet ID] --reason TEXT
                                                its withdrawals, or one wallet, without the approval of another user: it stands in the audit log
  rotate-key-encryption-key                     every stored secret and every seal under KEY_ENCRYPTION_KEY
  seal-rows                                     once, after the upgrade from a version that sealed no rows`;

/** Of an API that listens on this machine at its usual port. */
const SANDBOX_ORIGIN = 'http://localhost:8150';
const NO_WORKSPACE = '--workspace names no workspace: give its id.';

type Command = (db: Database, config: ReturnType<typeof readOperatorConfig>) => Promise<void>;

async function main(): Promise<void> {
  const command = readCommand();
  const config = readOperatorConfig(process.env);
  const connection = connectDatabase(config.DATABASE_URL, { poolSize: 1, name: 'countersign-workspace' });
  try {
    await command(connection.db, config);
  } finally {
    await connection.close();
  }
}

function readCommand(): Command {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      workspace: { type: 'string' },
      cluster: { type: 'string' },
      user: { type: 'string' },
      key: { type: 'string' },
      email: { type: 'string' },
      scopes: { type: 'string' },
      roles: { type: 'string' },
      wallet: { type: 'string' },
      reason: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const [command, ...rest] = positionals;
  const { workspace, cluster, user, key, json } = values;
  const name = values.name?.trim();
  if (rest.length > 0) throw new ConfigError(USAGE);
  if (command === 'unfreeze') return readUnfreeze(values);
  if ((values.wallet ?? values.reason) !== undefined) throw new ConfigError(USAGE);
  if (command === 'create-link') return readCreateLink(values);
  if (values.roles !== undefined) throw new ConfigError(USAGE);
  if (command === 'create-user') return readCreateUser(values);
  if (values.email !== undefined || values.scopes !== undefined) throw new ConfigError(USAGE);
  if (command === 'create-secret') return readCreateSecret(values);
  if (key !== undefined) throw new ConfigError(USAGE);
  if (command === 'create-key' && workspace !== undefined && name === undefined && cluster === undefined)
    return (db, config) => createKey(db, config, { workspaceId: workspace, userId: user }, json);
  if (user !== undefined) throw new ConfigError(USAGE);
  if (command === 'set-cluster' && workspace !== undefined && cluster !== undefined && name === undefined)
    return (db) => setCluster(db, workspace, cluster);
  if (command === 'create' && name && workspace === undefined)
    return async (db, config) => show(await createWorkspace(db, name, config.KEY_ENCRYPTION_KEY, cluster), json);
  if (cluster !== undefined) throw new ConfigError(USAGE);
  if (command === 'rotate-key-encryption-key' && name === undefined && workspace === undefined)
    return rotateKeyEncryptionKey;
  if (command === 'seal-rows' && name === undefined && workspace === undefined)
    return async (db, config) => console.log(describeSealing(await sealRows(db, sealsOf(config))));
  throw new ConfigError(USAGE);
}

interface Options {
  workspace?: string;
  name?: string;
  email?: string;
  scopes?: string;
  roles?: string;
  wallet?: string;
  reason?: string;
  user?: string;
  key?: string;
  cluster?: string;
  json: boolean;
}

function readCreateUser({ workspace, user, key, cluster, email, json, ...values }: Options): Command {
  const name = values.name?.trim();
  if (!workspace || !name || (user ?? key ?? cluster) !== undefined) throw new ConfigError(USAGE);
  const granted = values.scopes === undefined ? approverScopes : values.scopes.split(',').map(readScope);
  return async (db, config) => {
    const dependencies = { keyEncryptionKey: config.KEY_ENCRYPTION_KEY, action: 'workspace create-user' };
    const asked = { workspaceId: workspace, name, email, keyName: `first key of ${name}`, scopes: granted };
    const created = isUuid(workspace) ? await createUser(db, asked, dependencies) : undefined;
    if (created === undefined) throw new ConfigError(NO_WORKSPACE);
    show(created, json);
  };
}

function readCreateSecret({ workspace, key, name, user, cluster, json }: Options): Command {
  if (!workspace || !key || (name ?? user ?? cluster) !== undefined) throw new ConfigError(USAGE);
  return async (db, config) => {
    const dependencies = { keyEncryptionKey: config.KEY_ENCRYPTION_KEY, action: 'workspace create-secret' };
    const areIds = isUuid(workspace) && isUuid(key);
    const created = areIds ? await createSecret(db, { workspaceId: workspace, keyId: key }, dependencies) : undefined;
    if (created === undefined) throw new ConfigError('--workspace and --key name no key: give ids.');
    show(created, json);
  };
}

function readUnfreeze({ workspace, wallet, json, ...values }: Options): Command {
  const { reason: text, ...others } = values;
  const reason = text?.trim();
  if (!workspace || !reason || json || Object.values(others).some((value) => value !== undefined))
    throw new ConfigError(USAGE);
  return async (db, config) => {
    const areIds = isUuid(workspace) && (wallet === undefined || isUuid(wallet));
    const asked = { workspaceId: workspace, walletId: wallet, reason };
    const unfrozen = areIds ? await unfreeze(db, sealsOf(config), asked) : undefined;
    if (unfrozen === undefined)
      throw new ConfigError(wallet === undefined ? NO_WORKSPACE : '--workspace and --wallet name no wallet: give ids.');
    console.log(unfrozen ? 'Unfrozen: signatures are taken again.' : 'It was not frozen.');
  };
}

function readCreateLink({ workspace, user, roles: text, json, ...values }: Options): Command {
  if (!workspace || !user || Object.values(values).some((value) => value !== undefined)) throw new ConfigError(USAGE);
  const given = text?.split(',').map(readRole);
  return async (db, config) => {
    const consoleOrigin = config.CONSOLE_ORIGIN || (config.SERVICE_ENV === 'production' ? '' : SANDBOX_ORIGIN);
    if (consoleOrigin === '') throw new ConfigError('CONSOLE_ORIGIN is not set: nobody signs in there.');
    const dependencies = { keyEncryptionKey: config.KEY_ENCRYPTION_KEY, action: 'workspace create-link' };
    const asked = { workspaceId: workspace, userId: user, roles: given, consoleOrigin };
    const areIds = isUuid(workspace) && isUuid(user);
    const made = areIds ? await createEnrolmentLink(db, asked, dependencies) : undefined;
    if (made === undefined) throw new ConfigError('--workspace and --user name no user: give ids.');
    const expires_at = made.expiresAt.toISOString();
    const shown = { workspace_id: workspace, user_id: user, roles: made.roles, url: made.url, expires_at };
    if (json) console.log(JSON.stringify(shown));
    else console.log(`${made.url}\nOne user opens it, once, before ${expires_at}: hand it over to that user alone.`);
  };
}

function readScope(text: string): Scope {
  const scope = scopes.find((each) => each === text.trim());
  if (scope === undefined) throw new ConfigError(`--scopes names ${text}, which is none of ${scopes.join(', ')}.`);
  return scope;
}

async function setCluster(db: Database, workspace: string, cluster: string): Promise<void> {
  if (!isUuid(workspace) || !(await changeCluster(db, workspace, cluster))) throw new ConfigError(NO_WORKSPACE);
  console.log(`The keys of new wallets of ${workspace} are made in cluster ${cluster}.`);
}

async function createKey(
  db: Database,
  config: Parameters<Command>[1],
  whose: { workspaceId: string; userId: string | undefined },
  json: boolean,
) {
  const areIds = isUuid(whose.workspaceId) && (whose.userId === undefined || isUuid(whose.userId));
  const created = areIds ? await createAdministratorKey(db, whose, config.KEY_ENCRYPTION_KEY) : undefined;
  if (created === undefined)
    throw new ConfigError(whose.userId === undefined ? NO_WORKSPACE : '--workspace and --user name no user: give ids.');
  show(created, json);
}

function show({ workspaceId, userId, apiKey: api_key, apiSecret: api_secret }: NewKey, json: boolean): void {
  const shown = { workspace_id: workspaceId, user_id: userId, api_key, api_secret };
  if (json) console.log(JSON.stringify(shown));
  else {
    for (const [name, value] of Object.entries(shown)) console.log(`${name.padEnd(12)}  ${value}`);
    console.log('Keep the secret now: it is not shown again.');
  }
}

const sealsOf = (config: Parameters<Command>[1]) =>
  new Seals(keyEncryptionKeysOf(config).map((hex) => Buffer.from(hex, 'hex')));

async function rotateKeyEncryptionKey(db: Database, config: Parameters<Command>[1]): Promise<void> {
  const keys = keyEncryptionKeysOf(config).map((hex) => Buffer.from(hex, 'hex'));
  const { reencrypted, current, unreadable } = await reencryptSecrets(db, keys);
  const others = await reencryptColumns(db, keys);
  console.log(`API keys encrypted anew: ${reencrypted}; under KEY_ENCRYPTION_KEY already: ${current}.`);
  console.log(
    `Secrets of webhooks and keys of the service encrypted anew: ${others.reencrypted}; under KEY_ENCRYPTION_KEY already: ${others.current}.`,
  );
  const rows = await resealRows(db, sealsOf(config));
  console.log(`Rows sealed anew: ${rows.resealed}.`);
  const lost = [
    ...describeBroken(rows.broken),
    ...describeLost(others.unreadable, 'webhooks or keys of the service'),
    ...describeLost(unreadable, 'API keys'),
  ];
  if (lost.length > 0) throw new ConfigError(lost.join(' '));
  console.log('Once a run finds none to encrypt or to seal anew, KEY_ENCRYPTION_KEY_PREVIOUS may go.');
}

const describeBroken = (rows: readonly string[]) =>
  rows.length === 0
    ? []
    : [
        `The seal of ${rows.length} rows does not hold under any of the keys, so they do not count: ${rows.slice(0, 10).join(', ')}.`,
      ];

const describeLost = (ids: readonly string[], what: string) =>
  ids.length === 0
    ? []
    : [
        `Neither KEY_ENCRYPTION_KEY nor KEY_ENCRYPTION_KEY_PREVIOUS decrypts the secrets of ${ids.length} ${what}: ${ids.slice(0, 10).join(', ')}.`,
      ];

main().catch((error: Error) => {
  console.error(describeFailure(error));
  process.exitCode = 1;
});
