// The operator's commands: `npm run workspace -- create --name NAME [--json]` shows the new key's secret once, on standard output;
// `npm run workspace -- rotate-key-encryption-key` encrypts every stored secret anew.
import { parseArgs } from 'node:util';
import { connectDatabase, type Database } from '../drizzle/database.ts';
import { reencryptSecrets } from './api-keys/reencrypt-secrets.ts';
import { ConfigError, keyEncryptionKeysOf, readOperatorConfig } from './config.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';

const USAGE =
  'Usage: npm run workspace -- create --name NAME [--json]  or  npm run workspace -- rotate-key-encryption-key';

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
    options: { name: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const [command, ...rest] = positionals;
  const name = values.name?.trim();
  if (command === 'create' && rest.length === 0 && name) return (db, config) => create(db, config, name, values.json);
  if (command === 'rotate-key-encryption-key' && rest.length === 0 && name === undefined) return rotateKeyEncryptionKey;
  throw new ConfigError(USAGE);
}

async function create(db: Database, config: Parameters<Command>[1], name: string, json: boolean): Promise<void> {
  const created = await createWorkspace(db, name, config.KEY_ENCRYPTION_KEY);
  const { workspaceId: workspace_id, apiKey: api_key, apiSecret: api_secret } = created;
  if (json) console.log(JSON.stringify({ workspace_id, api_key, api_secret }));
  else {
    console.log(`workspace_id  ${workspace_id}\napi_key       ${api_key}\napi_secret    ${api_secret}`);
    console.log('Keep the secret now: it is not shown again.');
  }
}

async function rotateKeyEncryptionKey(db: Database, config: Parameters<Command>[1]): Promise<void> {
  const keys = keyEncryptionKeysOf(config).map((hex) => Buffer.from(hex, 'hex'));
  const { reencrypted, current, unreadable } = await reencryptSecrets(db, keys);
  console.log(`API keys encrypted anew: ${reencrypted}; under KEY_ENCRYPTION_KEY already: ${current}.`);
  if (unreadable.length === 0)
    console.log('Once a run finds none to encrypt anew, KEY_ENCRYPTION_KEY_PREVIOUS may go.');
  else
    throw new ConfigError(
      `Neither KEY_ENCRYPTION_KEY nor KEY_ENCRYPTION_KEY_PREVIOUS decrypts the secrets of ${unreadable.length} API keys: ${unreadable.slice(0, 10).join(', ')}.`,
    );
}

main().catch((error: Error) => {
  console.error(error instanceof ConfigError ? error.message : `The command failed: ${error.message}`);
  process.exitCode = 1;
});
