// Gives query parameters the types of their schema before validation. Strict: only the plain decimal form of a whole
// number, only true and false; anything else stays text and is refused. A comma list becomes an array. What a route
// does not know, or knows once and gets twice, is refused; a list may be repeated instead of written with commas.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { knownFields } from './describe-validation.ts';
import { ApiError } from './errors.ts';

type Properties = Record<string, { type?: string }>;

const NONE: Properties = {};

export function installQueryTypes(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { schema } = request.routeOptions;
    // Pages that the document does not describe: a browser may add what it likes.
    if (!request.is404 && !schema?.hide)
      typeQuery(request, (schema?.querystring as { properties?: Properties } | undefined)?.properties ?? NONE);
    done();
  });
}

function typeQuery(request: FastifyRequest, properties: Properties): void {
  const query = request.query as Record<string, unknown>;
  for (const name of Object.keys(query)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known === undefined)
      throw new ApiError('invalid_request', `querystring has an unknown field "${name}": ${knownFields(properties)}.`);
    const given = query[name];
    const value = known.type === 'array' && Array.isArray(given) ? given.join(',') : given;
    if (typeof value !== 'string') throw new ApiError('invalid_request', `querystring.${name} is there twice.`);
    if (value.includes('\0')) throw new ApiError('invalid_request', `querystring.${name} holds the character U+0000.`);
    query[name] = typed(value, known.type);
  }
}

function typed(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'array') return text.split(',');
  return text;
}
