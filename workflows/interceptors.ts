// What is around every workflow: the worker hears when one ends, each activity waits in its task queue, and the trace
// of a request reaches activities and children. Adds no header to the history of a workflow whose request is not
// traced.

import type { ActivityOptions, Headers, Sinks, WorkflowInterceptors } from '@temporalio/workflow';
import { ContinueAsNew, defaultPayloadConverter, proxySinks, workflowInfo } from '@temporalio/workflow';
import { operationStatusAttribute } from './search-attributes.ts';
import { activityQueueOf, queueOfActivity } from './task-queues.ts';

export interface ObservationSinks extends Sinks {
  observation: {
    /**
     * `outcome`: the status that it reported last; `continued` when it goes on as a new run, `error` when it failed as
     * a workflow.
     */
    ended(outcome: string): void;
  };
}

const { observation } = proxySinks<ObservationSinks>();

export function interceptors(): WorkflowInterceptors {
  return {
    inbound: [
      {
        async execute(input, next) {
          try {
            const result = await next(input);
            observation.ended(workflowInfo().typedSearchAttributes.get(operationStatusAttribute) ?? 'completed');
            return result;
          } catch (error) {
            observation.ended(error instanceof ContinueAsNew ? 'continued' : 'error');
            throw error;
          }
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) =>
          next({
            ...input,
            options: withTaskQueue(input.activityType, input.options),
            headers: withTrace(input.headers),
          }),
        scheduleLocalActivity: (input, next) => next({ ...input, headers: withTrace(input.headers) }),
        startChildWorkflowExecution: (input, next) => {
          const traceparent = ownTraceparent();
          if (traceparent === undefined) return next(input);
          const { options } = input;
          return next({ ...input, options: { ...options, memo: { ...options.memo, traceparent } } });
        },
      },
    ],
  };
}

/**
 * A replay does not compare task queues, so what is under way goes on, and what is scheduled already waits where it was
 * put.
 */
function withTaskQueue(activityType: string, options: ActivityOptions): ActivityOptions {
  const queue = queueOfActivity(activityType);
  if (queue === undefined) return options;
  return { ...options, taskQueue: activityQueueOf(workflowInfo().taskQueue, queue) };
}

function withTrace(headers: Headers): Headers {
  const traceparent = ownTraceparent();
  return traceparent === undefined
    ? headers
    : { ...headers, traceparent: defaultPayloadConverter.toPayload(traceparent) };
}

/**
 * Of this run's own span, which the worker writes when it has ended: its id is made of the run's, so that it is known
 * before.
 */
function ownTraceparent(): string | undefined {
  const { memo, runId } = workflowInfo();
  const parent = memo?.['traceparent'];
  if (typeof parent !== 'string') return undefined;
  const [version, traceId, , flags] = parent.split('-');
  if (version === undefined || traceId === undefined || flags === undefined) return undefined;
  return [version, traceId, runId.replaceAll('-', '').slice(16), flags].join('-');
}
