// What Temporal is still to be told of an operation, in the order in which it was written. Needs an API whose Temporal
// is away, so that the entries stay.
import { eq } from 'drizzle-orm';
import { workflowIdOf } from '../../../domain/workflow-ids.ts';
import type { WorkflowName } from '../../../domain/workflow-inputs.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import { outbox } from '../../../drizzle/writes/workflow-outbox.ts';

export const outboxEntriesOf = (db: Database, workflow: WorkflowName, id: string) =>
  db
    .select()
    .from(outbox)
    .where(eq(outbox.workflowId, workflowIdOf(workflow, id)))
    .orderBy(outbox.id);
