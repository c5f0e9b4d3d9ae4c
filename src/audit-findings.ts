// The operator's command for what the checks of the audit log found. One that is resolved is open again when something else stands in its place.
import { type FindingId, listAuditFindings, resolveAuditFinding } from '../drizzle/audit-checkpoints.ts';
import { insertOperatorEntry, toKeptText } from '../drizzle/audit-entries.ts';
import { runResolvingCommand } from './resolving-command.ts';

const ID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(\d{1,15})\/([a-z0-9-]{1,32})\/(\d{1,3})$/;

const spelled = ({ workspaceId, seq, cluster, node }: FindingId) => `${workspaceId}/${seq}/${cluster}/${node}`;

runResolvingCommand<FindingId>({
  name: 'audit-findings',
  what: 'finding',
  usage: `Usage: npm run audit-findings -- list [--all]
       npm run audit-findings -- resolve ID --note TEXT
  list     what contradicts the checkpoints at the MPC nodes and nobody has resolved, the newest first; --all with what is resolved
  resolve  takes it off the list, with what was found out. ID is WORKSPACE/PLACE/CLUSTER/NODE, as the list shows it`,
  readId(text) {
    const [, workspaceId, seq, cluster, node] = ID.exec(text.toLowerCase()) ?? [];
    if (workspaceId === undefined || cluster === undefined) return undefined;
    return { workspaceId, seq: Number(seq), cluster, node: Number(node) };
  },
  list: async (db, options) => (await listAuditFindings(db, options)).map(describe),
  async resolve(tx, id, note) {
    const finding = await resolveAuditFinding(tx, id, note);
    if (finding === undefined) return false;
    const { workspaceId, expected, found, resolvedHash } = finding;
    const after = toKeptText({ resolution: note, expected, found, stands: resolvedHash });
    await insertOperatorEntry(tx, { workspaceId, action: 'audit-findings resolve', resourceId: spelled(id), after });
    return true;
  },
});

function describe(finding: Awaited<ReturnType<typeof listAuditFindings>>[number]): string {
  const { cluster, node, expected, found, foundAt, resolvedAt, resolution } = finding;
  return [
    `${resolvedAt === null ? 'UNRESOLVED' : 'resolved  '}  ${spelled(finding)}  ${foundAt.toISOString()}`,
    `  node ${node} of cluster ${cluster} keeps ${expected}, and here ${found === null ? 'there was no entry' : `stood ${found}`}`,
    ...(resolvedAt === null ? [] : [`  ${resolvedAt.toISOString()}  ${resolution}`]),
  ].join('\n');
}
