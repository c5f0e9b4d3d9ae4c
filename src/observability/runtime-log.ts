// Brings what the SDK and our activities log into the same log as ours. Of the SDK itself only what is wrong; of our
// activities all.
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

type Details = Record<string, unknown> & { error?: unknown; sdkComponent?: unknown };
type Level = 'debug' | 'info' | 'warn' | 'error';

/** Once in a process. Signals are ours to handle. */
export function installRuntime(log: Logger): void {
  const write =
    (level: Level) =>
    (message: string, details: Details = {}): void => {
      const { error, sdkComponent, ...names } = details;
      if ((level === 'debug' || level === 'info') && sdkComponent !== 'activity') return;
      log[level]({ ...names, ...(error === undefined ? {} : { err: error }) }, message);
    };
  const [debug, info, warn, error] = [write('debug'), write('info'), write('warn'), write('error')];
  const byLevel = new Map([
    ['DEBUG', debug],
    ['INFO', info],
    ['WARN', warn],
    ['ERROR', error],
  ]);
  Runtime.install({
    logger: {
      log: (level, message, details) => byLevel.get(level)?.(message, details),
      trace: () => {},
      debug,
      info,
      warn,
      error,
    },
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'WARN' }), forward: {} } },
  });
}
