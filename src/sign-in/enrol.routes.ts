// Enrolling a passkey: by a link of limited life, once, or in a session by whoever answers with a passkey that is there
// already.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import Type from 'typebox';
import type { EnrolStatement } from '../../domain/passkeys/statements.ts';
import { findConsoleKey } from '../../drizzle/api-keys/api-key-queries.ts';
import { insertAuditEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import { toSealedText } from '../../drizzle/audit/sealed-versions.ts';
import type { Database, Transaction } from '../../drizzle/database/connection.ts';
import {
  advanceEnrolmentLink,
  type EnrolmentLinkRow,
  findEnrolmentLink,
  sealedEnrolmentLinks,
} from '../../drizzle/passkeys/enrolment-links.ts';
import { insertPasskey, listPasskeys } from '../../drizzle/passkeys/passkeys.ts';
import { areSetBack } from '../../drizzle/sealed-rows/rolled-back-rows.ts';
import type { SealedVersion } from '../../drizzle/seals/seals.ts';
import { findUser, sealedUsers, type UserRow } from '../../drizzle/users/users.ts';
import { answeredTicket, ticketField } from '../approvals/passkey-answer.schema.ts';
import { hashToken } from '../authentication/session-ring.ts';
import { clientAddress } from '../http/client-address.ts';
import { success } from '../http/envelope.ts';
import { ApiError, AuthenticationError } from '../http/errors.ts';
import { noBody } from '../http/no-body.ts';
import { toPasskey } from '../passkeys/passkeys.response.ts';
import { passkeyName, registration } from '../passkeys/passkeys.schema.ts';
import { creationOptions, readRegistration } from '../passkeys/register-passkey.ts';
import { issueTicket, openTicket, useTicket } from '../passkeys/tickets.ts';
import { verifyPasskey } from '../passkeys/verify-passkey.ts';
import { forSessions, forStrangers, SESSION, type SignInDependencies } from './sign-in-dependencies.ts';

const strict = { additionalProperties: false };
const token = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });
const made = { ticket: ticketField, registration, name: passkeyName };

export const enrolRoutes =
  (dependencies: SignInDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, seals, sessions, limit } = dependencies;

    app.route({
      method: 'POST',
      url: `${SESSION}/enrolment-challenge`,
      config: forStrangers,
      schema: { hide: true, body: Type.Object({ token }, strict) },
      handler: async (request) => {
        await limit.count(request);
        const { link, user } = await requireLink(dependencies, request, request.body.token);
        return success(await askToEnrol(dependencies, user, link.id));
      },
    });

    app.route({
      method: 'POST',
      url: `${SESSION}/enrolment`,
      config: forStrangers,
      schema: { hide: true, body: Type.Object({ token, ...made }, strict) },
      handler: async (request, reply) => {
        await limit.count(request);
        const { link } = await requireLink(dependencies, request, request.body.token);
        const statement = openTicket(seals, request.body.ticket, 'enrol');
        if (statement.link_id !== link.id) throw unusable();
        return reply.code(201).send(success(await enrol(dependencies, request, statement)));
      },
    });

    app.route({
      method: 'POST',
      url: `${SESSION}/passkeys/challenge`,
      config: forSessions,
      schema: { hide: true, body: noBody },
      handler: async (request) => {
        const { key, session } = ofSession(request);
        const { workspaceId: workspace_id, userId: user_id } = key;
        const asked = { purpose: 'add_passkey', workspace_id, user_id, session_id: session.id } as const;
        const credentials = await listPasskeys(db, workspace_id, user_id);
        return success({
          ...issueTicket(seals, asked),
          relying_party_id: sessions.console.relyingPartyId,
          credential_ids: credentials.map(({ credentialId }) => credentialId),
        });
      },
    });

    app.route({
      method: 'POST',
      url: `${SESSION}/passkeys/creation-challenge`,
      config: forSessions,
      schema: { hide: true, body: answeredTicket },
      handler: async (request) => {
        const { key, session } = ofSession(request);
        const statement = openTicket(seals, request.body.ticket, 'add_passkey');
        if (statement.session_id !== session.id || statement.user_id !== key.userId) throw unusable();
        const user = await db.transaction(async (tx) => {
          const answer = { statement, assertion: request.body };
          const passkey = await verifyPasskey(tx, { seals, console: sessions.console }, answer);
          if (passkey.userId !== key.userId) throw new AuthenticationError('passkey not verified');
          return requireActive(tx, dependencies, key);
        });
        return success(await askToEnrol(dependencies, user, null));
      },
    });

    app.route({
      method: 'POST',
      url: `${SESSION}/passkeys`,
      config: forSessions,
      schema: { hide: true, body: Type.Object(made, strict) },
      handler: async (request, reply) => {
        const { key } = ofSession(request);
        const statement = openTicket(seals, request.body.ticket, 'enrol');
        if (statement.link_id !== null || statement.user_id !== key.userId) throw unusable();
        return reply.code(201).send(success(await enrol(dependencies, request, statement)));
      },
    });
  };

