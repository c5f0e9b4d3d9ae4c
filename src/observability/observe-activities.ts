// Around every activity: its time and outcome, its span, and the names that each line of its log carries. Changes
// neither what it is given nor what it answers.
import { type Span, SpanKind } from '@opentelemetry/api';
import { asyncLocalStorage, type Context, type Info } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure, defaultPayloadConverter } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInterceptorsFactory } from '@temporalio/worker';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { isFailureCode } from '../../domain/failures.ts';
import { endSpan, type Tracing } from '../process/tracing.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

/** The spans of the activities that run here. */
export class ActivitySpans {
  readonly #tracing: Tracing | undefined;
  readonly #spans = new WeakMap<Context, Span>();

  constructor(tracing: Tracing | undefined) {
    this.#tracing = tracing;
  }

  /** Of the activity that asks; undefined outside of any, and where nothing is traced. */
  current(): Span | undefined {
    if (this.#tracing === undefined) return undefined;
    const context = asyncLocalStorage.getStore();
    return context && this.#spans.get(context);
  }

  start(context: Context, { headers }: ActivityExecuteInput): Span | undefined {
    const { traceparent } = headers;
    if (this.#tracing === undefined || traceparent === undefined) return undefined;
    const { activityType, attempt, workflowExecution } = context.info;
    const span = this.#tracing.start({
      name: activityType,
      kind: SpanKind.INTERNAL,
      parent: defaultPayloadConverter.fromPayload<string>(traceparent),
      attributes: { 'temporal.workflow_id': workflowExecution?.workflowId ?? '', 'temporal.attempt': attempt },
    });
    this.#spans.set(context, span);
    return span;
  }
}

export function observeActivities(metrics: WorkerMetrics, spans: ActivitySpans): ActivityInterceptorsFactory {
  return (context) => ({
    inbound: {
      async execute(input, next) {
        const { activityType: activity } = context.info;
        const span = spans.start(context, input);
        const startedMs = performance.now();
        const note = (outcome: string, result?: unknown) => {
          metrics.activities.observe({ activity, outcome }, (performance.now() - startedMs) / 1000);
          if (activity === 'fulfilSigningRequest' || activity === 'signAtOnce')
            countSignature(metrics, input.args, outcome, result);
          if (activity === 'signGroupAtOnce' && outcome === 'ok') countMembers(metrics, input.args, result);
          if (activity === 'prepareTransaction' && outcome === 'ok') countTried(metrics, result);
          if (span !== undefined) endSpan(span, outcome === 'ok' ? undefined : outcome);
        };
        try {
          const result = await next(input);
          note('ok', result);
          return result;
        } catch (error) {
          note(outcomeOf(error));
          throw error;
        }
      },
    },
    outbound: { getLogAttributes: () => namesOf(context.info) },
  });
}

function outcomeOf(error: unknown): string {
  if (error instanceof CancelledFailure) return 'cancelled';
  const type = error instanceof ApplicationFailure ? error.type : undefined;
  return isFailureCode(type) ? type : 'error';
}

const curveByNetwork = new Map<string, string>(networkSeed.map(({ internalCode, curve }) => [internalCode, curve]));

/** By the network that the input names, which whoever starts workflows may have made up: it is only counted by. */
function countSignature(metrics: WorkerMetrics, args: unknown[], outcome: string, result: unknown): void {
  const { networkCode } = args[0] as { networkCode?: string };
  const curve = curveByNetwork.get(networkCode ?? '') ?? 'unknown';
  const { status, code } = (result ?? {}) as { status?: string; code?: string };
  const ended = status === 'success' ? 'success' : status === 'open' ? (code ?? 'error') : 'closed_before';
  metrics.signatures.inc({ curve, outcome: outcome === 'ok' ? ended : outcome });
}

/** Each as the attempt that it was. What is left to another workflow was none. */
function countMembers(metrics: WorkerMetrics, args: unknown[], result: unknown): void {
  for (const end of result as readonly { status: string }[])
    if (end.status !== 'elsewhere') countSignature(metrics, args, 'ok', end);
}

/** What a transaction of a withdrawal had signed at once. */
function countTried(metrics: WorkerMetrics, result: unknown): void {
  const { tried = [] } = result as { tried?: readonly object[] };
  for (const end of tried) countSignature(metrics, [end], 'ok', end);
}

/** Without the task's token and the other things that the SDK adds and nobody searches by. */
function namesOf({ activityType, attempt, workflowExecution, workflowType }: Info): Record<string, unknown> {
  const { workflowId, runId } = workflowExecution ?? {};
  return { activityType, attempt, workflowId, runId, workflowType };
}
