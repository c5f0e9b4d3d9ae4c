// Calls of the sign routes in tests. Each call takes another second, so that equal bodies have different signatures.

import { eq } from 'drizzle-orm';
import { storedPath } from '../../../domain/paths.ts';
import { payloadOf } from '../../../drizzle/signing-requests/signing-payloads.ts';
import { signingRequests } from '../../../drizzle/signing-requests/signing-requests.ts';
import { outboxEntriesOf } from '../rows/outbox-entries.ts';
import type { Answer, CallOptions, TestApi } from './api.ts';
import { distinctSeconds } from './distinct-seconds.ts';

type Route = 'sign' | 'signRaw' | 'signMessage' | 'signTyped' | 'signTransaction' | 'signBatch';

export const signPath = (route: Route, walletId: string) =>
  route === 'sign' ? `/api/v1/web3/${walletId}/sign` : `/api/v1/web3/transaction/${walletId}/${route}`;

export type SignCall = (body: unknown, headers?: Record<string, string>, options?: CallOptions) => Promise<Answer>;

/** Calls one sign route of one wallet. */
export function signCall(api: TestApi, route: Route, walletId: string): SignCall {
  const nextSecond = distinctSeconds();
  return (body, headers = {}, options = {}) =>
    api.call('POST', signPath(route, walletId), body, { headers, timestamp: nextSecond(), ...options });
}

export const countSigningRequests = async ({ db }: TestApi) => (await db.select().from(signingRequests)).length;

/**
 * The row of an accepted operation, and what its workflow was given. Needs an API whose Temporal is away, so that the
 * entry stays.
 */
/** `payload` and `path` as the worker reads them from the row. */
export async function storedBy({ db }: TestApi, answer: Answer) {
  const id = String(answer.body.data.transaction_id);
  const [row] = await db.select().from(signingRequests).where(eq(signingRequests.id, id));
  const [entry] = await outboxEntriesOf(db, 'sign', id);
  if (row === undefined || entry === undefined) throw new Error('the operation was not stored');
  if ('payload' in (entry.input as object)) throw new Error('what is signed lies in the workflow’s input');
  return { row, payload: payloadOf(row), path: storedPath(row.derivationPath) };
}

/** The document of EIP-712 itself. Its digest is in the standard. */
export const mail = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
};
export const MAIL_DIGEST = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';
