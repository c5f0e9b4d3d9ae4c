// How long requests take and how they end, by route; and why authentication fails, which no answer tells. What alerts
// count begins at 0: `increase` and `rate` do not see the first event of a series that is born with it.
import type { FastifyInstance } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import { AuthenticationError, type AuthenticationFailure, authenticationFailures } from '../http/errors.ts';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'];
/** What balancers and Prometheus ask, however few callers there are: 503 is an answer there, and no error. */
const PROBES = new Set(['/health', '/ready', '/metrics']);

export function installHttpMetrics(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'countersign_http_request_duration_seconds',
    help: 'Time to answer a request, by route and class of status; "waits" are those that asked to wait for an end.',
    labelNames: ['method', 'route', 'status', 'waits'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const responses = new Counter({
    name: 'countersign_http_responses_total',
    help: 'Answers by class of status; "probe" are those to balancers and to Prometheus.',
    labelNames: ['status', 'probe'],
    registers: [registry],
  });
  for (const status of STATUS_CLASSES) for (const probe of ['yes', 'no']) responses.inc({ status, probe }, 0);
  const failures = new Counter({
    name: 'countersign_authentication_failures_total',
    help: 'Requests that did not authenticate, by what failed.',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const each of authenticationFailures) failures.inc({ reason: labelOf(each) }, 0);
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, headers } = request;
    const route = routeOptions.url ?? 'none';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    const waits = headers['prefer'] === undefined ? 'no' : 'yes';
    responses.inc({ status, probe: PROBES.has(route) ? 'yes' : 'no' });
    durations.observe({ method, route, status, waits }, reply.elapsedTime / 1000);
    request.log.debug({ method, route, status: reply.statusCode, elapsedMs: reply.elapsedTime }, 'answered');
    done();
  });
  app.addHook('onError', (_request, _reply, error, done) => {
    if (error instanceof AuthenticationError) failures.inc({ reason: labelOf(error.reason) });
    done();
  });
}

const labelOf = (reason: AuthenticationFailure) => reason.replaceAll(/[^a-z]+/g, '_');
