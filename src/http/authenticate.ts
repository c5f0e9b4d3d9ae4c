// Decides who is calling: the HMAC over the bytes received, the clock, the key, the address. Every failure of the first three is the same 401; only the log
// knows which it was.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAllowed } from '../api-keys/ip-allowlist.ts';
import type { FoundKey, KeyRing, UsableKey } from '../api-keys/key-ring.ts';
import type { LastUses } from '../api-keys/last-uses.ts';
import type { Scope } from '../api-keys/scopes.ts';
import { clientAddress } from './client-address.ts';
import { ApiError, AuthenticationError, notFound } from './errors.ts';
import type { FailedAuthentications } from './failed-authentications.ts';
import type { RateLimit } from './rate-limit.ts';
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

export interface AuthenticationDependencies {
  keyRing: KeyRing;
  lastUses: LastUses;
  rateLimit: RateLimit;
  failures: FailedAuthentications;
}

export function installAuthentication(app: FastifyInstance, dependencies: AuthenticationDependencies): void {
  app.decorateRequest('caller', undefined as unknown as Caller);
  app.addHook('preValidation', async (request, reply) => {
    if (request.routeOptions.config.public || request.is404) return;
    await admit(request, reply, dependencies);
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

/** An address that is not allowed counts as a failure: a stolen key spends nothing of its owner's rate limit. */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { keyRing, lastUses, rateLimit, failures }: AuthenticationDependencies,
): Promise<void> {
  const address = clientAddress(request);
  try {
    request.caller = await authenticate(request, keyRing);
    if (!isAllowed(request.caller.key.ipAllowlist, address))
      throw new ApiError('ip_not_allowed', 'This key may not be used from this address.');
  } catch (error) {
    if (error instanceof ApiError) await failures.slow(request);
    throw error;
  }
  const { id } = request.caller.key;
  lastUses.note(id, address?.toString());
  await rateLimit.count(id, reply);
}

async function authenticate(request: FastifyRequest, keyRing: KeyRing): Promise<Caller> {
  const apiKey = singleHeader(request, 'access-api-key');
  const timestamp = singleHeader(request, 'access-timestamp');
  const given = decodeSignature(singleHeader(request, 'access-sign'));
  if (!/^\d{1,12}$/.test(timestamp)) throw new AuthenticationError('malformed timestamp');
  const nowMs = Date.now();
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > SKEW_SECONDS) throw new AuthenticationError('timestamp skew');
  const found = await keyRing.find(apiKey);
  const message = canonicalString(request, timestamp, found.key?.legacyPathSigning ?? false);
  const signature = matchingSignature(found, message, given, nowMs);
  if (found.key === undefined || nowMs >= found.usableUntilMs)
    throw new AuthenticationError('unknown, revoked or expired key');
  if (signature === undefined) throw new AuthenticationError('wrong signature');
  return { key: found.key, signature };
}

/** Two comparisons for every outcome: how long it takes tells neither whether the key exists nor which of its secrets signed. */
function matchingSignature(found: FoundKey, message: Buffer, given: Buffer, nowMs: number): Buffer | undefined {
  const expected = hmac(found.secret, message);
  const expectedBefore = hmac(found.previousSecret, message);
  const matches = timingSafeEqual(expected, given);
  const matchesBefore = timingSafeEqual(expectedBefore, given);
  if (matches) return expected;
  return matchesBefore && nowMs < found.previousUsableUntilMs ? expectedBefore : undefined;
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

/** Node joins a header that is there twice with a comma, which no value of ours holds: what follows refuses it. */
function singleHeader(request: FastifyRequest, name: string): string {
  const value = request.headers[name];
  if (typeof value !== 'string' || value === '' || value.includes(','))
    throw new AuthenticationError(`missing or repeated header ${name}`);
  return value;
}

/** Hex, or base64 of that hex text, told apart by length. Only the one spelling that base64 has: a decoder would skip foreign characters. */
function decodeSignature(text: string): Buffer {
  const isBase64 = text.length === BASE64_OF_HEX_LENGTH;
  const hex = isBase64 ? Buffer.from(text, 'base64').toString('latin1') : text;
  if (hex.length !== HEX_LENGTH || !/^[0-9a-fA-F]+$/.test(hex)) throw new AuthenticationError('malformed signature');
  if (isBase64 && Buffer.from(hex, 'latin1').toString('base64') !== text)
    throw new AuthenticationError('malformed signature');
  return Buffer.from(hex, 'hex');
}

function canonicalString(request: FastifyRequest, timestamp: string, legacy: boolean): Buffer {
  const url = request.raw.url ?? '';
  const path = legacy ? url.split('?', 1)[0] : url;
  const body = legacy && request.rawBody.toString('latin1') === '{}' ? Buffer.alloc(0) : request.rawBody;
  return Buffer.concat([Buffer.from(`method=${request.method}&path=${path}&timestamp=${timestamp}&body=`), body]);
}

const hmac = (secret: string, message: Buffer): Buffer => createHmac('sha256', secret).update(message).digest();
