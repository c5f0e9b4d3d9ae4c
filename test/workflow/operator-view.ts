// What an operator sees of a workflow in the Temporal UI: its description, its search attributes and its current
// details.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { TypedSearchAttributes } from '@temporalio/common';
import { searchAttributeKeys } from '../../workflows/search-attributes.ts';

export interface OperatorView {
  status: string;
  memo: Record<string, unknown> | undefined;
  summary: string | undefined;
  attributes: Record<string, unknown>;
  details: string;
}

export async function viewOf(client: Client, workflowId: string): Promise<OperatorView> {
  const handle = client.workflow.getHandle(workflowId);
  const description = await handle.describe();
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return {
    status: description.status.name,
    memo: description.memo,
    summary: await description.staticSummary(),
    attributes: ours(description.typedSearchAttributes),
    details: metadata.currentDetails ?? '',
  };
}

/** What the workflow is for, as it was said at its start. */
export async function explanationOf(client: Client, workflowId: string): Promise<string> {
  return (await (await client.workflow.getHandle(workflowId).describe()).staticDetails()) ?? '';
}

function ours(attributes: TypedSearchAttributes): Record<string, unknown> {
  return Object.fromEntries(searchAttributeKeys.map((key) => [key.name, attributes.get(key)]));
}

/** The ids that a search finds; asks again for a minute, since the index follows the histories. */
export async function search(client: Client, query: string, enough: (ids: string[]) => boolean): Promise<string[]> {
  let ids: string[] = [];
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    ids = [];
    for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
    if (enough(ids)) return ids;
    await sleep(50);
  }
  return ids;
}
