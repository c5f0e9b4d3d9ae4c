// Traces, where an operator asks for them: spans from a request through its workflow and its activities to each node
// that signs. Who does not ask has no Tracing, and pays nothing. Parents are handed on as W3C traceparents, never by an
// ambient context, which would make every promise dearer.
import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { BasicTracerProvider, IdGenerator, SpanExporter } from '@opentelemetry/sdk-trace-base';

export interface SpanStart {
  name: string;
  kind: SpanKind;
  /** A traceparent; without it a new trace begins. */
  parent?: string | null | undefined;
  attributes?: Attributes;
  /** When it began, if not now. */
  startTime?: Date;
  /** 16 hex digits: the id of a span that others had to name before it could be written. */
  spanId?: string;
}

export class Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #ids: ChosenIds;

  constructor(provider: BasicTracerProvider, ids: ChosenIds) {
    this.#provider = provider;
    this.#tracer = provider.getTracer('countersign');
    this.#ids = ids;
  }

  start({ name, kind, parent, attributes = {}, startTime, spanId }: SpanStart): Span {
    const options = { kind, attributes, ...(startTime === undefined ? {} : { startTime }) };
    return this.#ids.choosing(spanId, () => this.#tracer.startSpan(name, options, contextOf(parent)));
  }

  /** Sends what is not sent yet. */
  async close(): Promise<void> {
    await this.#provider.shutdown();
  }
}

/**
 * Sends spans by OTLP over HTTP; the exporter and the sampler read the standard OTEL_ variables themselves. The
 * libraries are loaded here and not before. With an `exporter`, spans go to it as soon as they end.
 */
export async function connectTracing(serviceName: string, exporter?: SpanExporter): Promise<Tracing> {
  const [sdk, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
  ]);
  const ids = new ChosenIds();
  const named = resources.resourceFromAttributes({ 'service.name': serviceName });
  const provider = new sdk.BasicTracerProvider({
    idGenerator: ids,
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go before ours.
    resource: named.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [
      exporter === undefined ? new sdk.BatchSpanProcessor(await otlpExporter()) : new sdk.SimpleSpanProcessor(exporter),
    ],
  });
  return new Tracing(provider, ids);
}

async function otlpExporter(): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  return new OTLPTraceExporter();
}

/** Ends a span; `failure` is a code of ours, never the text of an exception. */
export function endSpan(span: Span, failure?: string): void {
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end();
}

export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** What is no traceparent counts as none: a caller may send anything. */
function contextOf(traceparent: string | null | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/** Random ids, but for the one that is chosen for the span being started. */
class ChosenIds implements IdGenerator {
  #chosen: string | undefined;

  choosing(spanId: string | undefined, start: () => Span): Span {
    this.#chosen = spanId;
    try {
      return start();
    } finally {
      this.#chosen = undefined;
    }
  }

  generateTraceId(): string {
    return randomBytes(16).toString('hex');
  }

  generateSpanId(): string {
    return this.#chosen ?? randomBytes(8).toString('hex');
  }
}
