// The route that answers what was approved, who said what, and what proves it: a document that verifies offline, by
// `npm run verify-approval`. Decides nothing.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Json } from '../../domain/canonical-json.ts';
import { type ApprovalEvidence, EVIDENCE_FORMAT } from '../../domain/passkeys/approval-evidence.ts';
import { approvalRoundStatuses, approvalSubjects } from '../../domain/statuses.ts';
import { approveWithKinds } from '../../domain/votes/vote-rules.ts';
import { type ApprovalRoundRow, findApprovalRound, listVotes } from '../../drizzle/approvals/approvals.ts';
import type { Database } from '../../drizzle/database/connection.ts';
import { findAddress } from '../../drizzle/policies/address-book.ts';
import { findPolicy } from '../../drizzle/policies/policies.ts';
import { findSigningRequest } from '../../drizzle/signing-requests/signing-queries.ts';
import { findAuthorityChange } from '../../drizzle/users/authority-changes.ts';
import {
  approvedAddress,
  approvedAuthorityChange,
  approvedPolicy,
  approvedSigning,
  approvedWithdrawal,
} from '../../drizzle/votes/approved-content.ts';
import { findWithdrawal } from '../../drizzle/withdrawals/withdrawals.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { notFound } from '../http/errors.ts';

const anything = { type: 'object', additionalProperties: true } as const;
const dateTime = Type.String({ format: 'date-time' });

const voteEvidence = Type.Object(
  {
    statement: Type.Unsafe<object>({ ...anything, description: 'What the passkey was asked to say.' }),
    origin: Type.String(),
    relying_party_id: Type.String(),
    public_key: Type.String({ description: 'SubjectPublicKeyInfo, DER, base64.' }),
    credential_id: Type.String(),
    client_data_json: Type.String({ description: 'base64url.' }),
    authenticator_data: Type.String({ description: 'base64url.' }),
    signature: Type.String({ description: 'base64url.' }),
  },
  { title: 'VoteEvidence' },
);

const approvalEvidence = Type.Object(
  {
    format: Type.String(),
    workspace_id: Type.String({ format: 'uuid' }),
    subject: Type.Enum([...approvalSubjects]),
    subject_id: Type.String({ format: 'uuid' }),
    status: Type.Enum([...approvalRoundStatuses]),
    digest: Type.String({ description: 'SHA-256 over the canonical JSON (RFC 8785) of `content`.' }),
    content: Type.Union([Type.Unsafe<object>(anything), Type.Null()], {
      description: 'What is approved; null where it is no longer kept.',
    }),
    requested_by: Type.String({ description: 'User id.' }),
    required: Type.Integer(),
    approve_with: Type.Optional(Type.Enum([...approveWithKinds])),
    expires_at: dateTime,
    decided_at: Type.Optional(dateTime),
    votes: Type.Array(
      Type.Object(
        {
          user_id: Type.String(),
          decision: Type.Enum(['approved', 'rejected']),
          created_at: dateTime,
          evidence: Type.Union([voteEvidence, Type.Null()], { description: 'Null for a vote that an API key signed.' }),
        },
        { title: 'EvidencedVote' },
      ),
    ),
  },
  { title: 'ApprovalEvidence' },
);

export const evidenceRoutes =
  ({ db }: { db: Database }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/approvals/:subject_id/evidence',
      schema: {
        tags: ['audit'],
        operationId: 'readApprovalEvidence',
        summary: 'Read what proves an approval',
        description:
          'Of a withdrawal, a signing operation, or a change of the policy, the address book, users, keys or freezes: what was approved, its digest, and each vote, by passkey with the assertion that proves it. ' +
          '`npm run verify-approval` verifies it offline.',
        params: Type.Object({
          subject_id: Type.String({ format: 'uuid', description: 'Id of what was to be approved.' }),
        }),
        response: { 200: envelopeOf(approvalEvidence), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { key } = request.caller;
        const round = await findApprovalRound(db, request.params.subject_id.toLowerCase());
        if (round === undefined || round.workspaceId !== key.workspaceId) throw notFound('approval');
        if (round.walletId === null) assertDecidesForWorkspace(key);
        else assertWalletAllowed(key, round.walletId);
        return success(await readEvidence(db, round));
      },
    });
  };

async function readEvidence(db: Database, round: ApprovalRoundRow) {
  const { workspaceId, subjectId, subject, digest, requestedBy, required, status, approveWith } = round;
  const votes = await listVotes(db, subjectId);
  const document = {
    format: EVIDENCE_FORMAT,
    workspace_id: workspaceId,
    subject,
    subject_id: subjectId,
    digest,
    content: await readContent(db, round),
    requested_by: requestedBy,
    required,
    votes: votes.map(({ userId, decision, createdAt, evidence }) => ({
      user_id: userId,
      decision,
      created_at: createdAt.toISOString(),
      evidence,
    })),
  } satisfies ApprovalEvidence;
  return {
    ...document,
    content: document.content as object | null,
    votes: document.votes.map((vote) => ({ ...vote })),
    status,
    ...(approveWith === null ? {} : { approve_with: approveWith }),
    expires_at: round.expiresAt.toISOString(),
    ...(round.decidedAt === null ? {} : { decided_at: round.decidedAt.toISOString() }),
  };
}

/** Null for what is no longer there, as an address that was rejected. */
async function readContent(
  db: Database,
  { subject, subjectId, workspaceId }: ApprovalRoundRow,
): Promise<{ readonly [name: string]: Json } | null> {
  const shown = <Row>(row: Row | undefined, show: (row: Row) => { readonly [name: string]: Json }) =>
    row === undefined ? null : show(row);
  switch (subject) {
    case 'withdrawal':
      return shown(await findWithdrawal(db, workspaceId, subjectId), approvedWithdrawal);
    case 'signing_request':
      return shown(await findSigningRequest(db, workspaceId, subjectId), approvedSigning);
    case 'policy':
      return shown(await findPolicy(db, workspaceId, subjectId), approvedPolicy);
    case 'address':
      return shown(await findAddress(db, workspaceId, subjectId), approvedAddress);
    case 'authority_change':
      return shown(await findAuthorityChange(db, workspaceId, subjectId), approvedAuthorityChange);
  }
}
