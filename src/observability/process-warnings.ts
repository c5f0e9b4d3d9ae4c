// Brings Node's own warnings (a deprecation, a listener too many) into the process's log, as lines like all others, in
// the place of the text that Node prints.
import type { Logger } from '../../domain/logger.ts';

/** Once in a process. */
export function logProcessWarnings(log: Pick<Logger, 'warn'>): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'));
}
