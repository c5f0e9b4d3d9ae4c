// An export: how its writing is started, and how it ends when its workflow is lost.
import type { WriteExportInput } from '../../domain/workflow-inputs.ts';
import { failExport } from '../../drizzle/exports/export-steps.ts';
import type { OperationWorkflow } from './started-workflow.ts';

export const writeExport: OperationWorkflow<WriteExportInput> = {
  summary: ({ exportId }) => `Write export ${exportId}`,
  details: () => 'Writes what its row says into a file, as of one moment, and completes the row.',
  // A part of a file that is left is erased by the removal of old exports.
  endLost: ({ db }, { id, failure: { errorCode, errorReason } }) => failExport(db, id, { errorCode, errorReason }),
};
