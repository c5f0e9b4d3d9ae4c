// The service as the console asks it: every route by its path, with the types of the interface. Knows nobody's secret:
// who asks is proven by what the session hands in.
import type { Data, Item, ListPath, Method, PathWith } from '../../src/client/api-types.ts';
import { type AnyInput, ServiceClient } from '../../src/client/service-client.ts';
import type { Authorize } from '../../src/client/transport.ts';
import { watchedFetch } from './connection.ts';

/** One more attempt after a failure: what a person waits for says soon that something is wrong. */
const RETRIES = 1;
const HELD_SECONDS = 25;
const ANSWER_MARGIN_MS = 10_000;

export interface Page<Row> {
  rows: readonly Row[];
  nextCursor: string | undefined;
}

export class ConsoleClient extends ServiceClient {
  constructor(authorize: Authorize, fetch: typeof globalThis.fetch = watchedFetch) {
    super({ baseUrl: location.origin, authorize, retries: RETRIES, fetch });
  }

  async read<Path extends PathWith<'get'>>(path: Path, input: AnyInput): Promise<Data<'get', Path>> {
    return (await this.send('get', path, input)).data as Data<'get', Path>;
  }

  async page<Path extends ListPath>(path: Path, input: AnyInput): Promise<Page<Item<Path>>> {
    const { data, headers } = await this.send('get', path, input);
    return { rows: data as Item<Path>[], nextCursor: headers.get('x-next-cursor') ?? undefined };
  }

  async write<Verb extends Exclude<Method, 'get'>, Path extends PathWith<Verb>>(
    verb: Verb,
    path: Path,
    input: AnyInput,
  ): Promise<Data<Verb, Path>> {
    return (await this.send(verb, path, input)).data as Data<Verb, Path>;
  }

  /** The events after a place, held back until there is one. */
  async eventsAfter(place: number, signal: AbortSignal): Promise<readonly WorkspaceEvent[]> {
    const answer = await this.send('get', EVENTS, {
      query: { after_seq: place, limit: 200 },
      headers: { Prefer: `wait=${HELD_SECONDS}` },
      answerWithinMs: HELD_SECONDS * 1000 + ANSWER_MARGIN_MS,
      signal,
    });
    return answer.data as WorkspaceEvent[];
  }

  /** The text of a file of the service, piece by piece. */
  fileOf(template: PathWith<'get'>, { path = {}, query = {}, signal }: AnyInput): AsyncGenerator<Uint8Array, void> {
    return this.file(template, { path, query, signal });
  }
}

const EVENTS = '/api/v1/workspaces/{workspace_id}/events';
export type WorkspaceEvent = Data<'get', typeof EVENTS>[number];
