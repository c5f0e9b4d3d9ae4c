// The OpenAPI 3.1 document, made from the routes' own schemas, and the reference page that shows it. Both are public and local.
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { noBody } from './no-body.ts';

const description = `MPC wallets and signatures, each a durable workflow.

Every request under \`/api/v1\` is signed: \`ACCESS-SIGN\` is the HMAC-SHA256, as hex or as base64 of that hex text, of
\`method=<METHOD>&path=<PATH>&timestamp=<TIMESTAMP>&body=<RAW BODY>\` under the key's secret; the path includes the query string.

A signature of a write counts once. Two equal writes signed in the same second have the same signature, and the second is refused (401), unless it repeats the
\`X-Idempotency-Key\` of the first: sign it with another second, at most five minutes from the server's clock (\`GET /time\`).`;

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

/** `webhooks`: what the service posts to its callers' endpoints, as OpenAPI describes it. */
export async function installOpenApi(app: FastifyInstance, webhooks: Record<string, object>): Promise<void> {
  await app.register(swagger, {
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) => (typeof $id === 'string' ? $id : `schema-${index}`),
    },
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Countersign', version: '0.1.0', description },
      webhooks,
      components: {
        securitySchemes: {
          accessKey: header('ACCESS-API-KEY', 'The key identifier.'),
          accessTimestamp: header(
            'ACCESS-TIMESTAMP',
            'Unix time in seconds, at most five minutes from the server clock.',
          ),
          accessSign: header('ACCESS-SIGN', 'The signature of the request.'),
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
          ...(signed ? { security: [{ accessKey: [], accessTimestamp: [], accessSign: [] }] } : {}),
          ...(config.scope ? { 'x-scope': config.scope } : {}),
        },
      };
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) throw new Error('the document is not OpenAPI 3');
      const { openapiObject } = document;
      for (const operations of Object.values(openapiObject.paths ?? {}))
        for (const operation of Object.values(operations as Record<string, Operation>)) letBeAbsent(operation);
      return openapiObject;
    },
  });
  const publicRoute = { config: { public: true as const } };
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/docs')) route.config = { ...route.config, public: true };
  });
  await app.register(swaggerUi, { routePrefix: '/docs' });
  app.get('/openapi.json', { ...publicRoute, schema: { hide: true } }, async () => app.swagger());
}
