// Whether this program may run on the tables of its database: looked at before it serves, and while it runs, because
// somebody may migrate meanwhile. A process that may not run says why in one sentence and ends. One whose database is
// away does not know, and looks again.
import type { Database } from '../../drizzle/database/connection.ts';
import { describeMisfit, findTablesVersion } from '../../drizzle/database/schema-version.ts';
import { ConfigError } from './config.ts';
import { within } from './within.ts';

const WITHIN_MS = 3_000;
const EVERY_MS = 15_000;

/** Throws the sentence. */
export async function checkSchemaFit(db: Database): Promise<void> {
  const misfit = await readMisfit(db);
  if (misfit !== undefined) throw new ConfigError(misfit);
}

/** Ends this process as a signal would, once. Runs until the returned function is called. */
export function startCheckingSchemaFit(db: Database, say: (sentence: string) => void): () => void {
  const timer = setInterval(() => {
    void readMisfit(db).then((misfit) => {
      if (misfit === undefined) return;
      clearInterval(timer);
      say(misfit);
      process.kill(process.pid, 'SIGTERM');
    });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function readMisfit(db: Database): Promise<string | undefined> {
  const tables = await within(WITHIN_MS, () => findTablesVersion(db)).catch(() => 'unknown' as const);
  return tables === 'unknown' ? undefined : describeMisfit(tables);
}
