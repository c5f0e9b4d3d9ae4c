// The operator's command for what left wallets by no transaction of ours: `npm run outflows -- list [--all]` and `npm run outflows -- resolve ID --note TEXT`. A command
// and no endpoint: whoever has stolen an API key must not be able to call the alarm off. Unfreezes nothing: that is the workspace's to ask for, by the API.
import { parseArgs } from 'node:util';
import { formatAmount } from '../drizzle/amount.ts';
import { insertAuditEntry, toKeptText } from '../drizzle/audit-entries.ts';
import { connectDatabase, type Database } from '../drizzle/database.ts';
import { listOutflows, resolveOutflow } from '../drizzle/outflows.ts';
import { ConfigError, readMigrateConfig } from './config.ts';

const USAGE = `Usage: npm run outflows -- list [--all]
       npm run outflows -- resolve ID --note TEXT
  list     what left wallets and nobody has resolved, the newest first; --all with what is resolved
  resolve  takes it off the list, with what was found out; the wallet stays frozen until it is unfrozen by the API`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NOTE_CHARACTERS_MAX = 1_000;

type Wish = { verb: 'list'; all: boolean } | { verb: 'resolve'; id: string; note: string };

async function main(): Promise<void> {
  const wish = readArguments();
  const config = readMigrateConfig(process.env);
  const connection = connectDatabase(config.DATABASE_URL, { poolSize: 1, name: 'countersign-outflows' });
  try {
    if (wish.verb === 'list') await list(connection.db, wish.all);
    else await resolve(connection.db, wish.id, wish.note);
  } finally {
    await connection.close();
  }
}

async function list(db: Database, all: boolean): Promise<void> {
  const found = await listOutflows(db, { all });
  for (const each of found) console.log(describe(each));
  if (found.length === 0) console.log(all ? 'There was none.' : 'None is unresolved.');
}

function describe(listed: Awaited<ReturnType<typeof listOutflows>>[number]): string {
  const { outflow, networkCode, workspaceId, walletStatus, symbol, decimals } = listed;
  const amount = formatAmount(outflow.amountBaseUnits, decimals ?? 0);
  const state = outflow.resolvedAt === null ? 'UNRESOLVED' : 'resolved  ';
  return [
    `${state}  ${outflow.id}  ${outflow.foundAt.toISOString()}  ${outflow.kind}`,
    `  ${amount} ${symbol ?? 'base units of the native currency'} on ${networkCode} from ${outflow.fromAddress}`,
    `  in ${outflow.txHash} (${outflow.departureIndex}), block ${outflow.blockNumber}${outflow.reorgedAt === null ? '' : ', which a reorganisation took back'}`,
    `  wallet ${outflow.walletId} (${walletStatus}) of workspace ${workspaceId}`,
    ...(outflow.resolution === null ? [] : [`  ${outflow.resolution}`]),
  ].join('\n');
}

async function resolve(db: Database, id: string, note: string): Promise<void> {
  const isResolved = await db.transaction(async (tx) => {
    const resolved = await resolveOutflow(tx, id, note);
    if (resolved === undefined) return false;
    const { workspaceId, walletId } = resolved;
    await insertAuditEntry(tx, {
      ...{ workspaceId, walletId, actor: 'operator', actorId: null, action: 'outflows resolve', outcome: 'accepted' },
      ...{ resourceId: id, after: toKeptText({ resolution: note }) },
    });
    return true;
  });
  if (!isResolved) throw new ConfigError(`There is no unresolved outflow ${id}.`);
  console.log(`${id} is resolved. Its wallet stays as it is.`);
}

function readArguments(): Wish {
  try {
    const options = { all: { type: 'boolean' }, note: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [verb, id = '', ...more] = positionals;
    const { all = false, note } = values;
    if (verb === 'list' && id === '' && note === undefined) return { verb, all };
    const isNote = note !== undefined && note.trim() !== '' && note.length <= NOTE_CHARACTERS_MAX;
    if (verb === 'resolve' && UUID.test(id) && more.length === 0 && !all && isNote) return { verb, id, note };
  } catch {} // said below
  throw new ConfigError(USAGE);
}

main().catch((error: Error) => {
  console.error(error instanceof ConfigError ? error.message : `The command failed: ${error.message}`);
  process.exitCode = 1;
});
