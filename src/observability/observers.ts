// Who watches the API from within: metrics always, traces where an operator asks for them. The list of what is
// installed, in its order.
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Tracing } from '../process/tracing.ts';
import { installHttpMetrics } from './http-metrics.ts';
import { installHttpTracing } from './http-tracing.ts';

export interface Observers {
  /** Of one app alone, which adds its metrics. */
  registry: Registry;
  /** Empty when everybody may read the metrics. */
  metricsToken?: string;
  tracing?: Tracing | undefined;
}

/** Before every other hook. */
export function installObservers(app: FastifyInstance, { registry, tracing }: Observers): void {
  installHttpTracing(app, tracing);
  installHttpMetrics(app, registry);
}
