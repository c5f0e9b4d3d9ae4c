// What those who are woken together share: the query that reads their rows, and the text of an answer. A query never
// began before its row was asked for: it could have seen the row as it was.
import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

type FindAll<Row> = (workspaceId: string, ids: readonly string[]) => Promise<readonly (Row | undefined)[]>;

/**
 * Reads one row, in one query with all others of the workspace that are asked for in the same turn of the event loop.
 * Ids in lower case.
 */
export function readTogether<Row extends { id: string }>(findAll: FindAll<Row>) {
  const gathering = new Map<string, { ids: Set<string>; rows: Promise<Map<string, Row>> }>();
  const gather = (workspaceId: string) => {
    const ids = new Set<string>();
    const read = async () => {
      await endOfTurn();
      gathering.delete(workspaceId);
      const found = await findAll(workspaceId, [...ids]);
      return new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, row]])));
    };
    const gathered = { ids, rows: read() };
    gathering.set(workspaceId, gathered);
    return gathered;
  };
  return async (workspaceId: string, id: string): Promise<Row | undefined> => {
    const { ids, rows } = gathering.get(workspaceId) ?? gather(workspaceId);
    ids.add(id);
    return (await rows).get(id);
  };
}

/**
 * Writes an answer once for all who are answered in a row from the same row. The text passes for what it says: the
 * route's schema checks what is shown. `context`: what else is shown of it, the same for all who are answered together.
 */
export function shareAnswers<Row extends object, Shown extends object, Context extends unknown[] = []>(
  show: (row: Row, ...context: Context) => Shown,
) {
  let latest: { row: Row; text: unknown } | undefined;
  return (reply: FastifyReply, row: Row, ...context: Context): Shown => {
    if (latest?.row !== row) latest = { row, text: reply.serialize(show(row, ...context)) };
    reply.type('application/json; charset=utf-8');
    return latest.text as Shown;
  };
}