async function askToEnrol({ db, seals, sessions }: SignInDependencies, user: UserRow, linkId: string | null) {
  const { id: user_id, workspaceId: workspace_id } = user;
  const { ticket, challenge } = issueTicket(seals, { purpose: 'enrol', workspace_id, user_id, link_id: linkId });
  const others = await listPasskeys(db, workspace_id, user_id);
  const options = await creationOptions(sessions.console, { user, challenge, others });
  return { ticket, user: { id: user.id, name: user.name }, options };
}

/** Of a link that is good now. One answer for every cause: how a link fails tells nothing about it. */
async function requireLink(
  dependencies: SignInDependencies,
  request: FastifyRequest,
  token: string,
): Promise<{ link: EnrolmentLinkRow; user: UserRow }> {
  const { db, seals, failures } = dependencies;
  const link = await findEnrolmentLink(db, hashToken(token));
  const isGood =
    link?.status === 'open' &&
    sealedEnrolmentLinks.counts(seals, link) &&
    (link.expiresAt?.getTime() ?? 0) > Date.now() &&
    !(await areSetBack(db, seals, link.workspaceId, [{ kind: 'enrolment_link', id: link.id }]));
  if (!isGood) {
    await failures.slow(request);
    throw unusable();
  }
  return { link, user: await requireActive(db, dependencies, link) };
}

async function requireActive(
  db: Database | Transaction,
  { seals }: SignInDependencies,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<UserRow> {
  const user = await findUser(db, workspaceId, userId);
  const isSetBack = await areSetBack(db, seals, workspaceId, [{ kind: 'user', id: userId }]);
  if (user?.status !== 'active' || !sealedUsers.counts(seals, user) || isSetBack) throw unusable();
  return user;
}

const unusable = () =>
  new ApiError(
    'invalid_state',
    'This link is not good: it was used, has ended or was never made. Ask for another one.',
  );

interface Made {
  registration: Static<typeof registration>;
  name: string;
}

async function enrol(dependencies: SignInDependencies, request: FastifyRequest, statement: EnrolStatement) {
  const { db, seals, sessions } = dependencies;
  const passkey = await readRegistration(sessions.console, statement, request.body as Made);
  const { workspace_id: workspaceId, user_id: userId, link_id: linkId } = statement;
  return db.transaction(async (tx) => {
    const versions: SealedVersion[] = [];
    const sealing = { seals, note: (version: SealedVersion) => void versions.push(version) };
    await useTicket(tx, statement);
    await requireActive(tx, dependencies, { workspaceId, userId });
    if (linkId !== null && !isGood(await advanceEnrolmentLink(tx, sealing, linkId, { from: 'open', to: 'used' })))
      throw unusable();
    const row = await insertPasskey(tx, sealing, passkey);
    if (row === undefined) throw new ApiError('invalid_state', 'This passkey is enrolled already.');
    const key = await findConsoleKey(tx, workspaceId, userId);
    const isInSession = linkId === null && key !== undefined;
    await insertAuditEntry(tx, {
      workspaceId,
      ...(isInSession ? { actor: 'api_key', actorId: key.id } : { actor: 'system', actorId: null }),
      outcome: 'accepted',
      action: 'passkey enrolled',
      ip: clientAddress(request)?.toString() ?? null,
      requestId: request.id,
      resourceId: row.id,
      after: toKeptText({ ...toPasskey(row), enrolment_link_id: linkId }),
      sealed: toSealedText(seals, workspaceId, versions),
    });
    return toPasskey(row);
  });
}

/** It may have ended between the question and the answer. */
const isGood = (link: EnrolmentLinkRow | undefined) => (link?.expiresAt?.getTime() ?? 0) > Date.now();

function ofSession(request: FastifyRequest) {
  const { key, session } = request.caller;
  if (session === undefined) throw new Error('a route for sessions was called without one');
  return { key, session };
}
