// The worker's own connection to Temporal, which its SDK makes natively. Takes a new API key while it runs; a new
// certificate counts from the next start on.
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../../domain/logger.ts';
import type { TemporalSettings } from './temporal.ts';

const API_KEY_LOOKED_AT_EVERY_MS = 10_000;

export interface WorkerConnection {
  native: NativeConnection;
  close(): Promise<void>;
}

export async function connectWorker(
  { address, tls, apiKey }: TemporalSettings,
  log: Pick<Logger, 'warn'>,
): Promise<WorkerConnection> {
  let key = apiKey?.();
  const native = await NativeConnection.connect({
    address,
    ...(tls === undefined ? {} : { tls }),
    ...(key === undefined ? {} : { apiKey: key }),
  });
  const renewKey = async () => {
    const current = apiKey?.();
    if (current === undefined || current === key) return;
    await native.setApiKey(current);
    key = current;
  };
  const timer = setInterval(() => {
    renewKey().catch((error: unknown) => log.warn({ err: error }, 'the new API key of Temporal was not taken'));
  }, API_KEY_LOOKED_AT_EVERY_MS).unref();
  return {
    native,
    close: async () => {
      clearInterval(timer);
      await native.close();
    },
  };
}
