// The API as one Fastify instance: the explicit, ordered list of its hooks and routes. Opens no port and reads no
// environment.

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Client } from '@temporalio/client';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { Registry } from 'prom-client';
import { v7 as uuidv7 } from 'uuid';
import type { ExportBucketSettings } from '../domain/exports/export-bucket.ts';
import type { FeeCapSettings } from '../domain/withdrawals/fee-caps.ts';
import type { Database } from '../drizzle/database/connection.ts';
import { Seals } from '../drizzle/seals/seals.ts';
import { apiKeyChangeRoutes } from './api-keys/api-key-changes.routes.ts';
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { takeSecretRoutes } from './api-keys/take-secret.routes.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { installRefusals } from './audit/record-refusals.ts';
import { RefusedAttempts } from './audit/refused-attempts.ts';
import { installAccess } from './authentication/access.ts';
import { installBodyAdmission } from './authentication/admit-body.ts';
import { installAuthentication } from './authentication/authenticate.ts';
import { FailedAuthentications } from './authentication/failed-authentications.ts';
import { KeyRing } from './authentication/key-ring.ts';
import { LastUses } from './authentication/last-uses.ts';
import { type ConsoleOrigin, readConsoleOrigin } from './authentication/own-page.ts';
import { describeRateLimit, RateLimit } from './authentication/rate-limit.ts';
import { BODY_MAX_BYTES, installRawBody } from './authentication/raw-body.ts';
import type { ConsoleSessions } from './authentication/require-session.ts';
import { SessionRing } from './authentication/session-ring.ts';
import { Connections } from './authentication/unproven-connections.ts';
import { BodiesUnderWay } from './authentication/unverified-bodies.ts';
import { authorityChangeRoutes } from './authority-changes/authority-changes.routes.ts';
import { balanceRoutes } from './balances/balances.routes.ts';
import { AssetCatalog } from './catalog/assets.ts';
import { catalogRoutes } from './catalog/catalog.routes.ts';
import { logoRoutes } from './catalog/logos.ts';
import { networkStateRoutes } from './catalog/network-states.routes.ts';
import { NetworkCatalog, type NetworksEnabled } from './catalog/networks.ts';
import { HttpPriceSource, noPrices } from './catalog/prices.ts';
import { consoleRoutes } from './console/console.routes.ts';
import { enumNames, tags } from './document-names.ts';
import { eventRoutes } from './events/events.routes.ts';
import { webhookDescriptions } from './events/events.schema.ts';
import { exportScheduleRoutes } from './exports/export-schedules.routes.ts';
import { exportRoutes } from './exports/exports.routes.ts';
import { storedFilesOf } from './exports/stored-files.ts';
import { withdrawalsFreezeRoutes } from './freezes/withdrawals-freeze.routes.ts';
import { trustHops } from './http/client-address.ts';
import { Draining, installDraining } from './http/draining.ts';
import { errorEnvelope } from './http/envelope.ts';
import { answerClientError, answerError, installErrorHandlers } from './http/errors.ts';
import { narrowFormats } from './http/formats.ts';
import { type HttpSettings, unlimited } from './http/http-settings.ts';
import { installOpenApi } from './http/openapi/openapi.ts';
import { installOverload, RequestsUnderWay } from './http/overload.ts';
import { installQueryTypes } from './http/query.ts';
import { schemaCompilers } from './http/schema-compilers.ts';
import { installSecurityHeaders } from './http/security-headers.ts';
import { installLongPoll, type LongPoll } from './http/waiting/long-poll.ts';
import { reportBrokenSeals } from './observability/broken-seals.ts';
import { metricsRoutes } from './observability/metrics.routes.ts';
import { observabilityRoutes } from './observability/observability.routes.ts';
import { installObservers, type Observers } from './observability/observers.ts';
import { Scrape } from './observability/scrape.ts';
import { StateMetrics } from './observability/state-metrics.ts';
import { statusRoutes } from './observability/status.routes.ts';
import { enrolmentLinkRoutes } from './passkeys/enrolment-links.routes.ts';
import { passkeyRoutes } from './passkeys/passkeys.routes.ts';
import { addressBookRoutes } from './policies/address-book.routes.ts';
import { policyRoutes } from './policies/policies.routes.ts';
import { simulateRoutes } from './policy-simulation/simulate.routes.ts';
import { sandboxRoutes } from './sandbox/sandbox.routes.ts';
import { CeremonyLimit } from './sign-in/ceremony-limit.ts';
import { enrolRoutes } from './sign-in/enrol.routes.ts';
import { signInRoutes } from './sign-in/sign-in.routes.ts';
import { voteChallengeRoutes } from './sign-in/vote-challenge.routes.ts';
import { signRoutes } from './signing-requests/sign.routes.ts';
import { signingRoutes } from './signing-requests/signing-requests.routes.ts';
import { transactionRoutes } from './transactions/transactions.routes.ts';
import { roleRoutes } from './users/roles.routes.ts';
import { userRoutes } from './users/users.routes.ts';
import { evidenceRoutes } from './votes/evidence.routes.ts';
import { approvalRoutes } from './votes/votes.routes.ts';
import { sweepRoutes } from './wallets/sweeps.routes.ts';
import { walletAddressRoutes } from './wallets/wallet-addresses.routes.ts';
import { walletAssetStatusRoutes } from './wallets/wallet-asset-status.routes.ts';
import { walletAssetRoutes } from './wallets/wallet-assets.routes.ts';
import { walletStatusRoutes } from './wallets/wallet-status.routes.ts';
import { walletRoutes } from './wallets/wallets.routes.ts';
import type { Targets } from './webhooks/check-target.ts';
import { webhookDeliveryRoutes } from './webhooks/webhook-deliveries.routes.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';
import { requestWithdrawalRoutes } from './withdrawals/request-withdrawal.routes.ts';
import { withdrawalRoutes } from './withdrawals/withdrawals.routes.ts';
import type { WorkflowStarter } from './writes/start-workflow.ts';
import { noQuotas, type QuotaLimits, WorkspaceQuotas } from './writes/workspace-quotas.ts';

