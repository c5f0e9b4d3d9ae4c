// The operator's command `npm run record-backup [-- --of NAME] [--at TIME]`: to be run by whatever makes backups, once
// one is made and was read again. From then on its age is a metric, and an alert when it grows. Makes no backup.
import { parseArgs } from 'node:util';
import { connectDatabase } from '../../drizzle/database/connection.ts';
import { recordBackup } from '../../drizzle/observability/maintenance.ts';
import { ConfigError, readMigrateConfig } from '../process/config.ts';
import { describeFailure } from '../process/describe-failure.ts';

const USAGE = `Usage: npm run record-backup -- [--of NAME] [--at TIME]
  --of NAME  what the backup is of: \`database\` when absent, or a name such as node-1 (a-z, 0-9 and -, 40 at most)
  --at TIME  when it was made, as 2026-01-31T04:00:00Z: now when absent, and not in the future`;

async function main(): Promise<void> {
  const { of, at } = readArguments();
  const config = readMigrateConfig(process.env);
  const connection = connectDatabase(config.DATABASE_URL, { poolSize: 1, name: 'countersign-record-backup' });
  try {
    await recordBackup(connection.db, of, at);
    console.log(`A backup of ${of} was made at ${at.toISOString()}.`);
  } finally {
    await connection.close();
  }
}

function readArguments(): { of: string; at: Date } {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { of: text, at: text } });
  const { of = 'database' } = values;
  const at = values.at === undefined ? new Date() : new Date(values.at);
  const isMoment = values.at === undefined || /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(values.at);
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(of) || !isMoment || !(at.getTime() <= Date.now())) throw new ConfigError(USAGE);
  return { of, at };
}

main().catch((error: Error) => {
  console.error(describeFailure(error));
  process.exitCode = 1;
});
