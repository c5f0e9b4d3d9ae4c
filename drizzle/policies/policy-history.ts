// Every version of a policy that was ever asked for, and which one it was to take the place of. Decides nothing.
import { eq, sql } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { anyOf, arrayOf, type Page, selectPage } from '../database/page.ts';
import { type PolicyRow, policies } from './policies.ts';

/** One row more than the page asks for, when there is one. */
export const listPolicies = (db: Database, workspaceId: string, page: Page): Promise<PolicyRow[]> =>
  selectPage(db, policies, { where: [eq(policies.workspaceId, workspaceId)], page });

/**
 * By the ids of these versions of one workspace: the newest one before each that was ever in force. One that was set at
 * once has no round of approvals, and one that came into force has an approved one. None where there was none before.
 */
export async function findFormerPolicies(
  db: Database,
  versions: readonly Pick<PolicyRow, 'id'>[],
): Promise<ReadonlyMap<string, PolicyRow>> {
  const ids = versions.map(({ id }) => id);
  const pairs = await db.execute<{ id: string; former_id: string }>(sql`
    select version.id, former.id as former_id
    from policies version cross join lateral (
      select earlier.id from policies earlier
      where earlier.workspace_id = version.workspace_id and earlier.version < version.version
        and (earlier.status = 'active' or earlier.status = 'superseded' and not exists (
          select from approval_rounds round where round.subject_id = earlier.id and round.status <> 'approved'))
      order by earlier.version desc limit 1
    ) as former
    where version.id = any(${arrayOf('uuid', ids)})`);
  const formerIds = [...new Set(pairs.map(({ former_id: id }) => id))];
  const rows = await db.select().from(policies).where(anyOf(policies.id, formerIds));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(pairs.flatMap(({ id, former_id: former }) => pairOf(id, byId.get(former))));
}

const pairOf = (id: string, former: PolicyRow | undefined): [string, PolicyRow][] =>
  former === undefined ? [] : [[id, former]];