/** A connection may hold them without ever completing a request. */
const HEADERS_MAX_BYTES = 8 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTION_TIMEOUT_MS = 60_000;
/** How late the request timeout may be noticed. */
const CONNECTIONS_CHECKED_EVERY_MS = 5_000;
/** Of one address, before it has a session. */
const CEREMONIES_PER_MINUTE = 60;

export interface AppSettings {
  /** The one of today as hex, then those that still decrypt. */
  keyEncryptionKeys: readonly string[];
  signRawEnabled: boolean;
  logLevel: string;
  /** Without it this is the sandbox, with what only a sandbox has. */
  production?: boolean;
  /** What is absent is not limited. */
  http?: Partial<HttpSettings>;
  networkSwitches?: NetworksEnabled;
  /** Of each workspace. What is absent is not limited. */
  quotas?: Partial<QuotaLimits>;
  /** Of what a transaction pays in fees; the networks that are not named have the defaults. */
  feeCaps?: FeeCapSettings;
  /** Private targets are refused unless they are allowed; where names lead is what DNS says unless another answers. */
  webhooks?: Partial<Pick<Targets, 'allowPrivate' | 'resolve'>>;
  /** Where browsers find the console (`https://…`). Absent where nobody signs in there with a passkey. */
  consoleOrigin?: string;
  /** Where people look at the workflows of this service's namespace. */
  workflowsUrl?: string | undefined;
  /** The folder with the files of exports, or the bucket. Absent where none are made. */
  exportDirectory?: string;
  exportBucket?: ExportBucketSettings | undefined;
  /** Prices are shown only when there is a source. */
  priceSourceUrl?: string;
}

export interface AppDependencies {
  db: Database;
  client: Client;
  starter: WorkflowStarter;
  settings: AppSettings;
  observers?: Observers;
  /** The process begins it before it closes the app. */
  draining?: Draining;
}

