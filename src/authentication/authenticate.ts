// Decides who is calling: the HMAC over the bytes received, the clock, the key, the address; or, from the console's own
// page, the session of a cookie. Every failure but that of the address is the same 401; only the log knows which it
// was. What takes long asks again: a key that is revoked ends what it began.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Scope, scopesAllow } from '../../domain/scopes.ts';
import { clientAddress } from '../http/client-address.ts';
import { ApiError, AuthenticationError, notFound } from '../http/errors.ts';
import { isAllowed } from '../http/ip-ranges.ts';
import type { RequestsUnderWay } from '../http/overload.ts';
import { nameCaller } from '../http/request-log.ts';
import type { FailedAuthentications } from './failed-authentications.ts';
import type { FoundKey, KeyRing, UsableKey } from './key-ring.ts';
import type { LastUses } from './last-uses.ts';
import { assertOwnPage, readSessionToken } from './own-page.ts';
import type { RateLimit } from './rate-limit.ts';
import { parseBody } from './raw-body.ts';
import { type Claim, readClaim } from './request-claim.ts';
import { type ConsoleSessions, requireSession } from './require-session.ts';
import type { UsableSession } from './session-ring.ts';
import type { Connections } from './unproven-connections.ts';
import type { BodiesUnderWay } from './unverified-bodies.ts';

export interface Caller {
  key: UsableKey;
  /** The 32 bytes of the HMAC: what the replay guard remembers. Of a request in a session 32 random bytes. */
  signature: Buffer;
  /** Undefined for a request that is signed with the key's secret. */
  session: Pick<UsableSession, 'id' | 'passkeyId'> | undefined;
  /**
   * Decides anew, by the key as it is now, and throws what refuses. For what takes long, before each thing that it
   * gives away.
   */
  assertStillAdmitted(): Promise<void>;
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
    /** What leads to a session: nobody is authenticated yet, and the request comes from the console's own page. */
    ceremony?: true;
    /** For sessions only, or for signed requests only (`signedOnly` of domain/access-rules.ts). */
    only?: 'sessions' | 'signed';
  }
}

export interface AuthenticationDependencies {
  keyRing: KeyRing;
  sessions: ConsoleSessions | undefined;
  lastUses: LastUses;
  rateLimit: RateLimit;
  failures: FailedAuthentications;
  underWay: RequestsUnderWay;
  bodies: BodiesUnderWay;
  connections: Connections;
}

export function installAuthentication(app: FastifyInstance, dependencies: AuthenticationDependencies): void {
  app.decorateRequest('caller', undefined as unknown as Caller);
  app.addHook('preValidation', async (request, reply) => {
    if (request.routeOptions.config.public || request.is404) return;
    if (request.bodyRefusal !== undefined) throw request.bodyRefusal;
    const { ceremony } = request.routeOptions.config;
    if (ceremony) await admitStranger(request, dependencies);
    else await admit(request, reply, dependencies);
    if (request.bodyPlace !== undefined) dependencies.bodies.leave(request.bodyPlace);
    if (!ceremony) {
      dependencies.connections.prove(request.raw.socket);
      nameCaller(request);
    }
    dependencies.underWay.enter(reply);
    if (!ceremony) authorize(request);
    await parseBody(request);
  });
  // After validation, so that an id that is none is a 400 here as everywhere.
  app.addHook('preHandler', (request, _reply, done) => {
    const { workspace_id } = (request.params ?? {}) as { workspace_id?: string };
    const { caller } = request as { caller: Caller | undefined };
    if (caller !== undefined && workspace_id !== undefined && workspace_id.toLowerCase() !== caller.key.workspaceId)
      done(notFound('workspace'));
    else done();
  });
}

async function admitStranger(
  request: FastifyRequest,
  { sessions, failures }: AuthenticationDependencies,
): Promise<void> {
  try {
    if (sessions === undefined) throw new AuthenticationError('request from another page');
    assertOwnPage(request, sessions.console);
  } catch (error) {
    await failures.slow(request);
    throw error;
  }
}

/** An address that is not allowed counts as a failure: a stolen key spends nothing of its owner's rate limit. */
async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { keyRing, sessions, lastUses, rateLimit, failures }: AuthenticationDependencies,
): Promise<void> {
  const token = sessions && readSessionToken(request, sessions.console);
  try {
    if (sessions !== undefined && token !== undefined) await admitSession(request, sessions, token);
    else await admitSigned(request, keyRing);
  } catch (error) {
    if (error instanceof ApiError) await failures.slow(request);
    throw error;
  }
  const { id } = request.caller.key;
  lastUses.note(id, clientAddress(request)?.toString());
  await rateLimit.count(id, reply);
}

async function admitSigned(request: FastifyRequest, keyRing: KeyRing): Promise<void> {
  const claim = readClaim(request);
  let verified = await verify(request, claim, keyRing);
  const { key, signature } = verified;
  const assertStillAdmitted = async () => {
    verified = await verify(request, claim, keyRing, verified);
    request.caller.key = verified.key;
    authorize(request);
  };
  request.caller = { key, signature, session: undefined, assertStillAdmitted };
}

