// Gives query parameters the types of their schema before validation. Strict: only the plain decimal form of a whole number, only true and false;
// anything else stays text and is refused. A comma list becomes an array.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

interface QuerySchema {
  properties?: Record<string, { type?: string }>;
}

export function installQueryTypes(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.querystring as QuerySchema | undefined;
    if (schema?.properties !== undefined) typeQuery(request, schema.properties);
  });
}

function typeQuery(request: FastifyRequest, properties: NonNullable<QuerySchema['properties']>): void {
  const query = request.query as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') throw new ApiError('invalid_request', `querystring.${name} is there twice.`);
    query[name] = typed(value, properties[name]?.type);
  }
}

function typed(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'array') return text.split(',');
  return text;
}
