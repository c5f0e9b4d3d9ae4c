// Whether the service answers, as every request of the console sees it. While it does not, it is asked every two
// seconds, by a question that needs no key.
import { useSyncExternalStore } from 'react';

const ASKED_EVERY_MS = 2_000;
const QUESTION = '/health';

export interface Connection {
  isLost: boolean;
  /** When the last answer came. */
  lastAnswerAt: Date | undefined;
}

let connection: Connection = { isLost: false, lastAnswerAt: undefined };
const listeners = new Set<() => void>();

function set(next: Connection): void {
  const changed = next.isLost !== connection.isLost;
  connection = changed ? next : Object.assign(connection, { lastAnswerAt: next.lastAnswerAt });
  if (changed) for (const listener of listeners) listener();
}

export const watchedFetch: typeof fetch = async (...request) => {
  try {
    const response = await fetch(...request);
    set({ isLost: false, lastAnswerAt: new Date() });
    return response;
  } catch (error) {
    const isOurs = request[1]?.signal?.aborted === true && (error as Error).name === 'AbortError';
    if (!isOurs && !connection.isLost) {
      set({ ...connection, isLost: true });
      setTimeout(ask, ASKED_EVERY_MS);
    }
    throw error;
  }
};

async function ask(): Promise<void> {
  try {
    await fetch(QUESTION, { signal: AbortSignal.timeout(ASKED_EVERY_MS * 2) });
    set({ isLost: false, lastAnswerAt: new Date() });
  } catch {
    setTimeout(ask, ASKED_EVERY_MS);
  }
}

/** Called whenever the service is lost or answers again. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentConnection = (): Connection => connection;

export const useConnection = (): Connection => useSyncExternalStore(onConnectionChange, currentConnection);