async function admitSession(request: FastifyRequest, sessions: ConsoleSessions, token: string): Promise<void> {
  const { key, id, passkeyId } = await requireSession(request, sessions, token);
  const assertStillAdmitted = async () => {
    request.caller.key = (await requireSession(request, sessions, token)).key;
    authorize(request);
  };
  request.caller = { key, signature: randomBytes(32), session: { id, passkeyId }, assertStillAdmitted };
}

interface Verified {
  key: UsableKey;
  signature: Buffer;
  /**
   * Whose signature counted, and in which forms: a request that was verified once need not be computed again while
   * these are the same.
   */
  signers: Signers;
}

interface Signers {
  sealedSecrets: string;
  mayLegacy: boolean;
  isOverlap: boolean;
}

async function verify(request: FastifyRequest, claim: Claim, keyRing: KeyRing, earlier?: Verified): Promise<Verified> {
  const found = await keyRing.find(claim.apiKey);
  const { key, sealedSecrets } = found;
  const nowMs = Date.now();
  const signers = {
    sealedSecrets,
    mayLegacy: key?.legacyPathSigning ?? false,
    isOverlap: nowMs < found.previousUsableUntilMs,
  };
  const signature =
    earlier !== undefined && isSame(earlier.signers, signers)
      ? earlier.signature
      : matchingSignature(found, request, claim, signers);
  if (key === undefined || nowMs >= found.usableUntilMs)
    throw new AuthenticationError('unknown, revoked or expired key');
  if (signature === undefined) throw new AuthenticationError('wrong signature');
  if (!isAllowed(key.ipAllowlist, clientAddress(request)))
    throw new ApiError('ip_not_allowed', 'This key may not be used from this address.');
  return { key, signature, signers };
}

const isSame = (one: Signers, other: Signers) =>
  one.sealedSecrets === other.sealedSecrets && one.mayLegacy === other.mayLegacy && one.isOverlap === other.isOverlap;

/**
 * Four comparisons for every outcome: how long it takes tells neither whether the key exists nor which of its secrets
 * signed, nor in which form. Of a request whose two forms are the same, each secret signs once: that too is the same
 * for every key.
 */
function matchingSignature(
  found: FoundKey,
  request: FastifyRequest,
  claim: Claim,
  { mayLegacy, isOverlap }: Signers,
): Buffer | undefined {
  const [standard, legacy] = [standardForm(request), legacyForm(request)];
  const candidates = [
    { secret: found.secret, form: standard, counts: true },
    { secret: found.secret, form: legacy, counts: mayLegacy },
    { secret: found.previousSecret, form: standard, counts: isOverlap },
    { secret: found.previousSecret, form: legacy, counts: isOverlap && mayLegacy },
  ];
  const isOneForm = standard.path === legacy.path && standard.body === legacy.body;
  const sign = (secret: string, form: SignedForm) => hmac(secret, request.method, claim.timestamp, form);
  const once = isOneForm
    ? new Map([found.secret, found.previousSecret].map((secret) => [secret, sign(secret, standard)]))
    : undefined;
  let matching: Buffer | undefined;
  for (const { secret, form, counts } of candidates) {
    const expected = once?.get(secret) ?? sign(secret, form);
    if (timingSafeEqual(expected, claim.signature) && counts) matching = expected;
  }
  return matching;
}

function authorize(request: FastifyRequest): void {
  const { scope, only } = request.routeOptions.config;
  const { key, session } = request.caller;
  if (only !== undefined && (only === 'sessions') !== (session !== undefined))
    throw new ApiError(
      'insufficient_scope',
      only === 'sessions'
        ? 'This is for who has signed in with a passkey at the console.'
        : 'A session at the console cannot do this: sign the request with an API key.',
    );
  if (scope && !scopesAllow(key.scopes, scope))
    throw new ApiError('insufficient_scope', `This key lacks the scope ${scope}.`);
  const { wallet_id } = (request.params ?? {}) as { wallet_id?: string };
  if (wallet_id !== undefined) assertWalletAllowed(key, wallet_id);
}

/** A key bound to wallets reaches only these. */
export function assertWalletAllowed(key: UsableKey, walletId: string): void {
  if (key.walletIds.length > 0 && !key.walletIds.includes(walletId.toLowerCase()))
    throw new ApiError('wallet_not_allowed', 'This key is bound to other wallets.');
}

interface SignedForm {
  path: string;
  body: Buffer;
}

const standardForm = ({ raw, rawBody }: FastifyRequest): SignedForm => ({ path: raw.url ?? '', body: rawBody });

/** Made for every key, whether it may sign so or not. */
const legacyForm = ({ raw, rawBody }: FastifyRequest): SignedForm => ({
  path: raw.url?.split('?', 1)[0] ?? '',
  body: rawBody.length === 2 && rawBody.toString('latin1') === '{}' ? Buffer.alloc(0) : rawBody,
});

function hmac(secret: string, method: string, timestamp: string, { path, body }: SignedForm): Buffer {
  const head = `method=${method}&path=${path}&timestamp=${timestamp}&body=`;
  return createHmac('sha256', secret).update(head).update(body).digest();
}
