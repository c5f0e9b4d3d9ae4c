// Holds the audit chains against their checkpoints at the MPC nodes, then has the nodes keep how far the chains have
// come. A schedule starts it each minute.
//
// 1. compareCheckpoints the newest one of every chain, at every node of every cluster that answers; at the full hour
//   also the first one of every day; retried, since it only adds findings
// 2. keepCheckpoints the heads that a node does not keep yet, unless something is found against their chain; what is
//   not confirmed waits for the next run Fails when a chain differs: nobody may change what was sealed, and an operator
//   has to look into it. Nothing to compensate.
import {
  ApplicationFailure,
  patched,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { CheckpointActivities, CheckpointFinding, Comparison } from '../activities/audit/checkpoint-audit.ts';
import type { NodePlace } from '../activities/mpc/port.ts';
import { checkpointOptions } from './activity-options.ts';
import { report } from './report.ts';
import { workspaceIdAttribute } from './search-attributes.ts';

const { compareCheckpoints, keepCheckpoints } = proxyActivities<CheckpointActivities>(checkpointOptions);

export interface CheckpointAuditInput {
  /** Whether the first checkpoint of every day is compared too. Absent: at the full hour. */
  wholeHistory?: boolean;
  /**
   * Workspaces whose chains go on although they differ: after a restore that lost entries, which an operator knows of.
   */
  despite?: string[];
}

export interface CheckpointAudit {
  compared: number;
  kept: number;
  /** Why some are not kept yet. */
  reason?: string;
  /** Nodes that could not be asked. */
  unreached: NodePlace[];
}

/** The type of the failure that names a difference. */
const AUDIT_CHAIN_DIFFERS = 'audit_chain_differs';

export async function checkpointAudit({ wholeHistory, despite }: CheckpointAuditInput = {}): Promise<CheckpointAudit> {
  const hasStatus = patched('has-status');
  if (hasStatus) report('comparing', 'The audit chains are held against their checkpoints.');
  const comparisons = [await compareCheckpoints('newest', despite)];
  if (wholeHistory ?? workflowInfo().startTime.getUTCMinutes() === 0)
    comparisons.push(await compareCheckpoints('first_of_days'));
  const [{ due, unreached }] = comparisons as [Comparison];
  const { kept, reason } = due.length > 0 ? await keepCheckpoints(due) : { kept: 0 };

  const count = comparisons.reduce((sum, { findingCount }) => sum + findingCount, 0);
  const [first] = comparisons.flatMap(({ findings }) => findings);
  if (first !== undefined) {
    const difference = describe(first, count);
    if (hasStatus) {
      report('differs', `Something differs: ${difference}.`);
      upsertSearchAttributes([{ key: workspaceIdAttribute, value: first.workspaceId }]);
    }
    throw ApplicationFailure.nonRetryable(difference, AUDIT_CHAIN_DIFFERS);
  }
  const compared = comparisons.reduce((sum, comparison) => sum + comparison.compared, 0);
  const details = `${compared} checkpoints agree, ${kept} are new.`;
  if (hasStatus) report('agrees', details);
  else setCurrentDetails(details);
  return { compared, kept, unreached, ...(reason === undefined ? {} : { reason }) };
}

function describe({ workspaceId, seq, cluster, node, found }: CheckpointFinding, count: number): string {
  const what = found === null ? 'ends before' : 'differs from';
  const others = count > 1 ? ` (${count - 1} more findings)` : '';
  return `the audit chain of workspace ${workspaceId} ${what} checkpoint ${seq}, kept by node ${node} of cluster ${cluster}${others}`;
}
