// Exports whose histories are recorded: one that is written, and one that had ended before its workflow began.
import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { insertExport } from '../../drizzle/exports/export-steps.ts';
import type { Scenario, Stage } from './record.ts';

async function writeExport({ db, workspaceId, run }: Stage, spoil: (id: string) => Promise<unknown>): Promise<string> {
  const id = uuidv7();
  const asked = { id, workspaceId, workflowId: workflowIdOf('writeExport', id), requestedBy: uuidv7() };
  await db.transaction((tx) => insertExport(tx, { ...asked, content: 'balances', format: 'jsonl' }));
  await spoil(id);
  return run('writeExport', id, { exportId: id, workspaceId });
}

export const exportScenarios: Record<string, Scenario> = {
  'export-completed': (stage) => writeExport(stage, async () => {}),
  'export-ended-before': (stage) =>
    writeExport(stage, (id) => stage.db.execute(sql`update exports set status = 'failed' where id = ${id}`)),
};
