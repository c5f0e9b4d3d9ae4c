// Decides who is calling: the HMAC over the bytes received, the clock, the key. Every failure is the same 401; only the log knows which it was.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { KeyRing, UsableKey } from '../api-keys/key-ring.ts';
import type { Scope } from '../api-keys/scopes.ts';
import { ApiError, AuthenticationError, notFound } from './errors.ts';
import { parseBody } from './raw-body.ts';

const SKEW_SECONDS = 300;
const HEX_LENGTH = 64;
const BASE64_OF_HEX_LENGTH = 88;

export interface Caller {
  key: UsableKey;
  /** The 32 bytes of the HMAC: what the replay guard remembers. */
  signature: Buffer;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route but those marked `public`. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** The scope that a key needs; null when any valid key may call. */
    scope?: Scope | null;
    /** No authentication at all: health, clock and reference pages. */
    public?: true;
  }
}

export function installAuthentication(app: FastifyInstance, keyRing: KeyRing): void {
  app.decorateRequest('caller', undefined as unknown as Caller);
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.public || request.is404) return;
    request.caller = await authenticate(request, keyRing);
    authorize(request);
    await parseBody(request);
  });
  // After validation, so that an id that is none is a 400 here as everywhere.
  app.addHook('preHandler', async (request) => {
    const { workspace_id } = (request.params ?? {}) as { workspace_id?: string };
    if (workspace_id !== undefined && workspace_id.toLowerCase() !== request.caller.key.workspaceId)
      throw notFound('workspace');
  });
}

async function authenticate(request: FastifyRequest, keyRing: KeyRing): Promise<Caller> {
  const apiKey = singleHeader(request, 'access-api-key');
  const timestamp = singleHeader(request, 'access-timestamp');
  const given = decodeSignature(singleHeader(request, 'access-sign'));
  if (!/^\d{1,12}$/.test(timestamp)) throw new AuthenticationError('malformed timestamp');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > SKEW_SECONDS) throw new AuthenticationError('timestamp skew');
  const found = await keyRing.find(apiKey);
  const expected = hmac(found.secret, canonicalString(request, timestamp, found.key?.legacyPathSigning ?? false));
  // One comparison for every outcome, so that an unknown key takes as long as a wrong signature.
  const matches = timingSafeEqual(expected, given);
  if (found.key === undefined) throw new AuthenticationError('unknown, revoked or expired key');
  if (!matches) throw new AuthenticationError('wrong signature');
  return { key: found.key, signature: expected };
}

function authorize(request: FastifyRequest): void {
  const { scope } = request.routeOptions.config;
  const { key } = request.caller;
  if (scope && !key.scopes.includes(scope))
    throw new ApiError('insufficient_scope', `This key lacks the scope ${scope}.`);
  const { wallet_id } = (request.params ?? {}) as { wallet_id?: string };
  if (wallet_id !== undefined) assertWalletAllowed(key, wallet_id);
}

/** A key bound to wallets reaches only these. */
export function assertWalletAllowed(key: UsableKey, walletId: string): void {
  if (key.walletIds.length > 0 && !key.walletIds.includes(walletId.toLowerCase()))
    throw new ApiError('wallet_not_allowed', 'This key is bound to other wallets.');
}

function singleHeader(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  if (typeof value !== 'string' || value === '') throw new AuthenticationError(`missing header ${name}`);
  return value;
}

/** Hex, or base64 of that hex text, told apart by length. */
function decodeSignature(text: string): Buffer {
  const hex = text.length === BASE64_OF_HEX_LENGTH ? Buffer.from(text, 'base64').toString('latin1') : text;
  if (hex.length !== HEX_LENGTH || !/^[0-9a-fA-F]+$/.test(hex)) throw new AuthenticationError('malformed signature');
  return Buffer.from(hex, 'hex');
}

function canonicalString(request: FastifyRequest, timestamp: string, legacy: boolean): Buffer {
  const url = request.raw.url ?? '';
  const path = legacy ? url.split('?', 1)[0] : url;
  const body = legacy && request.rawBody.toString('latin1') === '{}' ? Buffer.alloc(0) : request.rawBody;
  return Buffer.concat([Buffer.from(`method=${request.method}&path=${path}&timestamp=${timestamp}&body=`), body]);
}

const hmac = (secret: string, message: Buffer): Buffer => createHmac('sha256', secret).update(message).digest();
