// The OpenAPI 3.1 document, made from the routes' own schemas, which the reference page shows. Public.
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { noBody } from '../no-body.ts';
import { REFERENCE } from '../security-headers.ts';
import { shareComponents } from './shared-components.ts';

const description = `MPC wallets and signatures, each a durable workflow.

Every request under \`/api/v1\` is signed: \`ACCESS-SIGN\` is the HMAC-SHA256, as hex or as base64 of that hex text, of
\`method=<METHOD>&path=<PATH>&timestamp=<TIMESTAMP>&body=<RAW BODY>\` under the key's secret; the path includes the query string.

A signature of a write counts once. Two equal writes signed in the same second have the same signature, and the second
is refused (409 \`request_replayed\`), unless it repeats the \`X-Idempotency-Key\` of the first: sign it with another
second, at most five minutes from the server's clock (\`GET /time\`).`;

const header = (name: string, text: string) => ({
  type: 'apiKey' as const,
  in: 'header' as const,
  name,
  description: text,
});

interface Operation {
  requestBody?: { required?: boolean; content: Record<string, { schema?: { anyOf?: { type?: string }[] } }> };
}

/** A body that may be null is read as null when it is absent. The plugin calls every body required. */
function letBeAbsent({ requestBody }: Operation): void {
  if (requestBody === undefined) return;
  const forms = Object.values(requestBody.content).flatMap(({ schema }) => schema?.anyOf ?? []);
  if (forms.some(({ type }) => type === 'null')) requestBody.required = false;
}

/** A property that is an alias of another is taken, and not described: generated code has one name for one thing. */
function leaveOutAliases(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { properties } = value as { properties?: Record<string, object> };
  for (const [name, schema] of Object.entries(properties ?? {}))
    if (typeof schema === 'object' && 'x-alias-of' in schema) delete properties?.[name];
  for (const inner of Object.values(value)) leaveOutAliases(inner);
}

export interface OpenApiOptions {
  /** The groups of operations, in the order in which they are shown. */
  tags: { name: string; description: string }[];
  /** What the service posts to its callers' endpoints, as OpenAPI describes it. */
  webhooks: Record<string, object>;
  /** What lists of values are called. */
  enumNames: Readonly<Record<string, readonly string[]>>;
}

export async function installOpenApi(
  app: FastifyInstance,
  { tags, webhooks, enumNames }: OpenApiOptions,
): Promise<void> {
  await app.register(swagger, {
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) => (typeof $id === 'string' ? $id : `schema-${index}`),
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Countersign',
        version: '0.1.0',
        description,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // Wherever this document is served from; `npm start` listens here.
      servers: [{ url: 'http://127.0.0.1:8150', description: 'The service that `npm start` starts.' }],
      tags,
      webhooks,
      security: [{ accessKey: [], accessTimestamp: [], accessSign: [] }],
      components: {
        securitySchemes: {
          accessKey: header('ACCESS-API-KEY', 'The key identifier.'),
          accessTimestamp: header(
            'ACCESS-TIMESTAMP',
            'Unix time in seconds, at most five minutes from the server clock.',
          ),
          accessSign: header(
            'ACCESS-SIGN',
            'Base64 of the lower-case hex of the HMAC-SHA256, under the secret of the key, of ' +
              '`method={METHOD}&path={path with its query}&timestamp={ACCESS-TIMESTAMP}&body={body as sent, or nothing}`.',
          ),
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const config = route.config ?? {};
      const signed = config.public !== true;
      // The document would call every body required.
      const { body, ...others } = schema ?? {};
      return {
        url,
        schema: {
          ...others,
          ...(body === undefined || body === noBody ? {} : { body }),
          // Public ones need no signature; the others the one of the document.
          ...(signed ? {} : { security: [] }),
          ...(config.scope ? { 'x-scope': config.scope } : {}),
        },
      };
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) throw new Error('the document is not OpenAPI 3');
      const { openapiObject } = document;
      for (const operations of Object.values(openapiObject.paths ?? {}))
        for (const operation of Object.values(operations as Record<string, Operation>)) letBeAbsent(operation);
      leaveOutAliases(openapiObject.paths);
      shareComponents(openapiObject as unknown as Parameters<typeof shareComponents>[0], enumNames);
      return openapiObject;
    },
  });
  const hidden = { config: { public: true as const }, schema: { hide: true } };
  app.get('/', hidden, async (_request, reply) => reply.redirect(REFERENCE));
  app.get('/openapi.json', hidden, async () => app.swagger());
}
