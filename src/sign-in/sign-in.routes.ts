// Signing in with a passkey, and out. A session always begins with a token of its own, whatever the browser has sent
// along, and ends the one that the browser had.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import Type from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { SESSION_MAX_MS } from '../../domain/time-limits.ts';
import { findConsoleKey } from '../../drizzle/api-keys/api-key-queries.ts';
import { type ApiKeyRow, sealedApiKeys } from '../../drizzle/api-keys/api-keys.ts';
import { insertAuditEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { findPasskeyByCredential, type PasskeyRow } from '../../drizzle/passkeys/passkeys.ts';
import { endSessions, findSession, insertSession, removeOldSessions } from '../../drizzle/passkeys/sessions.ts';
import { areSetBack } from '../../drizzle/sealed-rows/rolled-back-rows.ts';
import { findUser, sealedUsers, type UserRow } from '../../drizzle/users/users.ts';
import { answeredTicket } from '../approvals/passkey-answer.schema.ts';
import { readSessionToken, sessionCookie } from '../authentication/own-page.ts';
import { hashToken } from '../authentication/session-ring.ts';
import { clientAddress } from '../http/client-address.ts';
import { success } from '../http/envelope.ts';
import { AuthenticationError } from '../http/errors.ts';
import { noBody } from '../http/no-body.ts';
import { generateEnrolmentToken as generateToken } from '../passkeys/enrolment-tokens.ts';
import { issueTicket, openTicket } from '../passkeys/tickets.ts';
import { verifyPasskey } from '../passkeys/verify-passkey.ts';
import { refusedFacts } from '../writes/audited-request.ts';
import { forSessions, forStrangers, SESSION, type SignInDependencies } from './sign-in-dependencies.ts';

const SIGN_IN = 'console sign-in';

export const signInRoutes =
  (dependencies: SignInDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, seals, sessions, limit } = dependencies;

    app.route({
      method: 'POST',
      url: `${SESSION}/challenge`,
      config: forStrangers,
      schema: { hide: true, body: noBody },
      handler: async (request) => {
        await limit.count(request);
        const ticket = issueTicket(seals, { purpose: 'sign_in' });
        return success({ ...ticket, relying_party_id: sessions.console.relyingPartyId });
      },
    });

    app.route({
      method: 'POST',
      url: SESSION,
      config: forStrangers,
      schema: {
        hide: true,
        body: Type.Object(
          { answer: answeredTicket, user_handle: Type.Optional(Type.String({ maxLength: 128 })) },
          { additionalProperties: false },
        ),
      },
      handler: async (request, reply) => {
        await limit.count(request);
        const { answer, user_handle } = request.body;
        try {
          const signedIn = await signIn(dependencies, request, { answer, userHandle: user_handle });
          sendCookie(reply, dependencies, signedIn.token);
          const { user, expiresAt } = signedIn;
          return reply
            .code(201)
            .send(success({ user: { id: user.id, name: user.name }, expires_at: expiresAt.toISOString() }));
        } catch (error) {
          if (error instanceof AuthenticationError) {
            await noteFailure(dependencies, request, answer.credential_id);
            await dependencies.failures.slow(request);
          }
          throw error;
        }
      },
    });

    app.route({
      method: 'DELETE',
      url: SESSION,
      config: forSessions,
      schema: { hide: true, body: noBody },
      handler: async (request, reply) => {
        const { session, key } = request.caller;
        if (session === undefined) throw new Error('a route for sessions was called without one');
        await db.transaction(async (tx) => {
          await endSessions(tx, { id: session.id });
          await insertAuditEntry(tx, { ...factsOf(request, key), action: 'console sign-out', resourceId: session.id });
        });
        sessions.ring.invalidate();
        sendCookie(reply, dependencies, undefined);
        return success(null);
      },
    });
  };

interface SignedIn {
  token: string;
  user: UserRow;
  expiresAt: Date;
}

async function signIn(
  { db, seals, sessions }: SignInDependencies,
  request: FastifyRequest,
  { answer, userHandle }: { answer: Static<typeof answeredTicket>; userHandle: string | undefined },
): Promise<SignedIn> {
  const statement = openTicket(seals, answer.ticket, 'sign_in');
  const former = readSessionToken(request, sessions.console);
  const earlier = former === undefined ? undefined : await findSession(db, hashToken(former));
  const token = generateToken();
  const signedIn = await db.transaction(async (tx) => {
    const passkey = await verifyPasskey(tx, { seals, console: sessions.console }, { statement, assertion: answer });
    const { workspaceId, userId } = passkey;
    if (userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() !== userId) throw refused();
    const { key, user } = await requireMember(tx, seals, passkey);
    const [id, expiresAt] = [uuidv7(), new Date(Date.now() + SESSION_MAX_MS)];
    const session = { id, workspaceId, userId, apiKeyId: key.id, passkeyId: passkey.id };
    await insertSession(tx, seals, { ...session, tokenHash: hashToken(token), expiresAt });
    if (earlier !== undefined) await endSessions(tx, { id: earlier.session.id });
    await removeOldSessions(tx);
    const after = toKeptText({ session_id: id, user_id: userId, passkey_id: passkey.id, expires_at: expiresAt });
    await insertAuditEntry(tx, { ...factsOf(request, key), action: SIGN_IN, resourceId: id, after });
    return { token, user, expiresAt };
  });
  sessions.ring.invalidate();
  return signedIn;
}

/** The user, who is active and has a role: else a passkey opens nothing. */
async function requireMember(
  tx: Transaction,
  seals: SignInDependencies['seals'],
  { workspaceId, userId }: PasskeyRow,
): Promise<{ key: ApiKeyRow; user: UserRow }> {
  const user = await findUser(tx, workspaceId, userId);
  const key = await findConsoleKey(tx, workspaceId, userId);
  if (user?.status !== 'active' || key === undefined) throw refused();
  if (!sealedUsers.counts(seals, user) || !sealedApiKeys.counts(seals, key)) throw refused();
  const rows = [{ kind: 'api_key', id: key.id } as const, { kind: 'user', id: userId } as const];
  if (await areSetBack(tx, seals, workspaceId, rows)) throw refused();
  return { key, user };
}

/** Where the passkey is known, and so its user. */
async function noteFailure(
  { db, attempts }: SignInDependencies,
  request: FastifyRequest,
  credentialId: string,
): Promise<void> {
  const passkey = await findPasskeyByCredential(db, credentialId);
  const key = passkey && (await findConsoleKey(db, passkey.workspaceId, passkey.userId));
  if (key === undefined) return;
  attempts.note({ apiKey: key.apiKey, ...refusedFacts(request, 401, 'unauthorized'), action: SIGN_IN, body: null });
}

const factsOf = (request: FastifyRequest, { id, workspaceId }: Pick<ApiKeyRow, 'id' | 'workspaceId'>) => ({
  workspaceId,
  actor: 'api_key' as const,
  actorId: id,
  outcome: 'accepted' as const,
  ip: clientAddress(request)?.toString() ?? null,
  requestId: request.id,
});

/** Without a token the cookie is taken away. */
function sendCookie(reply: FastifyReply, { sessions }: SignInDependencies, token: string | undefined): void {
  reply.header(
    'set-cookie',
    sessionCookie(sessions.console, token ?? '', token === undefined ? 0 : SESSION_MAX_MS / 1000),
  );
}

const refused = () => new AuthenticationError('passkey not verified');
