// A span for each signed request. Its traceparent goes with the outbox row, so that what follows belongs to the same
// trace.
import { SpanKind } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { endSpan, type Tracing, traceparentOf } from '../process/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of the request's span; undefined while requests are not traced. */
    traceparent: string | undefined;
  }
}

export function installHttpTracing(app: FastifyInstance, tracing: Tracing | undefined): void {
  app.decorateRequest('traceparent', undefined);
  if (tracing === undefined) return;
  app.addHook('onRequest', (request, reply, done) => {
    const { config, url: route = 'none' } = request.routeOptions;
    const { traceparent } = request.headers;
    if (config.public) return done();
    const span = tracing.start({
      name: `${request.method} ${route}`,
      kind: SpanKind.SERVER,
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: { 'http.request.method': request.method, 'http.route': route, 'countersign.request_id': request.id },
    });
    request.traceparent = traceparentOf(span);
    // Not `onResponse`, which a caller who hangs up keeps from running.
    reply.raw.once('close', () => {
      span.setAttribute('http.response.status_code', reply.statusCode);
      endSpan(span, reply.statusCode >= 500 ? String(reply.statusCode) : undefined);
    });
    done();
  });
}
