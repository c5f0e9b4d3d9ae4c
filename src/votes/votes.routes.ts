// Routes of approvers: approve or reject a withdrawal, a signing operation, or a change of the policy, the address
// book, users, keys or freezes. Who may is the scope, the policy and the round; who asked for it never may.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { approveBody, digestBody, rejectBody, rejectDigestBody } from '../approvals/approvals.schema.ts';
import { authorityChangeSchema, changeParams } from '../authority-changes/authority-changes.schema.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { addressBookEntry, addressBookParams } from '../policies/address-book.schema.ts';
import { policyRecord } from '../policies/policies.schema.ts';
import { signingIdParams, signingRequest } from '../signing-requests/signing-requests.schema.ts';
import { withdrawalParams, withdrawalRecord } from '../withdrawals/withdrawals.schema.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { addressSubject } from './address-approval.ts';
import { authorityChangeSubject } from './authority-change-approval.ts';
import { policySubject } from './policy-approval.ts';
import type { PasskeyVote } from './prove-vote.ts';
import { recordDecision, type VoteDependencies } from './record-vote.ts';
import { signingSubject } from './signing-approval.ts';
import { withdrawalSubject } from './withdrawal-approval.ts';

const verbs = [
  {
    verb: 'approve',
    decision: 'approved',
    body: approveBody,
    bodyWithDigest: digestBody,
    summary: 'Approve',
    description:
      'An approval is of the digest that is shown with what waits for it, once a key, until it expires; with the last that is needed it goes on at once. Whoever asked for it ' +
      'cannot approve it. Harmless to repeat.',
  },
  {
    verb: 'reject',
    decision: 'rejected',
    body: rejectBody,
    bodyWithDigest: rejectDigestBody,
    summary: 'Reject',
    description:
      'One rejection ends it. Whoever asked for it cannot reject it: cancelling is another route. Harmless to repeat.',
  },
] as const;

const statuses = [400, 401, 403, 404, 409, 413, 415, 423, 503] as const;

export const approvalRoutes =
  (dependencies: VoteDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { verb, decision, body, bodyWithDigest, summary, description } of verbs) {
      app.route({
        method: 'POST',
        url: `/withdrawals/:withdrawal_id/${verb}`,
        schema: {
          tags: ['withdrawals'],
          operationId: `${verb}Withdrawal`,
          summary: `${summary} a withdrawal`,
          description,
          params: withdrawalParams,
          headers: idempotencyHeaders,
          body,
          response: { 200: envelopeOf(withdrawalRecord), ...errors(...statuses) },
        },
        handler: async (request) => {
          const id = request.params.withdrawal_id.toLowerCase();
          const subject = withdrawalSubject(request.caller.key, id);
          const said = { decision, ...saidIn(request.body) };
          return success(await recordDecision(dependencies, request, { target: id, subject, vote: said }));
        },
      });

      app.route({
        method: 'POST',
        url: `/signing-requests/:signing_id/${verb}`,
        schema: {
          tags: ['signing'],
          operationId: `${verb}SigningRequest`,
          summary: `${summary} a signing operation`,
          description,
          params: signingIdParams,
          headers: idempotencyHeaders,
          body,
          response: { 200: envelopeOf(signingRequest), ...errors(...statuses) },
        },
        handler: async (request) => {
          const id = request.params.signing_id.toLowerCase();
          const subject = signingSubject(request.caller.key, id);
          const said = { decision, ...saidIn(request.body) };
          return success(await recordDecision(dependencies, request, { target: id, subject, vote: said }));
        },
      });

      app.route({
        method: 'POST',
        url: `/workspaces/:workspace_id/policy/${verb}`,
        schema: {
          tags: ['policy'],
          operationId: `${verb}Policy`,
          summary: `${summary} a change of the policy`,
          description: `${description} The digest says which change is meant, since a newer one takes the place of an older one.`,
          params: workspaceParams,
          headers: idempotencyHeaders,
          body: bodyWithDigest,
          response: { 200: envelopeOf(policyRecord), ...errors(...statuses) },
        },
        handler: async (request) => {
          const { key } = request.caller;
          const subject = policySubject(key, dependencies);
          const said = { decision, ...saidIn(request.body) };
          return success(await recordDecision(dependencies, request, { target: key.workspaceId, subject, vote: said }));
        },
      });

      app.route({
        method: 'POST',
        url: `/workspaces/:workspace_id/address-book/:address_book_id/${verb}`,
        schema: {
          tags: ['policy'],
          operationId: `${verb}Address`,
          summary: `${summary} an addition to the address book`,
          description,
          params: addressBookParams,
          headers: idempotencyHeaders,
          body,
          response: { 200: envelopeOf(addressBookEntry), ...errors(...statuses) },
        },
        handler: async (request) => {
          const id = request.params.address_book_id.toLowerCase();
          const subject = addressSubject(request.caller.key, id);
          const said = { decision, ...saidIn(request.body) };
          return success(await recordDecision(dependencies, request, { target: id, subject, vote: said }));
        },
      });

      app.route({
        method: 'POST',
        url: `/changes/:change_id/${verb}`,
        schema: {
          tags: ['users'],
          operationId: `${verb}Change`,
          summary: `${summary} a change of users, keys or freezes`,
          description,
          params: changeParams,
          headers: idempotencyHeaders,
          body,
          response: { 200: envelopeOf(authorityChangeSchema), ...errors(...statuses) },
        },
        handler: async (request) => {
          const id = request.params.change_id.toLowerCase();
          const subject = authorityChangeSubject(request.caller.key, id);
          const said = { decision, ...saidIn(request.body) };
          return success(await recordDecision(dependencies, request, { target: id, subject, vote: said }));
        },
      });
    }
  };

/** The reason of a rejection: withdrawals and signing operations show it, and the audit log that of anything. */
const saidIn = (body: { digest?: string; reason?: string; passkey?: PasskeyVote } | null | undefined) => ({
  digest: body?.digest,
  reason: body?.reason,
  passkey: body?.passkey,
});
