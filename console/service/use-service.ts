// Reads and writes of a page. What the signed-in key may not read is never asked for: the page says which scope it
// takes.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Scope } from '../../domain/scopes.ts';
import type { Data, Input, Item, ListPath, Method, PathWith } from '../../src/client/api-types.ts';
import type { AnyInput, Given } from '../../src/client/service-client.ts';
import type { ConsoleClient, Page } from '../client/console-client.ts';
import { useMissingScope, useNeedsSignature, useSession } from '../session/session.ts';

/** What no event tells of is read again this often. */
const READ_AGAIN_MS = 15_000;
/** What is under way. */
const READ_SOON_MS = 2_000;

export interface Read<Value> {
  missingScope: Scope | undefined;
  data: Value | undefined;
  error: Error | null;
  readAgain: () => void;
}

interface Asked<Value> {
  path: string;
  input: unknown;
  ask: (client: ConsoleClient) => Promise<Value>;
  /** Another pause than usual between two readings; never when false. */
  againMs?: number | false | ((value: Value | undefined) => number);
  enabled?: boolean;
}

/** What another part keeps for itself under a name of its own. */
export function useAsked<Value>({
  path,
  input,
  ask,
  againMs = READ_AGAIN_MS,
  enabled = true,
}: Asked<Value>): Read<Value> {
  const { client } = useSession();
  const missingScope = useMissingScope('get', path);
  const { data, error, refetch } = useQuery({
    queryKey: [path, input],
    queryFn: () => ask(client),
    enabled: enabled && missingScope === undefined,
    refetchInterval: typeof againMs === 'function' ? ({ state }) => againMs(state.data) : againMs,
    staleTime: againMs === false ? Number.POSITIVE_INFINITY : 0,
    retry: false,
  });
  return { missingScope, data, error, readAgain: () => void refetch() };
}

export function useRead<Path extends PathWith<'get'>>(path: Path, ...[input]: Given<Input<'get', Path>>) {
  const given = (input ?? {}) as AnyInput;
  return useAsked<Data<'get', Path>>({ path, input: given, ask: (client) => client.read(path, given) });
}

export function usePage<Path extends ListPath>(path: Path, ...[input]: Given<Input<'get', Path>>) {
  return useAsked(pageOf(path, (input ?? {}) as AnyInput));
}

/** A page whose rows change without an event: it is read again sooner while one of them is under way. */
export function useChangingPage<Path extends ListPath>(
  path: Path,
  input: Input<'get', Path>,
  isUnderWay: (row: Item<Path>) => boolean,
) {
  const againMs = (page?: Page<Item<Path>>) => (page?.rows.some(isUnderWay) ? READ_SOON_MS : READ_AGAIN_MS);
  return useAsked({ ...pageOf(path, input as AnyInput), againMs });
}

const pageOf = <Path extends ListPath>(path: Path, input: AnyInput): Asked<Page<Item<Path>>> => ({
  path,
  input: ['page', input],
  ask: (client) => client.page(path, input),
});

/**
 * Sends one write; everything shown is read again after it. What it answers is kept nowhere, since a secret may be in
 * it.
 */
export function useWrite<Verb extends Exclude<Method, 'get'>, Path extends PathWith<Verb>>(verb: Verb, path: Path) {
  const { client } = useSession();
  const missingScope = useMissingScope(verb, path);
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: (input: AnyInput) => client.write(verb, path, input),
    onSettled: () => queries.invalidateQueries(),
    gcTime: 0,
  });
  return {
    missingScope,
    needsSignature: useNeedsSignature(verb, path),
    send: (input: AnyInput) => mutation.mutateAsync(input),
    isSending: mutation.isPending,
  };
}
