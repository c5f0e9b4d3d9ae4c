// Follows the workspace's events for as long as somebody is signed in, and says which reads they make stale. The feed
// begins with the oldest event that is kept and names no end, so the end is searched for first.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { CountersignError } from '../../src/client/errors.ts';
import type { ConsoleClient, WorkspaceEvent } from '../client/console-client.ts';
import { useMissingScope, useSession } from '../session/session.ts';

const EVENTS = '/api/v1/workspaces/{workspace_id}/events';
/** As many are shown. */
const KEPT = 200;
const PAUSE_MS = 2_000;
/** Reads that many events in a second make stale are repeated once. */
const GATHERED_MS = 400;

/** By what an event's type begins with: words of the paths of what may have changed. */
const madeStale: Readonly<Record<string, readonly string[]>> = {
  wallet: ['wallet'],
  deposit: ['transaction', 'balance'],
  withdrawal: ['withdrawal', 'transaction', 'balance', 'signing-request'],
  signing: ['signing-request'],
  workspace: ['events', 'withdrawal', 'changes'],
  api_key: ['api-key', 'users', 'changes'],
  webhook: ['webhook'],
  export: ['export'],
  // What is still open counts the votes of a passkey that is removed no more.
  passkey: ['passkeys', 'users', 'withdrawal', 'signing-request', 'policy', 'address-book', 'changes'],
};

let events: readonly WorkspaceEvent[] = [];
const listeners = new Set<() => void>();
const publish = (next: readonly WorkspaceEvent[]) => {
  events = next;
  for (const listener of listeners) listener();
};

/** The latest events of the workspace, newest first. */
export function useLatestEvents(): readonly WorkspaceEvent[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => events,
  );
}

export function useLiveEvents(): void {
  const { client } = useSession();
  const queries = useQueryClient();
  const missing = useMissingScope('get', EVENTS);
  useEffect(() => {
    if (missing !== undefined) return;
    const ending = new AbortController();
    void follow(client, queries, ending.signal);
    return () => {
      ending.abort();
      publish([]);
    };
  }, [client, queries, missing]);
}

async function follow(client: ConsoleClient, queries: QueryClient, signal: AbortSignal): Promise<void> {
  let place: number | undefined;
  let shownBefore = KEPT;
  const gathered = new Set<string>();
  const refresh = () => {
    const words = [...gathered].flatMap((kind) => madeStale[kind] ?? []);
    gathered.clear();
    void queries.invalidateQueries({
      predicate: ({ queryKey: [path] }) => words.some((word) => String(path).includes(word)),
    });
  };
  while (!signal.aborted) {
    try {
      place ??= Math.max(0, (await findEnd(client)) - shownBefore);
      const news = await client.eventsAfter(place, signal);
      const last = news.at(-1);
      if (last === undefined) continue;
      place = last.seq;
      publish([...news.toReversed(), ...events].slice(0, KEPT));
      if (gathered.size === 0) setTimeout(refresh, GATHERED_MS);
      for (const { type } of news) gathered.add(type.split('.')[0] ?? '');
    } catch (error) {
      // What is no longer kept is gone: go on from the end.
      if (error instanceof CountersignError && error.code === 'invalid_cursor') {
        place = undefined;
        shownBefore = 0;
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** The place of the last event, by halving: a few dozen short questions however long the feed is. */
async function findEnd(client: ConsoleClient): Promise<number> {
  const hasAfter = async (place: number) => {
    try {
      return (await client.read(EVENTS, { query: { after_seq: place, limit: 1 } })).length > 0;
    } catch (error) {
      if (error instanceof CountersignError && error.code === 'invalid_cursor') return true;
      throw error;
    }
  };
  let high = KEPT;
  while (await hasAfter(high)) high *= 4;
  let low = high === KEPT ? 0 : high / 4;
  if (low === 0) return KEPT; // All of them are shown.
  while (high - low > KEPT / 4) {
    const middle = Math.floor((low + high) / 2);
    if (await hasAfter(middle)) low = middle;
    else high = middle;
  }
  return high;
}
