// What a worker counts: activities, ends of workflows, signatures, and what the cluster's client does. What alerts
// count begins at 0: `increase` and `rate` do not see the first event of a series that is born with it.
import { Counter, Histogram, type Registry } from 'prom-client';
import { clusterFailures } from '../../domain/failures.ts';
import { curves } from '../../domain/statuses.ts';
import type { WorkflowName } from '../../domain/workflow-inputs.ts';
import { limitedTables } from '../../drizzle/retention/old-rows.ts';
import type * as workflows from '../../workflows/index.ts';
import { startedWorkflowNames } from '../operations/started-workflows.ts';

/** Those that no write starts, but an operator or a worker. */
const otherWorkflows = {
  checkpointAudit: true,
  runExportSchedule: true,
  reconcileBalances: true,
  findLostShares: true,
  refreshKeys: true,
  repairKeys: true,
  watchNetwork: true,
} satisfies Record<Exclude<keyof typeof workflows, WorkflowName>, true>;

const started: readonly (keyof typeof workflows)[] = startedWorkflowNames;
const workflowTypes = [...started, ...Object.keys(otherWorkflows)];

/** How an attempt to sign ends: by itself, by the state of what is asked for, or by a code of the cluster. */
const signatureOutcomes = [
  'success',
  'closed_before',
  'cancelled',
  'error',
  'not_found',
  'frozen',
  'approval_void',
  ...Object.keys(clusterFailures),
];

/** From a read of a row to a wait for a fee. */
const ACTIVITY_BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** From a signature to a withdrawal that waits for people. */
const WORKFLOW_BUCKETS_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 86_400];
const MPC_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class WorkerMetrics {
  readonly activities: Histogram<'activity' | 'outcome'>;
  readonly workflows: Histogram<'workflow' | 'outcome'>;
  readonly signatures: Counter<'curve' | 'outcome'>;
  readonly wrongSignatures: Counter<'curve'>;
  readonly sessions: Histogram<'cluster' | 'protocol' | 'curve' | 'outcome'>;
  readonly questions: Histogram<'cluster' | 'node' | 'question' | 'outcome'>;
  readonly refusals: Counter<'cluster' | 'node' | 'code'>;
  readonly removedRows: Counter<'table'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.activities = new Histogram({
      name: 'countersign_activity_duration_seconds',
      help: 'Time of an attempt of an activity, by how it ended: ok, or the name of the failure.',
      labelNames: ['activity', 'outcome'],
      buckets: ACTIVITY_BUCKETS_SECONDS,
      registers,
    });
    this.workflows = new Histogram({
      name: 'countersign_workflow_duration_seconds',
      help: 'Time from the start of a workflow to its end, by the status that it reported last.',
      labelNames: ['workflow', 'outcome'],
      buckets: WORKFLOW_BUCKETS_SECONDS,
      registers,
    });
    this.signatures = new Counter({
      name: 'countersign_signatures_total',
      help: 'Attempts to sign, by curve and outcome: success, closed_before, or the code of the failure.',
      labelNames: ['curve', 'outcome'],
      registers,
    });
    this.wrongSignatures = new Counter({
      name: 'countersign_wrong_signatures_total',
      help: 'Signatures that MPC nodes answered and that do not verify, by curve. The worker logs which nodes; others were asked then.',
      labelNames: ['curve'],
      registers,
    });
    this.sessions = new Histogram({
      name: 'countersign_mpc_session_duration_seconds',
      help: 'Time of a call of the cluster, from the choice of a quorum to its answer, with every session that it took.',
      labelNames: ['cluster', 'protocol', 'curve', 'outcome'],
      buckets: MPC_BUCKETS_SECONDS,
      registers,
    });
    this.questions = new Histogram({
      name: 'countersign_mpc_node_request_duration_seconds',
      help: 'Time of one question to one node.',
      labelNames: ['cluster', 'node', 'question', 'outcome'],
      buckets: MPC_BUCKETS_SECONDS,
      registers,
    });
    this.refusals = new Counter({
      name: 'countersign_mpc_node_refusals_total',
      help: 'Questions that a node refused, by its code: Paused while its operator lets it sign nothing.',
      labelNames: ['cluster', 'node', 'code'],
      registers,
    });
    this.removedRows = new Counter({
      name: 'countersign_removed_rows_total',
      help: 'Rows that were kept for their time and are removed, by table.',
      labelNames: ['table'],
      registers,
    });
    for (const table of limitedTables) this.removedRows.inc({ table }, 0);
    for (const workflow of workflowTypes) this.workflows.zero({ workflow, outcome: 'error' });
    for (const curve of curves) {
      this.wrongSignatures.inc({ curve }, 0);
      for (const outcome of signatureOutcomes) this.signatures.inc({ curve, outcome }, 0);
    }
  }

  /** By their names: what this worker may carry out. */
  expectActivities(names: readonly string[]): void {
    for (const activity of names) this.activities.zero({ activity, outcome: 'error' });
  }
}
