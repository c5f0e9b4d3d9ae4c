// The operator's commands: `npm run workspace -- create --name NAME [--cluster NAME] [--json]` makes a workspace with its first key, and `npm run workspace -- create-key
// --workspace ID [--json]` another such key for who has lost the others; both show the secret once, on standard output. `npm run workspace -- set-cluster` says which
// nodes hold the keys of wallets to come, `npm run workspace -- rotate-key-encryption-key` encrypts every stored secret anew.
import { parseArgs } from 'node:util';
import { validate as isUuid } from 'uuid';
import { connectDatabase, type Database } from '../drizzle/database.ts';
import { reencryptColumns } from './api-keys/reencrypt-columns.ts';
import { reencryptSecrets } from './api-keys/reencrypt-secrets.ts';
import { ConfigError, keyEncryptionKeysOf, readOperatorConfig } from './config.ts';
import { createAdministratorKey, type NewKey } from './workspaces/administrator-key.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { changeCluster } from './workspaces/workspace-cluster.ts';

const USAGE = `Usage: npm run workspace -- COMMAND
  create --name NAME [--cluster NAME] [--json]  a new workspace, with a key that may do everything in it
  create-key --workspace ID [--json]            another such key for a workspace: bound to no wallet and no address, without an end
  set-cluster --workspace ID --cluster NAME     whose nodes hold the keys of its wallets to come; those that exist stay
  rotate-key-encryption-key                     every stored secret under KEY_ENCRYPTION_KEY`;

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
      json: { type: 'boolean', default: false },
    },
  });
  const [command, ...rest] = positionals;
  const { workspace, cluster, json } = values;
  const name = values.name?.trim();
  if (rest.length > 0) throw new ConfigError(USAGE);
  if (command === 'set-cluster' && workspace !== undefined && cluster !== undefined && name === undefined)
    return (db) => setCluster(db, workspace, cluster);
  if (command === 'create' && name && workspace === undefined)
    return async (db, config) => show(await createWorkspace(db, name, config.KEY_ENCRYPTION_KEY, cluster), json);
  if (cluster !== undefined) throw new ConfigError(USAGE);
  if (command === 'create-key' && workspace !== undefined && name === undefined)
    return (db, config) => createKey(db, config, workspace, json);
  if (command === 'rotate-key-encryption-key' && name === undefined && workspace === undefined)
    return rotateKeyEncryptionKey;
  throw new ConfigError(USAGE);
}

async function setCluster(db: Database, workspace: string, cluster: string): Promise<void> {
  if (!isUuid(workspace) || !(await changeCluster(db, workspace, cluster))) throw new ConfigError(NO_WORKSPACE);
  console.log(`The keys of new wallets of ${workspace} are made in cluster ${cluster}.`);
}

async function createKey(db: Database, config: Parameters<Command>[1], workspace: string, json: boolean) {
  const created = isUuid(workspace)
    ? await createAdministratorKey(db, workspace, config.KEY_ENCRYPTION_KEY)
    : undefined;
  if (created === undefined) throw new ConfigError(NO_WORKSPACE);
  show(created, json);
}

function show({ workspaceId: workspace_id, apiKey: api_key, apiSecret: api_secret }: NewKey, json: boolean): void {
  if (json) console.log(JSON.stringify({ workspace_id, api_key, api_secret }));
  else {
    console.log(`workspace_id  ${workspace_id}\napi_key       ${api_key}\napi_secret    ${api_secret}`);
    console.log('Keep the secret now: it is not shown again.');
  }
}

async function rotateKeyEncryptionKey(db: Database, config: Parameters<Command>[1]): Promise<void> {
  const keys = keyEncryptionKeysOf(config).map((hex) => Buffer.from(hex, 'hex'));
  const { reencrypted, current, unreadable } = await reencryptSecrets(db, keys);
  const others = await reencryptColumns(db, keys);
  console.log(`API keys encrypted anew: ${reencrypted}; under KEY_ENCRYPTION_KEY already: ${current}.`);
  console.log(
    `Secrets of webhooks and keys of the service encrypted anew: ${others.reencrypted}; under KEY_ENCRYPTION_KEY already: ${others.current}.`,
  );
  const lost = [
    ...describeLost(others.unreadable, 'webhooks or keys of the service'),
    ...describeLost(unreadable, 'API keys'),
  ];
  if (lost.length > 0) throw new ConfigError(lost.join(' '));
  console.log('Once a run finds none to encrypt anew, KEY_ENCRYPTION_KEY_PREVIOUS may go.');
}

const describeLost = (ids: readonly string[], what: string) =>
  ids.length === 0
    ? []
    : [
        `Neither KEY_ENCRYPTION_KEY nor KEY_ENCRYPTION_KEY_PREVIOUS decrypts the secrets of ${ids.length} ${what}: ${ids.slice(0, 10).join(', ')}.`,
      ];

main().catch((error: Error) => {
  console.error(error instanceof ConfigError ? error.message : `The command failed: ${error.message}`);
  process.exitCode = 1;
});
