// Exports whose histories are recorded: one that is written, and one that had ended before its workflow began.
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { insertExportSchedule } from '../../drizzle/exports/export-schedules.ts';
import { insertExport } from '../../drizzle/exports/export-steps.ts';
import type { Scenario, Stage } from './record.ts';

async function writeExport({ db, workspaceId, run }: Stage, spoil: (id: string) => Promise<unknown>): Promise<string> {
  const id = uuidv7();
  const asked = { id, workspaceId, workflowId: workflowIdOf('writeExport', id), requestedBy: uuidv7() };
  await db.transaction((tx) => insertExport(tx, { ...asked, content: 'balances', format: 'jsonl' }));
  await spoil(id);
  return run('writeExport', id, { exportId: id, workspaceId });
}

/** Started by hand, when it is not due. */
async function runSchedule({ db, workspaceId, run }: Stage): Promise<string> {
  const id = uuidv7();
  const asked = { content: 'balances', format: 'csv', cron: '0 6 * * *', timeZone: 'UTC' } as const;
  await db.transaction((tx) => insertExportSchedule(tx, { id, workspaceId, requestedBy: uuidv7(), ...asked }));
  return run('runExportSchedule', id, { scheduleId: id, workspaceId });
}

export const exportScenarios: Record<string, Scenario> = {
  'export-schedule-not-due': runSchedule,
  'export-completed': (stage) => writeExport(stage, async () => {}),
  'export-ended-before': (stage) =>
    writeExport(stage, (id) => stage.db.execute(sql`update exports set status = 'failed' where id = ${id}`)),
};
