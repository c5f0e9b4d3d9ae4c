// What the worker does when a workflow has ended: counts it, says so in the log, and writes its span. Called by
// workflows/interceptors.ts, and never during a replay.
import { SpanKind } from '@opentelemetry/api';
import type { InjectedSinks } from '@temporalio/worker';
import type { WorkflowInfo } from '@temporalio/workflow';
import type { Logger } from '../../domain/logger.ts';
import type { ObservationSinks } from '../../workflows/interceptors.ts';
import { endSpan, type Tracing } from '../process/tracing.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

interface Observers {
  metrics: WorkerMetrics;
  tracing: Tracing | undefined;
  log: Pick<Logger, 'info'>;
}

export function observeWorkflows({ metrics, tracing, log }: Observers): InjectedSinks<ObservationSinks> {
  const ended = (info: WorkflowInfo, outcome: string): void => {
    const { workflowType: workflow, workflowId, runId, startTime } = info;
    if (tracing !== undefined) writeSpan(tracing, info, outcome);
    if (outcome === 'continued') return;
    const seconds = Math.max(Date.now() - startTime.getTime(), 0) / 1000;
    metrics.workflows.observe({ workflow, outcome }, seconds);
    log.info({ workflowType: workflow, workflowId, runId, outcome, seconds }, 'workflow ended');
  };
  return { observation: { ended: { fn: ended, callDuringReplay: false } } };
}

/** Under the id that its activities know already. */
function writeSpan(tracing: Tracing, info: WorkflowInfo, outcome: string): void {
  const parent = info.memo?.['traceparent'];
  if (typeof parent !== 'string') return;
  const span = tracing.start({
    name: info.workflowType,
    kind: SpanKind.CONSUMER,
    parent,
    startTime: info.startTime,
    spanId: info.runId.replaceAll('-', '').slice(16),
    attributes: {
      'temporal.workflow_id': info.workflowId,
      'temporal.run_id': info.runId,
      'countersign.outcome': outcome,
    },
  });
  endSpan(span, outcome === 'failed' || outcome === 'error' ? outcome : undefined);
}
