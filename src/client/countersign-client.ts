// The service as an object: wallets and signatures that can be waited for here, users and their keys in
// users-client.ts, money in money-client.ts, files in exports-client.ts, and every other route by its path. Knows
// nothing of how the service works inside.

import type { Body, Data, Query, ShapeWith } from './api-types.ts';
import { ItemRefusedError, OperationFailedError } from './errors.ts';
import { ExportsClient } from './exports-client.ts';
import { eachEvent, followEvents } from './follow-events.ts';
import type { CallOptions, WriteOptions } from './service-client.ts';
import { type Pending, pending, type WaitOptions } from './until-final.ts';

const SIGN = '/api/v1/web3/transaction/{wallet_id}';
const EVENTS = '/api/v1/workspaces/{workspace_id}/events';

export type CreateWallet = Omit<Body<'post', '/api/v1/wallets'>, 'wallet_type'> &
  Partial<Pick<Body<'post', '/api/v1/wallets'>, 'wallet_type'>>;
export type WalletAccepted = Data<'post', '/api/v1/wallets'>;
export type CreationStatus = Data<'get', '/api/v1/wallets/creation-status/{wallet_id}'>;
export type SignDigest = ShapeWith<Body<'post', `${typeof SIGN}/signRaw`>, 'signing_hash'>;
export type SignMessage = Body<'post', `${typeof SIGN}/signMessage`>;
export type SignTyped = Body<'post', `${typeof SIGN}/signTyped`>;
export type SignTransaction = Body<'post', `${typeof SIGN}/signTransaction`>;
export type BatchItem = Body<'post', `${typeof SIGN}/signBatch`>['items'][number];
export type BatchAccepted = Data<'post', `${typeof SIGN}/signBatch`>;
export type SignAccepted = Data<'post', `${typeof SIGN}/signMessage`>;
export type SigningRequest = Data<'get', '/api/v1/signing-requests/{signing_id}'>;
/** Its `type` says what its `data` is. */
export type WorkspaceEvent = Data<'get', typeof EVENTS>[number];
export type EventsQuery = Query<typeof EVENTS>;
/** The place of the last event that was dealt with is not there before the first. */
type EventsAsked = Omit<EventsQuery, 'after_seq'> & { after_seq?: number | undefined } & CallOptions;
/** A signing operation that has succeeded, with what it then always shows. */
export type SignedRequest = SigningRequest & {
  status: 'success';
  signing_hash: `0x${string}`;
  signature: `0x${string}`;
  public_key: `0x${string}`;
  address: string;
};

const placeOf = (afterSeq: number | undefined) => (afterSeq === undefined ? {} : { after_seq: afterSeq });

export class CountersignClient extends ExportsClient {
  wallets(query: Query<'/api/v1/workspaces/{workspace_id}/wallets'> = {}) {
    return this.list('/api/v1/workspaces/{workspace_id}/wallets', { query });
  }

  signingRequests(query: Query<'/api/v1/workspaces/{workspace_id}/signing-requests'> = {}) {
    return this.list('/api/v1/workspaces/{workspace_id}/signing-requests', { query });
  }

  transactions(query: Query<'/api/v1/workspaces/{workspace_id}/transactions'> = {}) {
    return this.list('/api/v1/workspaces/{workspace_id}/transactions', { query });
  }

  /**
   * Every event after `after_seq` that there is now, in order; without it from the oldest that is kept. Throws an
   * CountersignError `invalid_cursor` when some of those after it are no longer kept.
   */
  events({ signal, after_seq: afterSeq, ...query }: EventsAsked = {}): AsyncGenerator<WorkspaceEvent, void> {
    return eachEvent(afterSeq, (after) =>
      this.get(EVENTS, { query: { ...query, ...placeOf(after) }, ...(signal === undefined ? {} : { signal }) }),
    );
  }

  /**
   * Every event after `after_seq`, and those that come, for as long as they are taken. Keep the `seq` of the last one
   * that was dealt with, to go on from. Throws as `events` does.
   */
  followEvents({ signal, after_seq: afterSeq, ...query }: EventsAsked = {}): AsyncGenerator<WorkspaceEvent, void> {
    const read = (after?: number) => this.held(EVENTS, { query: { ...query, ...placeOf(after) }, signal });
    return followEvents(afterSeq, read, signal);
  }

  createWallet(wallet: CreateWallet, options: WriteOptions = {}): Pending<WalletAccepted, CreationStatus> {
    const body = { wallet_type: 'mpc' as const, ...wallet };
    return pending(this.post('/api/v1/wallets', { body, ...options }), ({ wallet_id }, waiting) =>
      this.waitForWallet(wallet_id, waiting),
    );
  }

  /**
   * Signs a digest that says nothing of what it is of. Where the content is known, the other ways to sign are safer.
   */
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

  /**
   * Accepted together, signed each for itself: an item that is refused, or whose signing fails, leaves the others
   * alone.
   */
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
    const creation = await this.until<CreationStatus>(
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
    const request = await this.until<SigningRequest>(
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
    body: SignDigest | SignMessage | SignTyped | SignTransaction,
    options: WriteOptions = {},
  ): Pending<SignAccepted, SignedRequest> {
    // Each of these bodies is for its own path.
    const answer = this.post(path as `${typeof SIGN}/signRaw`, {
      path: { wallet_id: walletId },
      body,
      ...options,
    });
    return pending(
      answer.then((data) => data as SignAccepted),
      ({ signing_request }, waiting) => this.waitForSignature(signing_request.id, waiting),
    );
  }
}
