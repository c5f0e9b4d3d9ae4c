// Connects to Temporal and makes sure that the namespace knows our search attributes, and remembers for long enough.
import {
  Client,
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';
import type { Logger } from '../../domain/logger.ts';
import { SECOND_RUN_REFUSED_FOR_MS } from '../../domain/time-limits.ts';
import { isRetentionEnough } from '../../domain/workflow-runs.ts';
import { searchAttributeKeys } from '../../workflows/search-attributes.ts';
import { ConfigError } from './config.ts';
import { readTemporalAccess, type TemporalAccess, type TemporalTlsConfig, TemporalTlsError } from './temporal-tls.ts';

/** temporal.api.enums.v1.IndexedValueType, of the types that our attributes have. */
const INDEXED_TYPES = { KEYWORD: 2, KEYWORD_LIST: 7 } as const;

export interface TemporalSettings extends TemporalAccess {
  address: string;
  namespace: string;
  taskQueue: string;
}

/** Reads the files of certificates and keys that the variables name. */
export const temporalSettings = (
  config: { TEMPORAL_ADDRESS: string; TEMPORAL_NAMESPACE: string; TEMPORAL_TASK_QUEUE: string } & TemporalTlsConfig,
): TemporalSettings => ({
  address: config.TEMPORAL_ADDRESS,
  namespace: config.TEMPORAL_NAMESPACE,
  taskQueue: config.TEMPORAL_TASK_QUEUE,
  ...accessOf(config),
});

function accessOf(config: TemporalTlsConfig): TemporalAccess {
  try {
    return readTemporalAccess(config);
  } catch (error) {
    if (error instanceof TemporalTlsError) throw new ConfigError(error.message);
    throw error;
  }
}

/** Codes of gRPC: https://grpc.io/docs/guides/status-codes/ */
const CANCELLED = 1;
const ALREADY_EXISTS = 6;
const WITHHELD = [7 /* PERMISSION_DENIED */, 12 /* UNIMPLEMENTED */];

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

const START_WITHIN_MS = 3_000;

/**
 * A start that is not confirmed in time is given up, retries included: the reconciler tries again.
 * (`client.withDeadline` would do the same through an AsyncLocalStorage, which makes every promise of a Node 20 process
 * dearer.) So is a look at the task queue.
 */
const startDeadline: Interceptor = (options, nextCall) => {
  const isHurried = /\/((StartWorkflow|SignalWithStartWorkflow)Execution|DescribeTaskQueue)$/.test(
    options.method_definition.path,
  );
  return nextCall(
    isHurried ? { ...options, deadline: Date.now() + START_WITHIN_MS } : options,
  ) as ReturnType<Interceptor>;
};

/**
 * A call that waits to be tried again when the connection is closed fails as cancelled. The library would start it on a
 * closed channel, whose exception nobody could catch: it would end the process, in the midst of its stop.
 */
const endWithConnection: Interceptor = (options, nextCall) => {
  try {
    return nextCall(options) as ReturnType<Interceptor>;
  } catch (error) {
    const details = error instanceof Error ? error.message : String(error);
    const ended: Pick<ReturnType<Interceptor>, 'start' | 'sendMessage' | 'halfClose'> = {
      start(metadata, listener) {
        listener?.onReceiveMessage?.(null);
        listener?.onReceiveStatus?.({ code: CANCELLED, details, metadata });
      },
      sendMessage() {},
      halfClose() {},
    };
    return ended as ReturnType<Interceptor>;
  }
};

/** Connects on first use, so that the API serves reads and accepts requests while Temporal is away. */
export function temporalClient({ address, namespace, tls, apiKey }: TemporalSettings): Client {
  const interceptors = [startDeadline, makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), endWithConnection];
  const access = { ...(tls === undefined ? {} : { tls }), ...(apiKey === undefined ? {} : { apiKey }) };
  return new Client({ connection: Connection.lazy({ address, interceptors, ...access }), namespace });
}

/**
 * Safe to repeat, also by several workers at once. A namespace may withhold the operator service: then an operator adds
 * the attributes (docs/production.md).
 */
export async function ensureSearchAttributes(client: Client, log: Pick<Logger, 'warn'>): Promise<void> {
  try {
    await addMissingSearchAttributes(client);
  } catch (error) {
    const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
    if (code === ALREADY_EXISTS) return;
    if (code === undefined || !WITHHELD.includes(code)) throw error;
    const names = searchAttributeKeys.map(({ name }) => name);
    log.warn(
      { err: error, names },
      'cannot look after search attributes: no workflow starts unless the namespace has them',
    );
  }
}

async function addMissingSearchAttributes(client: Client): Promise<void> {
  const { namespace } = client.options;
  const operator = client.connection.operatorService;
  const { customAttributes } = await operator.listSearchAttributes({ namespace });
  const missing = searchAttributeKeys.filter(({ name }) => !(name in customAttributes));
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map(({ name, type }) => [name, INDEXED_TYPES[type]]));
  await operator.addSearchAttributes({ namespace, searchAttributes });
}

const HOUR_MS = 3_600_000;

/**
 * A closed workflow is what keeps its operation from being run a second time, also when somebody sets the operation
 * back in the database: Temporal has to remember it until a second run would begin too late. Safe to repeat.
 */
export async function checkRetention(
  client: Client,
  { isProduction, log }: { isProduction: boolean; log: Pick<Logger, 'warn'> },
): Promise<void> {
  const { namespace } = client.options;
  const retentionMs = await retentionOf(client).catch((error: unknown) => {
    const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
    if (code === undefined || !WITHHELD.includes(code)) throw error;
    log.warn({ err: error, namespace }, 'cannot read for how long the namespace keeps closed workflows');
    return undefined;
  });
  if (retentionMs === undefined || isRetentionEnough(retentionMs)) return;
  const fault =
    `The namespace ${namespace} of Temporal keeps closed workflows for ${Math.floor(retentionMs / HOUR_MS)} hours: ` +
    `set its retention to at least ${SECOND_RUN_REFUSED_FOR_MS / HOUR_MS} hours.`;
  if (isProduction) throw new ConfigError(fault);
  log.warn({ namespace }, fault);
}

/** Undefined of a server that does not say. */
async function retentionOf(client: Client): Promise<number | undefined> {
  const { config } = await client.connection.workflowService.describeNamespace({ namespace: client.options.namespace });
  const seconds = config?.workflowExecutionRetentionTtl?.seconds;
  return seconds == null ? undefined : Number(seconds) * 1_000;
}
