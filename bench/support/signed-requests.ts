// Makes requests as a caller would sign them, each different, before a measurement starts. Sends nothing.
import { randomBytes } from 'node:crypto';
import { type Credentials, signRequest } from '../../src/client/sign-request.ts';

export interface PreparedRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export const SIGNING_NETWORK = 'ETHEREUM_SANDBOX';
export const SIGNING_PATH: readonly number[] = [44, 60, 0, 0, 0];

export function prepareSign(credentials: Credentials, walletId: string): PreparedRequest {
  const path = `/api/v1/web3/${walletId}/sign`;
  const body = JSON.stringify({
    network_internal_code: SIGNING_NETWORK,
    signing_hash: `0x${randomBytes(32).toString('hex')}`,
  });
  const headers = signRequest(credentials, { method: 'POST', path, body }, now());
  return { method: 'POST', path, headers: { ...headers, 'Content-Type': 'application/json' }, body };
}

export function prepareStatusRead(credentials: Credentials, signingId: string): PreparedRequest {
  const path = `/api/v1/signing-requests/${signingId}`;
  return { method: 'GET', path, headers: signRequest(credentials, { method: 'GET', path, body: '' }, now()) };
}

const now = () => Math.floor(Date.now() / 1000);
