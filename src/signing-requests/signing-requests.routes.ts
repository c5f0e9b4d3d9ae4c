// Routes of signing operations that exist: list them, follow one, cancel one. Asking for a signature is in
// sign.routes.ts.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { isFinal, signingArrows } from '../../domain/statuses.ts';
import {
  type SigningRequestView,
  signingViewsTogether,
  viewSigningRequests,
  withApprovals,
} from '../../drizzle/signing-requests/signing-approvals.ts';
import { listSigningRequests } from '../../drizzle/signing-requests/signing-queries.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { SHOWN_BYTES_MAX } from '../decoding/shown-bytes.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { notFound } from '../http/errors.ts';
import { namesIn } from '../http/external-id.schema.ts';
import { idempotencyHeaders, preferHeaders, waitedHeaders } from '../http/headers.schema.ts';
import { pageOf, readPage, sendPage } from '../http/paging.ts';
import { reasonBody, reasonOf } from '../http/reason-body.ts';
import { shareAnswers } from '../http/waiting/coalesced-reads.ts';
import type { LongPoll } from '../http/waiting/long-poll.ts';
import { storedAddressForms } from '../wallets/address-spellings.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import type { WriteDependencies } from '../writes/accept-write.ts';
import { cancelSigningRequest } from './cancel-signing-request.ts';
import { type PayloadSources, payloadOfRow } from './shown-payload.ts';
import { toAliasView, toSigningRequest } from './signing-requests.response.ts';
import {
  aliasParams,
  aliasView,
  signingIdParams,
  signingRequest,
  signingRequestsQuery,
} from './signing-requests.schema.ts';

const tags = ['signing'];

export const signingRoutes =
  (dependencies: WriteDependencies & { networks: NetworkCatalog; waiting: LongPoll }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, networks, seals, waiting } = dependencies;
    const readWhenFinal = waiting.readerOf<SigningRequestView>({
      find: signingViewsTogether(db),
      findAll: (workspaceId, ids) => viewSigningRequests(db, workspaceId, ids),
      isFinal: ({ status }) => isFinal(signingArrows, status),
    });

    const answerRequest = shareAnswers((row: SigningRequestView, sources: PayloadSources) =>
      success(toSigningRequest(row, payloadOfRow(sources, row))),
    );
    const readSources = async (): Promise<PayloadSources> => ({ networks: await networks.list(), seals });
    const answerAlias = shareAnswers((row: SigningRequestView) => success(toAliasView(row)));

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/signing-requests',
      schema: {
        tags,
        operationId: 'listSigningRequests',
        summary: 'List signing operations',
        description: 'What is signed is shown where it has at most 4 KiB: read the operation itself for more.',
        params: workspaceParams,
        querystring: signingRequestsQuery,
        response: { 200: pageOf(signingRequest), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const { key } = request.caller;
        const { status: statuses, wallet_id, network_id, external_id, address } = request.query;
        for (const walletId of wallet_id ?? []) assertWalletAllowed(key, walletId);
        const walletIds = wallet_id ?? (key.walletIds.length > 0 ? key.walletIds : undefined);
        const networkCodes = network_id && (await codesOf(networks, network_id));
        const page = readPage(request.query);
        const externalIds = namesIn(external_id);
        const addresses = address?.flatMap(storedAddressForms);
        const filter = { workspaceId: key.workspaceId, walletIds, statuses, networkCodes, externalIds, addresses };
        const rows = await withApprovals(db, await listSigningRequests(db, filter, page));
        const sources = await readSources();
        const show = (row: SigningRequestView) => toSigningRequest(row, payloadOfRow(sources, row, SHOWN_BYTES_MAX));
        return sendPage(request, reply, { page, rows, show });
      },
    });

    app.route({
      method: 'POST',
      url: '/signing-requests/:signing_id/cancel',
      schema: {
        tags,
        operationId: 'cancelSigningRequest',
        summary: 'Cancel a signing operation',
        description: 'While it is `pending`: it becomes `failed` with the reason `cancelled`, and nothing is signed.',
        params: signingIdParams,
        headers: idempotencyHeaders,
        body: reasonBody,
        response: { 200: envelopeOf(signingRequest), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) => {
        const id = request.params.signing_id.toLowerCase();
        return success(await cancelSigningRequest(dependencies, request, id, reasonOf(request.body)));
      },
    });

    app.route({
      method: 'GET',
      url: '/signing-requests/:signing_id',

      schema: {
        tags,
        operationId: 'readSigningRequest',
        summary: 'Read a signing operation',
        params: signingIdParams,
        headers: preferHeaders,
        response: {
          200: { ...envelopeOf(signingRequest), headers: waitedHeaders },
          ...errors(400, 401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const row = await readWhenFinal(request, reply, request.params.signing_id, (found) => {
          if (found === undefined) throw notFound('signing request');
          assertWalletAllowed(request.caller.key, found.walletId);
          return found;
        });
        return answerRequest(reply, row, await readSources());
      },
    });

    app.route({
      method: 'GET',
      url: '/web3/:wallet_id/sign/:signing_id',

      schema: {
        tags,
        operationId: 'readSigningStatus',
        summary: 'Read a signing operation (SDK alias)',
        params: aliasParams,
        headers: preferHeaders,
        response: {
          200: { ...envelopeOf(aliasView), headers: waitedHeaders },
          ...errors(400, 401, 403, 404, 503),
        },
      },
      handler: async (request, reply) => {
        const { wallet_id, signing_id } = request.params;
        const row = await readWhenFinal(request, reply, signing_id, (found) => {
          if (found === undefined || found.walletId !== wallet_id.toLowerCase()) throw notFound('signing request');
          return found;
        });
        return answerAlias(reply, row);
      },
    });
  };

/** Operations carry the internal code. A network that is in no catalogue has none. */
async function codesOf(networks: NetworkCatalog, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.map((id) => networks.findById(id)));
  return found.flatMap((network) => (network === undefined ? [] : [network.internalCode]));
}
