// Ends an export that is under way. Its row says so from then on: no attempt completes it, and the one that writes
// stops with its next word about how far it is, and erases what it has written. Touches no file itself.
import type { FastifyRequest } from 'fastify';
import { exportArrows, isFinal } from '../../domain/statuses.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { cancelExport as endCancelled } from '../../drizzle/exports/export-steps.ts';
import { type ExportRow, findExport, lockExport } from '../../drizzle/exports/exports.ts';
import { ApiError } from '../http/errors.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { toExport } from './exports.response.ts';
import { requireReadable } from './may-read-export.ts';

export async function cancelExport(
  dependencies: WriteDependencies,
  request: FastifyRequest,
  id: string,
  reason: string | null,
): Promise<ReturnType<typeof toExport>> {
  const { key } = request.caller;
  const read = async (tx: Transaction, how: typeof findExport | typeof lockExport): Promise<ExportRow> =>
    requireReadable(key, await how(tx, key.workspaceId, id));
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: id,
    admit: (tx) => read(tx, findExport),
    make: async (tx, _start, note) => {
      const row = await read(tx, lockExport);
      note({ before: toExport(row) });
      if (row.status === 'cancelled') return toExport(row);
      if (isFinal(exportArrows, row.status))
        throw new ApiError(
          'invalid_state',
          `The export is ${row.status}: only one that has not ended can be cancelled.`,
        );
      await endCancelled(tx, row, reason);
      return toExport(await read(tx, findExport));
    },
  });
  return result;
}
