// Makes requests as a caller would sign them, each different, before a measurement starts. Sends nothing.
import { randomBytes } from 'node:crypto';
import type { Curve } from '../../domain/statuses.ts';
import { type Credentials, signRequest } from '../../src/client/sign-request.ts';

export interface PreparedRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

interface SignedAs {
  network: string;
  path: readonly number[];
}

/** What is signed on each curve: on which network, and by the key at which path. */
export const signedAs: Readonly<Record<Curve, SignedAs>> = {
  secp256k1: { network: 'ETHEREUM_SANDBOX', path: [44, 60, 0, 0, 0] },
  ed25519: { network: 'SOL_SANDBOX', path: [44, 501, 0, 0, 0] },
};

export function prepareSign(credentials: Credentials, walletId: string, curve: Curve = 'secp256k1'): PreparedRequest {
  const path = `/api/v1/web3/${walletId}/sign`;
  const body = JSON.stringify({
    network_internal_code: signedAs[curve].network,
    key_type: curve,
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
