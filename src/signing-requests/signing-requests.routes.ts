// Routes of signing operations: ask for a signature, follow it.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { findSigningRequest } from '../../drizzle/signing-requests.ts';
import { assertWalletAllowed } from '../http/authenticate.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { walletParams } from '../wallets/wallets.schema.ts';
import { requestSignature, type SigningDependencies } from './request-signature.ts';
import { toAliasView, toSigningRequest } from './signing-requests.response.ts';
import {
  aliasParams,
  aliasView,
  signAnswer,
  signBody,
  signingIdParams,
  signingRequest,
} from './signing-requests.schema.ts';

const tags = ['signing'];

export const signingRoutes =
  (dependencies: SigningDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = dependencies;

    const rawRoutes = [
      { url: '/web3/:wallet_id/sign', summary: 'Sign a digest (SDK alias)', deprecated: true },
      { url: '/web3/transaction/:wallet_id/signRaw', summary: 'Sign a digest', deprecated: false },
    ];
    for (const { url, summary, deprecated } of rawRoutes) {
      app.route({
        method: 'POST',
        url,

        schema: {
          tags,
          summary,
          deprecated,
          description:
            'Accepts the request and has two of three nodes sign. Poll the signing request until it is `success` or `failed`.',
          params: walletParams,
          headers: idempotencyHeaders,
          body: signBody,
          response: {
            200: envelopeOf(signAnswer),
            202: envelopeOf(signAnswer),
            ...errors(400, 401, 403, 404, 409, 413, 415, 423, 503),
          },
        },
        handler: async (request, reply) => {
          if (!dependencies.signRawEnabled)
            throw new ApiError('route_disabled', 'Signing of raw digests is switched off here: use signTyped.');
          const { created, result } = await requestSignature(
            dependencies,
            request,
            request.params.wallet_id,
            request.body,
          );
          if (deprecated) {
            reply.header('deprecation', 'true');
            reply.header(
              'link',
              `</api/v1/web3/transaction/${request.params.wallet_id}/signTyped>; rel="successor-version"`,
            );
          }
          const data = { created, transaction_id: result.id, signing_request: toSigningRequest(result) };
          return reply.code(created ? 202 : 200).send(success(data));
        },
      });
    }

    app.route({
      method: 'GET',
      url: '/signing-requests/:signing_id',

      schema: {
        tags,
        summary: 'Read a signing operation',
        params: signingIdParams,
        response: { 200: envelopeOf(signingRequest), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { key } = request.caller;
        const row = await findSigningRequest(db, key.workspaceId, request.params.signing_id);
        if (row === undefined) throw notFound('signing request');
        assertWalletAllowed(key, row.walletId);
        return success(toSigningRequest(row));
      },
    });

    app.route({
      method: 'GET',
      url: '/web3/:wallet_id/sign/:signing_id',

      schema: {
        tags,
        summary: 'Read a signing operation (SDK alias)',
        params: aliasParams,
        response: { 200: envelopeOf(aliasView), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request) => {
        const { wallet_id, signing_id } = request.params;
        const row = await findSigningRequest(db, request.caller.key.workspaceId, signing_id);
        if (row === undefined || row.walletId !== wallet_id.toLowerCase()) throw notFound('signing request');
        return success(toAliasView(row));
      },
    });
  };
