// Operations by the external ids that callers gave them, whichever kind they are of.
import { and, eq } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { anyOf } from '../database/page.ts';
import { signingRequests } from '../signing-requests/signing-requests.ts';
import { withdrawals } from '../withdrawals/withdrawals.ts';

/** The ids of those operations of the workspace that may be in its list of transactions. */
export async function listOperationIds(
  db: Database,
  workspaceId: string,
  externalIds: readonly string[],
): Promise<string[]> {
  const found = [withdrawals, signingRequests].map((table) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.workspaceId, workspaceId), anyOf(table.externalId, externalIds))),
  );
  return (await Promise.all(found)).flat().map(({ id }) => id);
}
