// Watches a cluster's client (activities/mpc/client/observed-cluster.ts): times of sessions and of single questions,
// and a span for each node that is asked within a traced activity.
import { type Span, SpanKind } from '@opentelemetry/api';
import type { Logger } from '../../domain/logger.ts';
import { endSpan, type Tracing, traceparentOf } from '../process/tracing.ts';
import type { ActivitySpans } from './observe-activities.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

interface Observers {
  metrics: WorkerMetrics;
  tracing: Tracing | undefined;
  spans: ActivitySpans;
  log: Pick<Logger, 'error'>;
}

type Ended = (outcome: string) => void;

export function observeCluster(cluster: string, { metrics, tracing, spans, log }: Observers) {
  const spanOf = (node: number, question: string): Span | undefined => {
    const activity = spans.current();
    return (
      activity &&
      tracing?.start({
        name: `node ${node} ${question}`,
        kind: SpanKind.CLIENT,
        parent: traceparentOf(activity),
        attributes: { 'countersign.mpc_cluster': cluster, 'countersign.mpc_node': node },
      })
    );
  };
  return {
    onCall(protocol: 'generate_key' | 'refresh_key' | 'sign', curve: string): Ended {
      const startedMs = performance.now();
      return (outcome) => metrics.sessions.observe({ cluster, protocol, curve, outcome }, secondsSince(startedMs));
    },
    onWrongSignature(signers: readonly number[], curve: string): void {
      metrics.wrongSignatures.inc({ curve });
      log.error(
        { cluster, signers, curve },
        'MPC nodes answered a signature that does not verify: one of them is broken, or cheats',
      );
    },
    onNode: (node: number): void => metrics.refusals.inc({ cluster, node, code: 'Paused' }, 0),
    onRefusal: (node: number, code: string): void => metrics.refusals.inc({ cluster, node, code }),
    onQuestion(node: number, question: string): Ended {
      const startedMs = performance.now();
      const span = spanOf(node, question);
      return (outcome) => {
        metrics.questions.observe({ cluster, node, question, outcome }, secondsSince(startedMs));
        if (span !== undefined) endSpan(span, outcome === 'ok' ? undefined : outcome);
      };
    },
  };
}

const secondsSince = (startedMs: number): number => (performance.now() - startedMs) / 1000;
