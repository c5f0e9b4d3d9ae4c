// Routes of the address book: list, add and remove the destinations that a policy may call known. Who approves an
// addition is in src/approvals.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { listApprovals } from '../../drizzle/approvals/approvals.ts';
import { listAddresses } from '../../drizzle/policies/address-book.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { noBody } from '../http/no-body.ts';
import { pageOf, readPage, sendPage } from '../http/paging.ts';
import { workspaceParams } from '../workspaces/workspaces.schema.ts';
import { addAddressBody, addressBookEntry, addressBookParams, addressBookQuery } from './address-book.schema.ts';
import { type AddressBookDependencies, addAddress, removeAddress } from './change-address-book.ts';
import { toAddress } from './policies.response.ts';

const tags = ['policy'];

export const addressBookRoutes =
  (dependencies: AddressBookDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db } = dependencies;

    app.route({
      method: 'GET',
      url: '/workspaces/:workspace_id/address-book',
      schema: {
        tags,
        operationId: 'listAddressBook',
        summary: 'List the address book',
        params: workspaceParams,
        querystring: addressBookQuery,
        response: { 200: pageOf(addressBookEntry), ...errors(400, 401, 403, 404, 503) },
      },
      handler: async (request, reply) => {
        const { workspaceId } = request.caller.key;
        const page = readPage(request.query);
        const rows = await listAddresses(db, { workspaceId, networkIds: request.query.network_id }, page);
        const approvals = await listApprovals(
          db,
          rows.map(({ id }) => id),
        );
        return sendPage(request, reply, { page, rows, show: (row) => toAddress(row, approvals.get(row.id)) });
      },
    });

    app.route({
      method: 'POST',
      url: '/workspaces/:workspace_id/address-book',
      schema: {
        tags,
        operationId: 'addAddress',
        summary: 'Add to the address book',
        description:
          'Known at once, unless the policy in force has `changes`: then the entry is `pending` until it has these approvals. In production it needs one approval also without them.',
        params: workspaceParams,
        headers: idempotencyHeaders,
        body: addAddressBody,
        response: { 201: envelopeOf(addressBookEntry), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request, reply) =>
        reply.code(201).send(success(await addAddress(dependencies, request, request.body))),
    });

    app.route({
      method: 'DELETE',
      url: '/workspaces/:workspace_id/address-book/:address_book_id',
      schema: {
        tags,
        operationId: 'removeAddress',
        summary: 'Remove from the address book',
        description: 'Unknown at once; what was decided stays decided.',
        params: addressBookParams,
        headers: idempotencyHeaders,
        body: noBody,
        response: { 200: envelopeOf(addressBookEntry), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
      },
      handler: async (request) =>
        success(await removeAddress(dependencies, request, request.params.address_book_id.toLowerCase())),
    });
  };
