// The operator's command: `npm run workspace -- create --name NAME [--json]`. Shows the new key's secret once, on standard output.
import { parseArgs } from 'node:util';
import { connectDatabase } from '../drizzle/database.ts';
import { ConfigError, readOperatorConfig } from './config.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';

const USAGE = 'Usage: npm run workspace -- create --name NAME [--json]';

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  if (positionals.length !== 1 || positionals[0] !== 'create' || !values.name?.trim()) throw new ConfigError(USAGE);
  const config = readOperatorConfig(process.env);
  const connection = connectDatabase(config.DATABASE_URL, { poolSize: 1, name: 'countersign-workspace' });
  try {
    const created = await createWorkspace(connection.db, values.name.trim(), config.KEY_ENCRYPTION_KEY);
    const { workspaceId: workspace_id, apiKey: api_key, apiSecret: api_secret } = created;
    if (values.json) console.log(JSON.stringify({ workspace_id, api_key, api_secret }));
    else {
      console.log(`workspace_id  ${workspace_id}\napi_key       ${api_key}\napi_secret    ${api_secret}`);
      console.log('Keep the secret now: it is not shown again.');
    }
  } finally {
    await connection.close();
  }
}

main().catch((error: Error) => {
  console.error(error instanceof ConfigError ? error.message : `The workspace was not created: ${error.message}`);
  process.exitCode = 1;
});
