// The API process.
import { sandboxCodes } from '../domain/catalog/sandbox.ts';
import { connectDatabase } from '../drizzle/database/connection.ts';
import { Seals } from '../drizzle/seals/seals.ts';
import { buildApp } from './app.ts';
import type { NetworksEnabled } from './catalog/networks.ts';
import { Draining } from './http/draining.ts';
import type { HttpSettings } from './http/http-settings.ts';
import { logProcessWarnings } from './observability/process-warnings.ts';
import { createProcessRegistry } from './observability/registry.ts';
import { checkConnections, checkKeyEncryptionKeys } from './process/check-connections.ts';
import {
  ConfigError,
  consoleOriginOf,
  keyEncryptionKeysOf,
  parseFeeCaps,
  readServerConfig,
  type ServerConfig,
  workflowsUrlOf,
} from './process/config.ts';
import { exportBucketOf } from './process/export-places.ts';
import { runProcess } from './process/run-process.ts';
import { checkSchemaFit, startCheckingSchemaFit } from './process/schema-fit.ts';
import { temporalClient, temporalSettings } from './process/temporal.ts';
import { connectTracing } from './process/tracing.ts';
import { WorkflowStarter } from './writes/start-workflow.ts';
import type { QuotaLimits } from './writes/workspace-quotas.ts';

runProcess(async () => {
  const config = readServerConfig(process.env);
  const temporal = temporalSettings(config);
  const connection = connectDatabase(config.DATABASE_URL, {
    poolSize: config.DATABASE_POOL_SIZE,
    name: 'countersign-api',
  });
  const { db } = connection;
  await checkConnections(db, temporal);
  await checkSchemaFit(db);
  await checkKeyEncryptionKeys(
    db,
    keyEncryptionKeysOf(config).map((hex) => Buffer.from(hex, 'hex')),
  );
  const client = temporalClient(temporal);
  const tracing = config.OTEL_EXPORTER_OTLP_ENDPOINT === '' ? undefined : await connectTracing('countersign-api');
  let warn: (details: object, message: string) => void = () => {};
  const starter = new WorkflowStarter({
    client,
    taskQueue: temporal.taskQueue,
    db,
    log: { warn: (details, message) => warn(details, message) },
    tracing,
    seals: new Seals(keyEncryptionKeysOf(config).map((hex) => Buffer.from(hex, 'hex'))),
  });
  const settings = {
    keyEncryptionKeys: keyEncryptionKeysOf(config),
    signRawEnabled: config.SIGN_RAW_ENABLED,
    logLevel: config.LOG_LEVEL,
    production: config.SERVICE_ENV === 'production',
    http: httpSettings(config),
    quotas: quotaLimits(config),
    exportDirectory: config.EXPORT_DIRECTORY,
    exportBucket: exportBucketOf(config),
    consoleOrigin: consoleOriginOf(config),
    workflowsUrl: workflowsUrlOf(config),
    webhooks: { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE_TARGETS },
    networkSwitches: networkSwitches(config),
    feeCaps: parseFeeCaps(config.FEE_CAPS),
    ...(config.PRICE_SOURCE_URL === '' ? {} : { priceSourceUrl: config.PRICE_SOURCE_URL }),
  };
  const observers = { registry: createProcessRegistry(), metricsToken: config.METRICS_TOKEN, tracing };
  const draining = new Draining();
  const app = await buildApp({ db, client, starter, settings, observers, draining });
  logProcessWarnings(app.log);
  warn = (details, message) => app.log.warn(details, message);
  await listen(() => app.listen({ host: config.HOST, port: config.PORT }), config);
  const [address] = app.addresses();
  app.log.info({ address, environment: config.SERVICE_ENV }, 'server listening');
  const stopChecking = startCheckingSchemaFit(db, (sentence) => app.log.error(sentence));
  const stop = async () => {
    stopChecking();
    await app.close();
    await starter.drain();
    await tracing?.close();
    await client.connection.close();
    await connection.close();
  };
  return { stop, drain: { begin: () => draining.begin(), forMs: config.SHUTDOWN_DELAY_MS } };
});

function httpSettings(config: ServerConfig): HttpSettings {
  return {
    trustedProxies: config.TRUSTED_PROXIES,
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    failedAuthenticationsPerMinute: config.FAILED_AUTHENTICATIONS_PER_MINUTE,
    connectionsMax: config.CONNECTIONS_MAX,
    unverifiedBodiesMaxBytes: config.UNVERIFIED_BODIES_MAX_MIB * 1024 * 1024,
    requestsUnderWayMax: config.REQUESTS_UNDER_WAY_MAX,
    eventLoopDelayMaxMs: config.EVENT_LOOP_DELAY_MAX_MS,
  };
}

function quotaLimits(config: ServerConfig): QuotaLimits {
  return {
    walletsUnderWayMax: config.WORKSPACE_WALLETS_UNDER_WAY_MAX,
    keyGenerationsPerDay: config.WORKSPACE_KEY_GENERATIONS_PER_DAY,
    rescansPerHour: config.WORKSPACE_RESCANS_PER_HOUR,
    openOperationsMax: config.WORKSPACE_OPEN_OPERATIONS_MAX,
    exportsUnderWayMax: config.WORKSPACE_EXPORTS_UNDER_WAY_MAX,
  };
}

/** Everybody knows the keys of the sandbox's chains, and money there is worth nothing. */
function networkSwitches(config: ServerConfig): NetworksEnabled {
  const sandbox = config.SERVICE_ENV === 'production' ? sandboxCodes : [];
  return { enabled: listOf(config.NETWORKS_ENABLED), disabled: [...listOf(config.NETWORKS_DISABLED), ...sandbox] };
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(',');
}

async function listen(open: () => Promise<unknown>, { HOST, PORT }: { HOST: string; PORT: number }): Promise<void> {
  try {
    await open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new ConfigError(`Port ${PORT} on ${HOST} is taken: set PORT to a free one.`);
    throw error;
  }
}