export async function buildApp({
  db,
  client,
  starter,
  settings,
  observers = { registry: new Registry() },
  draining = new Draining(),
}: AppDependencies): Promise<FastifyInstance> {
  const http = { ...unlimited, ...settings.http };
  const app = createServer(settings.logLevel, http);
  installObservers(app, observers);
  const waiting = installLongPoll(app, db);
  installDraining(app, draining, waiting);
  const [keyEncryptionKey, ...former] = settings.keyEncryptionKeys.map((hex) => Buffer.from(hex, 'hex'));
  if (keyEncryptionKey === undefined) throw new Error('the API needs a key-encryption key');
  const seals = new Seals([keyEncryptionKey, ...former], reportBrokenSeals(observers.registry, app.log));
  const keyRing = new KeyRing(db, [keyEncryptionKey, ...former], seals);
  const sessions = sessionsAt(settings.consoleOrigin, new SessionRing({ db, seals, keyRing }, app.log));
  const { failures, attempts } = await installHttp(app, { db, keyRing, sessions, waiting, http });

  await app.register(observabilityRoutes({ db, client, draining }));
  const { registry, metricsToken: token } = observers;
  const askTemporal = () => client.workflowService.getSystemInfo({});
  const state = new StateMetrics({ db, askTemporal }, registry);
  await app.register(metricsRoutes(new Scrape({ registry, state, token })));
  await app.register(logoRoutes);
  await app.register(consoleRoutes);
  if (sessions !== undefined) {
    const signIn = { db, seals, sessions, failures, attempts, limit: new CeremonyLimit(CEREMONIES_PER_MINUTE) };
    await app.register(signInRoutes(signIn));
    await app.register(enrolRoutes(signIn));
    await app.register(voteChallengeRoutes(signIn));
  }
  const networks = new NetworkCatalog(db, settings.networkSwitches, settings.feeCaps);
  const assets = new AssetCatalog(db, networks);
  const { priceSourceUrl } = settings;
  const prices = priceSourceUrl === undefined ? noPrices : new HttpPriceSource(priceSourceUrl, app.log);
  const writes = { db, starter, seals };
  const quotas = new WorkspaceQuotas({ ...noQuotas, ...settings.quotas });
  await app.register(
    async (api) => {
      const production = settings.production ?? false;
      const keys = { ...writes, keyEncryptionKey, production };
      await api.register(
        statusRoutes({ db, client, taskQueue: starter.taskQueue, workflowsUrl: settings.workflowsUrl }),
      );
      await api.register(apiKeyRoutes(keys));
      await api.register(apiKeyChangeRoutes({ ...keys, keyRing }));
      await api.register(takeSecretRoutes({ ...keys, keyRing }));
      await api.register(userRoutes({ ...writes, keyRing, production }));
      await api.register(roleRoutes({ ...writes, keyRing, production }));
      await api.register(passkeyRoutes({ ...writes, ring: sessions?.ring }));
      await api.register(enrolmentLinkRoutes({ ...writes, production, console: sessions?.console }));
      await api.register(evidenceRoutes({ db }));
      await api.register(authorityChangeRoutes({ db }));
      await api.register(withdrawalsFreezeRoutes({ ...writes, production }));
      await api.register(catalogRoutes({ networks, assets, prices }));
      await api.register(networkStateRoutes({ ...writes, networks, assets, quotas }));
      await api.register(walletRoutes({ ...writes, waiting, quotas }));
      await api.register(walletStatusRoutes({ ...writes, production }));
      await api.register(walletAddressRoutes({ db, seals, networks, assets }));
      await api.register(walletAssetRoutes({ ...writes, networks, assets, prices }));
      await api.register(walletAssetStatusRoutes({ ...writes, networks, assets, prices }));
      await api.register(sweepRoutes());
      await api.register(balanceRoutes({ db }));
      await api.register(transactionRoutes({ db, assets, waiting }));
      const withdrawals = { ...writes, networks, assets, production, quotas };
      await api.register(requestWithdrawalRoutes(withdrawals));
      await api.register(withdrawalRoutes({ ...writes, waiting }));
      const signing = { ...writes, networks, production, quotas, signRawEnabled: settings.signRawEnabled };
      await api.register(signRoutes({ ...signing, assets }));
      await api.register(signingRoutes({ ...writes, waiting, networks }));
      await api.register(policyRoutes({ ...writes, production }));
      await api.register(simulateRoutes({ ...signing, assets }));
      await api.register(addressBookRoutes({ ...writes, networks, production }));
      await api.register(approvalRoutes({ ...writes, production, console: sessions?.console }));
      await api.register(eventRoutes({ db, waiting }));
      const targets = {
        allowPrivate: settings.webhooks?.allowPrivate ?? false,
        httpsOnly: production,
        resolve: settings.webhooks?.resolve,
      };
      await api.register(webhookRoutes({ ...writes, keyEncryptionKeys: [keyEncryptionKey, ...former], targets }));
      await api.register(webhookDeliveryRoutes(writes));
      const { exportDirectory = '', exportBucket: bucket } = settings;
      const files = storedFilesOf({ directory: exportDirectory, bucket });
      await api.register(exportRoutes({ ...writes, waiting, quotas, files }));
      await api.register(exportScheduleRoutes({ ...writes, quotas, files }));
      await api.register(auditRoutes({ db, keyEncryptionKeys: [keyEncryptionKey, ...former] }));
      if (!settings.production) await api.register(sandboxRoutes({ ...writes, networks, assets }));
    },
    { prefix: '/api/v1' },
  );
  return app;
}

