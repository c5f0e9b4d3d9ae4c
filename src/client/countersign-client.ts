// The service as an object: wallets and signatures that can be waited for, lists that can be walked, and every other route by its path. Holds the
// secret and shows it to nobody; knows nothing of how the service works inside.
import { ItemRefusedError, OperationFailedError } from './errors.ts';
import type { Body, Data, Input, Item, ListPath, Method, PathWith, Query } from './operations.ts';
import { eachRow } from './pages.ts';
import { type Answer, type Request, Transport, type TransportOptions } from './transport.ts';
import { type Pending, pending, untilFinal, type WaitOptions } from './until-final.ts';

const SIGN = '/api/v1/web3/transaction/{wallet_id}';

export interface CallOptions {
  signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /** A random one when absent. With the same key and the same body the service does the work once, whoever asks again. */
  idempotencyKey?: string;
}

export type CreateWallet = Omit<Body<'post', '/api/v1/wallets'>, 'wallet_type'> &
  Partial<Pick<Body<'post', '/api/v1/wallets'>, 'wallet_type'>>;
export type WalletAccepted = Data<'post', '/api/v1/wallets'>;
export type CreationStatus = Data<'get', '/api/v1/wallets/creation-status/{wallet_id}'>;
export type SignDigest = Body<'post', `${typeof SIGN}/signRaw`>;
export type SignMessage = Body<'post', `${typeof SIGN}/signMessage`>;
export type SignTyped = Body<'post', `${typeof SIGN}/signTyped`>;
export type SignTransaction = Body<'post', `${typeof SIGN}/signTransaction`>;
export type BatchItem = Body<'post', `${typeof SIGN}/signBatch`>['items'][number];
export type BatchAccepted = Data<'post', `${typeof SIGN}/signBatch`>;
export type SignAccepted = Data<'post', `${typeof SIGN}/signRaw`>;
export type SigningRequest = Data<'get', '/api/v1/signing-requests/{signing_id}'>;
/** A signing operation that has succeeded, with what it then always shows. */
export type SignedRequest = SigningRequest & {
  status: 'success';
  signing_hash: `0x${string}`;
  signature: `0x${string}`;
  public_key: `0x${string}`;
  address: string;
};

/** Optional when nothing in it is required. */
type Given<Value> = object extends Value ? [input?: Value] : [input: Value];

export class CountersignClient {
  readonly #transport: Transport;
  #workspaceId: Promise<string> | undefined;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
  }

  /** Resolves with the `data` of the answer; throws CountersignError for any answer but success. The workspace's id is filled in. */
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
      this.#send('get', path, { ...rest, query: cursor === undefined ? (query ?? {}) : { ...query, cursor } }),
    );
  }

  wallets(query: Query<'/api/v1/workspaces/{workspace_id}/wallets'> = {}) {
    return this.list('/api/v1/workspaces/{workspace_id}/wallets', { query });
  }

  signingRequests(query: Query<'/api/v1/workspaces/{workspace_id}/signing-requests'> = {}) {
    return this.list('/api/v1/workspaces/{workspace_id}/signing-requests', { query });
  }

  transactions(query: Query<'/api/v1/workspaces/{workspace_id}/transactions'> = {}) {
    return this.list('/api/v1/workspaces/{workspace_id}/transactions', { query });
  }

  createWallet(wallet: CreateWallet, options: WriteOptions = {}): Pending<WalletAccepted, CreationStatus> {
    const body = { wallet_type: 'mpc' as const, ...wallet };
    return pending(this.post('/api/v1/wallets', { body, ...options }), ({ wallet_id }, waiting) =>
      this.waitForWallet(wallet_id, waiting),
    );
  }

  /** Signs a digest that says nothing of what it is of. Where the content is known, the other ways to sign are safer. */
  sign(walletId: string, body: SignDigest, options?: WriteOptions) {
    return this.#sign(`${SIGN}/signRaw`, walletId, body, options);
  }

  signMessage(walletId: string, body: SignMessage, options?: WriteOptions) {
    return this.#sign(`${SIGN}/signMessage`, walletId, body, options);
  }

  signTyped(walletId: string, body: SignTyped, options?: WriteOptions) {
    return this.#sign(`${SIGN}/signTyped`, walletId, body, options);
  }

  signTransaction(walletId: string, body: SignTransaction, options?: WriteOptions) {
    return this.#sign(`${SIGN}/signTransaction`, walletId, body, options);
  }

  /** Accepted together, signed each for itself: an item that is refused, or whose signing fails, leaves the others alone. */
  signBatch(
    walletId: string,
    items: readonly BatchItem[],
    options: WriteOptions = {},
  ): Pending<BatchAccepted, PromiseSettledResult<SignedRequest>[]> {
    const body = { items: [...items] };
    const path = { wallet_id: walletId };
    return pending(this.post(`${SIGN}/signBatch`, { path, body, ...options }), ({ results }, waiting) =>
      Promise.allSettled(
        results.map(async (result) => {
          if ('error' in result) throw new ItemRefusedError(result.error);
          return this.waitForSignature(result.signing_request.id, waiting);
        }),
      ),
    );
  }

  /** Resolves once the wallet has its keys and addresses; throws OperationFailedError when it has got none. */
  async waitForWallet(walletId: string, options?: WaitOptions): Promise<CreationStatus> {
    const creation = await untilFinal<CreationStatus>(
      this.#transport,
      {
        id: walletId,
        path: `/api/v1/wallets/creation-status/${encodeURIComponent(walletId)}`,
        isFinal: ({ status }) => status !== 'pending',
      },
      options,
    );
    if (creation.status !== 'success') throw new OperationFailedError(walletId, creation);
    return creation;
  }

  /** Resolves once there is a signature; throws OperationFailedError when there will be none. */
  async waitForSignature(signingId: string, options?: WaitOptions): Promise<SignedRequest> {
    const request = await untilFinal<SigningRequest>(
      this.#transport,
      {
        id: signingId,
        path: `/api/v1/signing-requests/${encodeURIComponent(signingId)}`,
        isFinal: ({ status }) => status === 'success' || status === 'failed',
      },
      options,
    );
    if (request.status !== 'success') throw new OperationFailedError(signingId, request);
    return request as SignedRequest;
  }

  #sign(
    path: `${typeof SIGN}/${'signRaw' | 'signMessage' | 'signTyped' | 'signTransaction'}`,
    walletId: string,
    body: object,
    options: WriteOptions = {},
  ): Pending<SignAccepted, SignedRequest> {
    const answer = this.#send('post', path, { path: { wallet_id: walletId }, body, ...options });
    return pending(
      answer.then(({ data }) => data as SignAccepted),
      ({ signing_request }, waiting) => this.waitForSignature(signing_request.id, waiting),
    );
  }

  async #call<Verb extends Method, Path extends PathWith<Verb>>(verb: Verb, path: Path, input: unknown) {
    const answer = await this.#send(verb, path, input ?? {});
    return answer.data as Data<Verb, Path>;
  }

  async #send(verb: Method, template: string, { path = {}, query = {}, body, ...options }: AnyInput): Promise<Answer> {
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

type AnyInput = WriteOptions & {
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
