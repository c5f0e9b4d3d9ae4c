// Every route of the service by its path, typed by the generated interface; lists that can be walked. Holds the secret
// and shows it to nobody; knows nothing of what the routes are for.
import type { Data, Input, Item, ListPath, Method, PathWith } from './api-types.ts';
import { eachRow } from './pages.ts';
import { type Answer, type Request, Transport, type TransportOptions } from './transport.ts';
import { HELD_MAX_SECONDS, readHeld, untilFinal, type WaitOptions } from './until-final.ts';

export interface CallOptions {
  signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /**
   * A random one when absent. With the same key and the same body the service does the work once, whoever asks again.
   */
  idempotencyKey?: string;
}

/** Optional when nothing in it is required. */
export type Given<Value> = object extends Value ? [input?: Value] : [input: Value];

type FileInput = Pick<AnyInput, 'path' | 'query'> & { signal: AbortSignal | undefined };

export class ServiceClient {
  readonly #transport: Transport;
  #workspaceId: Promise<string> | undefined;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
  }

  /**
   * Resolves with the `data` of the answer; throws CountersignError for any answer but success. The workspace's id is
   * filled in.
   */
  async get<Path extends PathWith<'get'>>(path: Path, ...[input]: Given<Input<'get', Path> & CallOptions>) {
    return this.#call('get', path, input);
  }

  async post<Path extends PathWith<'post'>>(path: Path, ...[input]: Given<Input<'post', Path> & WriteOptions>) {
    return this.#call('post', path, input);
  }

  async put<Path extends PathWith<'put'>>(path: Path, ...[input]: Given<Input<'put', Path> & WriteOptions>) {
    return this.#call('put', path, input);
  }

  async patch<Path extends PathWith<'patch'>>(path: Path, ...[input]: Given<Input<'patch', Path> & WriteOptions>) {
    return this.#call('patch', path, input);
  }

  async delete<Path extends PathWith<'delete'>>(path: Path, ...[input]: Given<Input<'delete', Path> & WriteOptions>) {
    return this.#call('delete', path, input);
  }

  /** Every row of a list, page after page, as long as rows are taken. */
  list<Path extends ListPath>(path: Path, ...[input]: Given<Input<'get', Path> & CallOptions>) {
    const { query, ...rest } = (input ?? {}) as AnyInput;
    return eachRow<Item<Path>>((cursor) =>
      this.send('get', path, { ...rest, query: cursor === undefined ? (query ?? {}) : { ...query, cursor } }),
    );
  }

  /** The bytes of a file, piece by piece as they come: as much of it is in memory as is read at a time. */
  protected async *file(
    template: PathWith<'get'>,
    { path: named = {}, query = {}, signal }: FileInput,
  ): AsyncGenerator<Uint8Array, void> {
    const path = fillIn(template, { workspace_id: await this.workspaceId(), ...named }) + searchOf(query);
    yield* await this.#transport.stream({ path, signal });
  }

  /** The same of a file that is text. */
  protected async *textFile(template: PathWith<'get'>, input: FileInput): AsyncGenerator<string, void> {
    const decoder = new TextDecoder();
    for await (const piece of this.file(template, input)) yield decoder.decode(piece, { stream: true });
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  }

  /** Reads `path` until `isFinal` says so of what it shows. Throws OperationOpenError when the time is up. */
  protected until<State>(
    operation: { id: string; path: string; isFinal: (state: State) => boolean },
    options: WaitOptions | undefined,
  ): Promise<State> {
    return untilFinal<State>(this.#transport, operation, options);
  }

  /** Reads what the service holds back until there is something. Undefined when it cannot answer now. */
  protected async held(
    template: PathWith<'get'>,
    { query = {}, signal }: Pick<AnyInput, 'query'> & { signal: AbortSignal | undefined },
  ): Promise<Answer | undefined> {
    const path = fillIn(template, { workspace_id: await this.workspaceId() }) + searchOf(query);
    return readHeld(this.#transport, path, HELD_MAX_SECONDS * 1000, signal);
  }

  async #call<Verb extends Method, Path extends PathWith<Verb>>(verb: Verb, path: Path, input: unknown) {
    const answer = await this.send(verb, path, input ?? {});
    return answer.data as Data<Verb, Path>;
  }

  protected async send(
    verb: Method,
    template: string,
    { path = {}, query = {}, body, ...options }: AnyInput,
  ): Promise<Answer> {
    const method = verb.toUpperCase() as Request['method'];
    const known = template.includes('{workspace_id}') ? { workspace_id: await this.workspaceId(), ...path } : path;
    return this.#transport.send({ method, path: fillIn(template, known) + searchOf(query), body, ...options });
  }

  /** Of the key's workspace. Asked for once. */
  workspaceId(): Promise<string> {
    this.#workspaceId ??= this.get('/api/v1/api-keys/self').then(
      ({ workspace_id }) => workspace_id,
      (error: unknown) => {
        this.#workspaceId = undefined;
        throw error;
      },
    );
    return this.#workspaceId;
  }
}

type Scalar = string | number | boolean;

export type AnyInput = WriteOptions &
  Pick<Request, 'headers' | 'answerWithinMs'> & {
    path?: Record<string, Scalar>;
    query?: Record<string, Scalar | readonly Scalar[] | undefined>;
    body?: unknown;
  };

function fillIn(template: string, values: Record<string, Scalar>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${template} needs ${name}.`);
    return encodeURIComponent(value);
  });
}

/** A list is its values with commas between them. */
function searchOf(query: NonNullable<AnyInput['query']>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.append(name, [value].flat().join(','));
  return search.size === 0 ? '' : `?${search.toString()}`;
}
