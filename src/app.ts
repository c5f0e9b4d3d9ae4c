// The API as one Fastify instance: the explicit, ordered list of its hooks and routes. Opens no port and reads no environment.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Client } from '@temporalio/client';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../drizzle/database.ts';
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { KeyRing } from './api-keys/key-ring.ts';
import { NetworkCatalog } from './catalog/networks.ts';
import { installAccess } from './http/access.ts';
import { installAuthentication } from './http/authenticate.ts';
import { answerClientError, answerError, installErrorHandlers } from './http/errors.ts';
import { installOpenApi } from './http/openapi.ts';
import { installQueryTypes } from './http/query.ts';
import { installRawBody } from './http/raw-body.ts';
import { observabilityRoutes } from './observability/observability.routes.ts';
import { signingRoutes } from './signing-requests/signing-requests.routes.ts';
import type { WorkflowStarter } from './start-workflow.ts';
import { walletRoutes } from './wallets/wallets.routes.ts';

const BODY_MAX_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTION_TIMEOUT_MS = 60_000;

export interface AppDependencies {
  db: Database;
  client: Client;
  starter: WorkflowStarter;
  settings: { keyEncryptionKey: string; signRawEnabled: boolean; logLevel: string };
}

export async function buildApp({ db, client, starter, settings }: AppDependencies): Promise<FastifyInstance> {
  const app = Fastify({
    logger: { level: settings.logLevel, redact: ['req.headers["access-sign"]', 'req.headers["access-api-key"]'] },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    genReqId: () => uuidv7(),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: 200 },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        keywords: ['example', 'explode'],
      },
    },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  installErrorHandlers(app);
  installRawBody(app);
  installAccess(app);
  await installOpenApi(app);
  installAuthentication(app, new KeyRing(db, settings.keyEncryptionKey));
  installQueryTypes(app);

  await app.register(observabilityRoutes({ db, client }));
  const writes = { db, starter };
  await app.register(
    async (api) => {
      await api.register(apiKeyRoutes({ db }));
      await api.register(walletRoutes(writes));
      await api.register(
        signingRoutes({ ...writes, networks: new NetworkCatalog(db), signRawEnabled: settings.signRawEnabled }),
      );
    },
    { prefix: '/api/v1' },
  );
  return app;
}
