// What each line of a request's log says: who asks, and what was made. Never a header, a body or a signature.
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** From here on every line of this request names its caller. By the ids of rows, never by the key that is sent. */
export function nameCaller(request: FastifyRequest): void {
  const { workspaceId, id, userId } = request.caller.key;
  const trace = request.traceparent === undefined ? {} : { traceId: request.traceparent.split('-')[1] };
  (request.log as Logger).setBindings({ workspaceId, apiKeyId: id, userId, ...trace });
}
