// Waits for the end of an operation and says meanwhile how it stands. The service holds the reads of the client, so a
// wait is a few requests; how it stands is read beside them.
import { OperationFailedError } from '../client/client.ts';
import type { Session } from './session.ts';

const POLL_EVERY_MS = 2_000;

interface State {
  status: string;
  sub_status?: string;
  status_reason?: string;
}

interface Waiting<Final> {
  id: string;
  read: (signal: AbortSignal) => Promise<State>;
  wait: (signal: AbortSignal) => Promise<Final>;
}

/** Prints the end, also when it is no success: that is thrown after it. */
export async function waitFor<Final extends object>(session: Session, waiting: Waiting<Final>): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, session.terminal.signal]);
  const progress = showProgress(session, waiting, signal);
  try {
    await session.record(await waiting.wait(session.terminal.signal));
  } catch (error) {
    if (error instanceof OperationFailedError) await session.record(error.operation);
    throw error;
  } finally {
    ended.abort();
    await progress;
  }
}

/** Says each state once. That it cannot be read now is no matter: the wait itself goes on. */
async function showProgress<Final>(session: Session, { id, read }: Waiting<Final>, signal: AbortSignal): Promise<void> {
  const startedMs = Date.now();
  let told = '';
  while (!signal.aborted) {
    const state = await read(signal).catch(() => undefined);
    const text =
      state === undefined ? told : [state.status, state.sub_status ?? state.status_reason].filter(Boolean).join(', ');
    if (text !== told && !signal.aborted)
      session.note(`${id}: ${text} (${Math.round((Date.now() - startedMs) / 1000)} s)`);
    told = text;
    await pause(signal);
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await new Promise<void>((done) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, POLL_EVERY_MS);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
