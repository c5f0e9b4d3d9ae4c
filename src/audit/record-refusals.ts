// Has every refused attempt written into the audit log: before the answer goes out, or, where the time of an answer
// must tell nothing about a key, after it. Decides nothing about the answer.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refusedFacts } from '../writes/audited-request.ts';
import type { RefusedAttempts } from './refused-attempts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that is the answer, or of what was refused within it. */
    refusedCode: string | undefined;
  }
}

export function installRefusals(app: FastifyInstance, attempts: RefusedAttempts): void {
  app.decorateRequest('refusedCode', undefined);
  app.decorateRequest('isValidated', false);
  app.addHook('preHandler', (request, _reply, done) => {
    request.isValidated = true;
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const { refusedCode } = request;
    if (refusedCode !== undefined) return record(attempts, request, reply.statusCode, refusedCode);
    done(null, payload);
    return undefined;
  });
}

/** A read that is forbidden is an attempt too; one that finds nothing is none. */
const FORBIDDEN = 403;

const isProven = ({ caller }: Partial<Pick<FastifyRequest, 'caller'>>) => caller !== undefined;

/**
 * What names a key without proof, or with the wrong address, is the same for every key, also for one that does not
 * exist: noted, and written later.
 */
async function record(attempts: RefusedAttempts, request: FastifyRequest, status: number, code: string): Promise<void> {
  const { rule } = request.routeOptions.config;
  if (rule === undefined) return;
  const isChange = !rule.startsWith('GET ');
  const apiKey = request.headers['access-api-key'];
  if (code === 'unauthorized' || code === 'ip_not_allowed' || !isProven(request)) {
    const isAttempt = isChange || code === 'unauthorized' || status === FORBIDDEN;
    if (isAttempt && status < 500 && typeof apiKey === 'string')
      attempts.note({ apiKey, ...refusedFacts(request, status, code) });
    return;
  }
  const proven = request.caller.key.apiKey;
  if (code === 'rate_limited') attempts.count(proven, code);
  else if ((isChange && (status < 500 || code === 'route_disabled')) || status === FORBIDDEN)
    await attempts.record({ apiKey: proven, ...refusedFacts(request, status, code) });
}
