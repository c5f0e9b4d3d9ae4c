// Who tried to authenticate, for the log.
import type { FastifyRequest } from 'fastify';
import { clientAddress } from './client-address.ts';

/** Anything else in this header may be a secret in the wrong place. */
const KEY_IDENTIFIER = /^ck_[0-9a-f]{32}$/;

/** What the log says so that an operator can act: who was named, from where. Never the signature. */
export function describeAttempt(request: FastifyRequest): { apiKey?: string; address?: string } {
  const apiKey = request.headers['access-api-key'];
  const address = clientAddress(request)?.toString();
  return {
    ...(typeof apiKey === 'string' && KEY_IDENTIFIER.test(apiKey) ? { apiKey } : {}),
    ...(address === undefined ? {} : { address }),
  };
}
