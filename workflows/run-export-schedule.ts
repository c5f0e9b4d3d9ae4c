// Asks for the export of a schedule that is due. Temporal starts it by the schedule that was made of the row; whoever
// starts it otherwise gets what the row allows, and nothing else.
//
// 1. startScheduledExport a row, its entry in the audit log and the start of its workflow, once for each moment; or
// none where the row does not ask for it. Tried again until the database is back; nothing to compensate.
import { defineSearchAttributeKey } from '@temporalio/common';
import { proxyLocalActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RunExportScheduleInput } from '../domain/workflow-inputs.ts';
import { rowOptions } from './activity-options.ts';
import { report } from './report.ts';

const { startScheduledExport } = proxyLocalActivities<Activities>(rowOptions);

/** The moment at which a schedule of Temporal was due, whenever it came to start this. */
const scheduledStart = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

export async function runExportSchedule({ scheduleId, workspaceId }: RunExportScheduleInput): Promise<void> {
  const { typedSearchAttributes, startTime } = workflowInfo();
  const due = typedSearchAttributes.get(scheduledStart) ?? startTime;
  const { status, reason } = await startScheduledExport({ scheduleId, workspaceId, due: due.toISOString() });
  report(status, reason);
}
