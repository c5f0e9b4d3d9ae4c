// The operator's command for what the checks of the audit log found: chains that contradict their checkpoints, and
// sealed rows that were set back. One that is resolved is open again when something else stands in its place.
import { type FindingId, listAuditFindings, resolveAuditFinding } from '../../drizzle/audit/audit-checkpoints.ts';
import { insertOperatorEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { listSetBackRows, resolveSetBack, type SetBack } from '../../drizzle/sealed-rows/rolled-back-rows.ts';
import { Seals } from '../../drizzle/seals/seals.ts';
import { keyEncryptionKeysOf, readOperatorConfig } from '../process/config.ts';
import { runResolvingCommand } from './resolve-findings.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const CHECKPOINT = new RegExp(`^(${UUID})/(\\d{1,15})/([a-z0-9-]{1,32})/(\\d{1,3})$`);
const SET_BACK = new RegExp(`^(${UUID})/([a-z_]{1,32})/([0-9a-z./_-]{1,100})/(\\d{1,9})/(\\d{1,9})$`);

type Id = { checkpoint: FindingId } | { setBack: SetBack };

const spelled = (id: Id): string => {
  if ('checkpoint' in id) {
    const { workspaceId, seq, cluster, node } = id.checkpoint;
    return `${workspaceId}/${seq}/${cluster}/${node}`;
  }
  const { workspaceId, kind, rowId, expectedVersion, foundVersion } = id.setBack;
  return `${workspaceId}/${kind}/${rowId}/${expectedVersion}/${foundVersion}`;
};

runResolvingCommand<Id>({
  name: 'audit-findings',
  what: 'finding',
  usage: `Usage: npm run audit-findings -- list [--all]
       npm run audit-findings -- resolve ID --note TEXT
  list     what contradicts the checkpoints at the MPC nodes, and rows that were set back by SQL, the newest first: those that nobody has resolved; --all with what is resolved
  resolve  takes it off the list, with what was found out. ID is as the list shows it: WORKSPACE/PLACE/CLUSTER/NODE, or WORKSPACE/KIND/ROW/EXPECTED/FOUND, which
           needs KEY_ENCRYPTION_KEY`,
  readId: (text) => readCheckpoint(text.toLowerCase()) ?? readSetBack(text.toLowerCase()),
  list: async (db, options) => [
    ...(await listAuditFindings(db, options)).map(describe),
    ...(await listSetBackRows(db, options)).map(describeSetBack),
  ],
  resolve: (tx, id, note) =>
    'checkpoint' in id ? resolveCheckpoint(tx, id.checkpoint, note) : resolveRow(tx, id.setBack, note),
});

function readCheckpoint(text: string): Id | undefined {
  const [, workspaceId, seq, cluster, node] = CHECKPOINT.exec(text) ?? [];
  if (workspaceId === undefined || cluster === undefined) return undefined;
  return { checkpoint: { workspaceId, seq: Number(seq), cluster, node: Number(node) } };
}

function readSetBack(text: string): Id | undefined {
  const [, workspaceId, kind, rowId, expected, found] = SET_BACK.exec(text) ?? [];
  if (workspaceId === undefined || kind === undefined || rowId === undefined) return undefined;
  const versions = { expectedVersion: Number(expected), foundVersion: Number(found) };
  return { setBack: { workspaceId, kind, rowId, ...versions } };
}

async function resolveCheckpoint(tx: Transaction, id: FindingId, note: string): Promise<boolean> {
  const finding = await resolveAuditFinding(tx, id, note);
  if (finding === undefined) return false;
  const { workspaceId, expected, found, resolvedHash } = finding;
  const after = toKeptText({ resolution: note, expected, found, stands: resolvedHash });
  const resourceId = spelled({ checkpoint: id });
  await insertOperatorEntry(tx, { workspaceId, action: 'audit-findings resolve', resourceId, after });
  return true;
}

async function resolveRow(tx: Transaction, id: SetBack, note: string): Promise<boolean> {
  const keys = keyEncryptionKeysOf(readOperatorConfig(process.env)).map((hex) => Buffer.from(hex, 'hex'));
  const finding = await resolveSetBack(tx, new Seals(keys), id, note);
  if (finding === undefined) return false;
  const { workspaceId, expectedVersion, foundVersion } = finding;
  const after = toKeptText({ resolution: note, expected_version: expectedVersion, found_version: foundVersion });
  const resourceId = spelled({ setBack: id });
  await insertOperatorEntry(tx, { workspaceId, action: 'audit-findings resolve', resourceId, after });
  return true;
}

function describe(finding: Awaited<ReturnType<typeof listAuditFindings>>[number]): string {
  const { cluster, node, expected, found, foundAt, resolvedAt, resolution } = finding;
  return [
    `${resolvedAt === null ? 'UNRESOLVED' : 'resolved  '}  ${spelled({ checkpoint: finding })}  ${foundAt.toISOString()}`,
    `  node ${node} of cluster ${cluster} keeps ${expected}, and here ${found === null ? 'there was no entry' : `stood ${found}`}`,
    ...(resolvedAt === null ? [] : [`  ${resolvedAt.toISOString()}  ${resolution}`]),
  ].join('\n');
}

function describeSetBack(finding: Awaited<ReturnType<typeof listSetBackRows>>[number]): string {
  const { kind, expectedVersion, foundVersion, foundAt, resolvedAt, resolution } = finding;
  const stands = foundVersion === 0 ? 'is not there' : `stood at version ${foundVersion}`;
  return [
    `${resolvedAt === null ? 'UNRESOLVED' : 'resolved  '}  ${spelled({ setBack: finding })}  ${foundAt.toISOString()}`,
    `  a row (${kind.replaceAll('_', ' ')}) ${stands}, and the audit log tells of version ${expectedVersion}`,
    ...(resolvedAt === null ? [] : [`  ${resolvedAt.toISOString()}  ${resolution}`]),
  ].join('\n');
}
