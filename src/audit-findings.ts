// The operator's command for what the checks of the audit log found: `npm run audit-findings -- list [--all]` and `npm run audit-findings -- resolve ID --note TEXT`.
// A command and no endpoint, as for outflows: a stolen API key must not be able to call the alarm off. A finding that is resolved stays, with its time and note.
import { parseArgs } from 'node:util';
import { type FindingId, listAuditFindings, resolveAuditFinding } from '../drizzle/audit-checkpoints.ts';
import { insertOperatorEntry, toKeptText } from '../drizzle/audit-entries.ts';
import { connectDatabase, type Database } from '../drizzle/database.ts';
import { ConfigError, readMigrateConfig } from './config.ts';

const USAGE = `Usage: npm run audit-findings -- list [--all]
       npm run audit-findings -- resolve ID --note TEXT
  list     what contradicts the checkpoints at the MPC nodes and nobody has resolved, the newest first; --all with what is resolved
  resolve  takes it off the list, with what was found out. ID is WORKSPACE/PLACE/NODE, as the list shows it`;

const ID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(\d{1,15})\/(\d{1,3})$/i;
const NOTE_CHARACTERS_MAX = 1_000;

type Wish = { verb: 'list'; all: boolean } | { verb: 'resolve'; id: FindingId; note: string };

async function main(): Promise<void> {
  const wish = readArguments();
  const config = readMigrateConfig(process.env);
  const connection = connectDatabase(config.DATABASE_URL, { poolSize: 1, name: 'countersign-audit-findings' });
  try {
    if (wish.verb === 'list') await list(connection.db, wish.all);
    else await resolve(connection.db, wish.id, wish.note);
  } finally {
    await connection.close();
  }
}

async function list(db: Database, all: boolean): Promise<void> {
  const findings = await listAuditFindings(db, { all });
  for (const each of findings) console.log(describe(each));
  if (findings.length === 0) console.log(all ? 'There was none.' : 'None is unresolved.');
}

const spelled = ({ workspaceId, seq, node }: FindingId) => `${workspaceId}/${seq}/${node}`;

function describe(finding: Awaited<ReturnType<typeof listAuditFindings>>[number]): string {
  const { node, expected, found, foundAt, resolvedAt, resolution } = finding;
  return [
    `${resolvedAt === null ? 'UNRESOLVED' : 'resolved  '}  ${spelled(finding)}  ${foundAt.toISOString()}`,
    `  node ${node} keeps ${expected}, and here ${found === null ? 'there was no entry' : `stood ${found}`}`,
    ...(resolvedAt === null ? [] : [`  ${resolvedAt.toISOString()}  ${resolution}`]),
  ].join('\n');
}

async function resolve(db: Database, id: FindingId, note: string): Promise<void> {
  const isResolved = await db.transaction(async (tx) => {
    const finding = await resolveAuditFinding(tx, id, note);
    if (finding === undefined) return false;
    const { workspaceId, expected, found } = finding;
    const after = toKeptText({ resolution: note, expected, found, stands: finding.resolvedHash });
    await insertOperatorEntry(tx, { workspaceId, action: 'audit-findings resolve', resourceId: spelled(id), after });
    return true;
  });
  if (!isResolved) throw new ConfigError(`There is no unresolved finding ${spelled(id)}.`);
  console.log(`${spelled(id)} is resolved.`);
}

function readArguments(): Wish {
  try {
    const options = { all: { type: 'boolean' }, note: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [verb, id, ...more] = positionals;
    const { all = false, note } = values;
    if (verb === 'list' && id === undefined && note === undefined) return { verb, all };
    const [, workspaceId, seq, node] = ID.exec(id ?? '') ?? [];
    const isNote = note !== undefined && note.trim() !== '' && note.length <= NOTE_CHARACTERS_MAX;
    if (verb === 'resolve' && workspaceId !== undefined && more.length === 0 && !all && isNote)
      return { verb, id: { workspaceId: workspaceId.toLowerCase(), seq: Number(seq), node: Number(node) }, note };
  } catch {} // said below
  throw new ConfigError(USAGE);
}

main().catch((error: Error) => {
  console.error(error instanceof ConfigError ? error.message : `The command failed: ${error.message}`);
  process.exitCode = 1;
});