function createServer(logLevel: string, { trustedProxies }: HttpSettings): FastifyInstance {
  return Fastify({
    logger: { level: logLevel, redact: ['req.headers["access-sign"]', 'req.headers["access-api-key"]'] },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    http: { connectionsCheckingInterval: CONNECTIONS_CHECKED_EVERY_MS, maxHeaderSize: HEADERS_MAX_BYTES },
    trustProxy: trustHops(trustedProxies),
    genReqId: () => uuidv7(),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: answerClientError,
    routerOptions: { maxParamLength: 200 },
    schemaController: { compilersFactory: schemaCompilers },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        discriminator: true,
        keywords: ['example', 'explode', 'x-alias-of'],
      },
      onCreate: narrowFormats,
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
}

/** Undefined where nobody signs in with a passkey. */
function sessionsAt(consoleOrigin: string | undefined, ring: SessionRing): ConsoleSessions | undefined {
  const console: ConsoleOrigin | undefined = consoleOrigin ? readConsoleOrigin(consoleOrigin) : undefined;
  return console && { console, ring };
}

interface HttpDependencies {
  db: Database;
  keyRing: KeyRing;
  sessions: ConsoleSessions | undefined;
  waiting: LongPoll;
  http: HttpSettings;
}

/** Everything that holds for each request, in the order in which it runs. */
async function installHttp(app: FastifyInstance, { db, keyRing, sessions, waiting, http }: HttpDependencies) {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  await installSecurityHeaders(app);
  app.addSchema(errorEnvelope);
  installErrorHandlers(app);
  await installOverload(app, http);
  const connections = new Connections(http.connectionsMax);
  connections.install(app);
  const bodies = new BodiesUnderWay(http.unverifiedBodiesMaxBytes);
  installRawBody(app, bodies);
  installAccess(app);
  describeRateLimit(app);
  await installOpenApi(app, { tags, webhooks: webhookDescriptions, enumNames });
  const lastUses = new LastUses(db, app.log);
  app.addHook('onClose', () => lastUses.close());
  const attempts = new RefusedAttempts(db, app.log);
  app.addHook('onClose', () => attempts.close());
  installRefusals(app, attempts);
  const failures = new FailedAuthentications(http.failedAuthenticationsPerMinute);
  installBodyAdmission(app, { keyRing, sessions, failures, bodies });
  installAuthentication(app, {
    keyRing,
    sessions,
    lastUses,
    rateLimit: new RateLimit(http.requestsPerMinute),
    failures,
    underWay: new RequestsUnderWay(http.requestsUnderWayMax, waiting),
    bodies,
    connections,
  });
  installQueryTypes(app);
  return { failures, attempts };
}
