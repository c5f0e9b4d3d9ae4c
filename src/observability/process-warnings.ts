// Brings Node's own warnings (a deprecation, a listener too many) into the process's log, as lines like all others, in the place of the text that Node prints.

interface Logger {
  warn(details: object, message: string): void;
}

/** Once in a process. */
export function logProcessWarnings(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'));
}
