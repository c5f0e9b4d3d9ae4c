// Hands out what a passkey signs to vote: a statement of exactly one decision about one thing. Whether its user may
// vote on it is asked when the vote comes.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { approvalSubjects } from '../../domain/statuses.ts';
import { listPasskeys } from '../../drizzle/passkeys/passkeys.ts';
import { success } from '../http/envelope.ts';
import { issueTicket } from '../passkeys/tickets.ts';
import { forSessions, SESSION, type SignInDependencies } from './sign-in-dependencies.ts';

const askedVote = Type.Object(
  {
    subject: Type.Enum([...approvalSubjects]),
    subject_id: Type.String({ format: 'uuid' }),
    digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    decision: Type.Enum(['approved', 'rejected']),
  },
  { additionalProperties: false },
);

export const voteChallengeRoutes =
  ({ db, seals, sessions }: Pick<SignInDependencies, 'db' | 'seals' | 'sessions'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'POST',
      url: `${SESSION}/votes/challenge`,
      config: forSessions,
      schema: { hide: true, body: askedVote },
      handler: async (request) => {
        const { workspaceId: workspace_id, userId: user_id } = request.caller.key;
        const { subject_id, ...asked } = request.body;
        const said = { ...asked, subject_id: subject_id.toLowerCase(), workspace_id, user_id };
        const credentials = await listPasskeys(db, workspace_id, user_id);
        return success({
          ...issueTicket(seals, { purpose: 'vote', ...said }),
          relying_party_id: sessions.console.relyingPartyId,
          credential_ids: credentials.map(({ credentialId }) => credentialId),
        });
      },
    });
  };
