// Routes that ask for signatures: of a digest, a message, typed data, a transaction, or a batch of these. What becomes
// of a request is read elsewhere.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { chooseSolanaNetwork } from '../catalog/choose-solana-network.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { walletParams } from '../wallets/wallets.schema.ts';
import { contractCallAnswer } from '../withdrawals/contract-call.schema.ts';
import { readContractCall } from '../withdrawals/contract-call.ts';
import { readEvmSend } from '../withdrawals/evm-send.ts';
import { requestWithdrawal, type WithdrawalDependencies } from '../withdrawals/request-withdrawal.ts';
import type { SolanaSendBody } from '../withdrawals/solana-send.schema.ts';
import { readSolanaSend } from '../withdrawals/solana-send.ts';
import type { WithdrawalIntent } from '../withdrawals/withdrawal-intent.ts';
import { toContractCallAnswer } from '../withdrawals/withdrawals.response.ts';
import { assertExactNumbers } from './bodies/exact-numbers.ts';
import { readCall } from './bodies/read-alias-body.ts';
import { readMessage } from './bodies/read-message.ts';
import { readSignBody } from './bodies/read-sign-body.ts';
import {
  readSolanaMessage,
  readSolanaSender,
  readSolanaSign,
  readSolanaTransaction,
} from './bodies/read-solana-body.ts';
import { readTransaction } from './bodies/read-transaction.ts';
import { readTypedData } from './bodies/read-typed-data.ts';
import {
  batchBody,
  messageBody,
  type RawBody,
  rawBody,
  transactionBody,
  typedBody,
} from './bodies/sign-bodies.schema.ts';
import { assertSignShape, isEvmSend } from './bodies/sign-shapes.ts';
import { assertRawEnabled } from './raw-switch.ts';
import { requestBatch } from './request-batch.ts';
import { requestSignature, type SigningDependencies } from './request-signature.ts';
import type { SigningIntent } from './signing-intent.ts';
import { toBatchAnswer, toSignAnswer } from './signing-requests.response.ts';
import { batchAnswer, signAnswer } from './signing-requests.schema.ts';

const tags = ['signing'];
const response = {
  200: envelopeOf(signAnswer),
  202: envelopeOf(signAnswer),
  ...errors(400, 401, 403, 404, 409, 413, 415, 423, 503),
};
/** Of the routes that also take a transaction to broadcast. */
const rawAnswer = envelopeOf(Type.Union([signAnswer, contractCallAnswer], { title: 'SignOutcome' }));
const rawResponse = { ...response, 200: rawAnswer, 202: rawAnswer };
const common = { tags, params: walletParams, headers: idempotencyHeaders, response };

/**
 * RFC 9745: a date. That of the first version of this service, which has known the alias as deprecated from the start.
 */
const DEPRECATED_SINCE = '@1795219200';

/** Both take what the other takes: an existing caller may change over without signing twice what it repeats. */
const rawConfig = {
  idempotencyPaths: ['/api/v1/web3/transaction/:wallet_id/signRaw', '/api/v1/web3/:wallet_id/sign'],
} as const;

const FOLLOW =
  'Accepts the request and has two of three nodes sign. Poll the signing request until it is `success` or `failed`.';

const SHAPES =
  'A body with `method` is a call as JSON-RPC names it, and one with `meta` a Solana transaction whose status shows its signature. Only digests are behind the switch for raw signing.';

const BROADCAST =
  'With `solana_signAndSendTransaction` a Solana transaction is signed, sent and followed in the same way. ' +
  'A body with `transaction`, or with the fields of a transaction themselves (EVM), is a contract call: it is completed, signed and broadcast, and followed as a withdrawal under `transaction_id`. Its ' +
  'value, or the token of the catalogue that it is a plain `transfer` of, is held and booked; what else a contract moves does not show in the balances here.';

export const signRoutes =
  (dependencies: SigningDependencies & WithdrawalDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { networks } = dependencies;

    app.route({
      method: 'POST',
      url: '/web3/:wallet_id/sign',
      config: rawConfig,
      preValidation: assertSignShape,
      schema: {
        ...common,
        response: rawResponse,
        operationId: 'signAny',
        summary: 'Sign a digest, a message, typed data or a transaction (SDK alias)',
        deprecated: true,
        description: `${FOLLOW} ${SHAPES} ${BROADCAST}`,
        body: rawBody,
      },
      handler: async (request, reply) => {
        const { body, params } = request;
        reply.header('deprecation', DEPRECATED_SINCE);
        reply.header('link', `</api/v1/web3/transaction/${params.wallet_id}/signTyped>; rel="successor-version"`);
        return acceptRaw(dependencies, request, reply, body);
      },
    });

    app.route({
      method: 'POST',
      url: '/web3/transaction/:wallet_id/signRaw',
      config: rawConfig,
      preValidation: assertSignShape,
      schema: {
        ...common,
        response: rawResponse,
        operationId: 'sign',
        summary: 'Sign a digest, a message or typed data, or sign and broadcast a transaction',
        description: `${FOLLOW} ${SHAPES} ${BROADCAST}`,
        body: rawBody,
      },
      handler: async (request, reply) => acceptRaw(dependencies, request, reply, request.body),
    });

    app.route({
      method: 'POST',
      url: '/web3/transaction/:wallet_id/signMessage',
      schema: {
        ...common,
        operationId: 'signMessage',
        summary: 'Sign a message (EIP-191, or off-chain on Solana)',
        description: `${FOLLOW} On EVM networks the nodes put the prefix of EIP-191 on themselves; on Solana the message is signed in the envelope of its off-chain message signing, which \`payload\` shows. A message that is a digest and nothing else (32 bytes, or 64 hex digits) is behind the switch for raw signing.`,
        body: messageBody,
      },
      handler: async (request, reply) =>
        accept(dependencies, request, reply, () =>
          readMessage(networks, request.body, {
            ...dependencies,
            workspaceId: request.caller.key.workspaceId,
            walletId: request.params.wallet_id.toLowerCase(),
          }),
        ),
    });

    app.route({
      method: 'POST',
      url: '/web3/transaction/:wallet_id/signTyped',
      schema: {
        ...common,
        operationId: 'signTyped',
        summary: 'Sign typed data (EIP-712)',
        description: `${FOLLOW} For EVM networks. The nodes compute the digest from the document themselves; it is kept for audit.`,
        body: typedBody,
      },
      handler: async (request, reply) => {
        assertExactNumbers('body', request.rawBody.toString());
        return accept(dependencies, request, reply, () => readTypedData(networks, request.body));
      },
    });

    app.route({
      method: 'POST',
      url: '/web3/transaction/:wallet_id/signTransaction',
      schema: {
        ...common,
        operationId: 'signTransaction',
        summary: 'Sign a transaction',
        description: `${FOLLOW} For EVM networks and Solana. Broadcasts nothing.`,
        body: transactionBody,
      },
      handler: async (request, reply) =>
        accept(dependencies, request, reply, () => readTransaction(networks, request.body)),
    });

    app.route({
      method: 'POST',
      url: '/web3/transaction/:wallet_id/signBatch',
      schema: {
        ...common,
        operationId: 'signBatch',
        summary: 'Sign a batch',
        description:
          'Up to 100 items, each as the route of its type takes it. A body of another shape is refused whole; an item that is refused for what it says gets ' +
          'its `error`, and the others are accepted together: 202. An `external_id` that is taken, or that two items have, refuses the batch. With 200 nothing new was made: the batch is a repeat, or every item was refused, and then ' +
          'nothing is stored.',
        body: batchBody,
        response: { ...response, 200: envelopeOf(batchAnswer), 202: envelopeOf(batchAnswer) },
      },
      handler: async (request, reply) => {
        assertExactNumbers('body', request.rawBody.toString());
        const { params, body } = request;
        const { created, result } = await requestBatch(
          dependencies,
          request,
          params.wallet_id.toLowerCase(),
          body.items,
        );
        const sources = { networks: await networks.list(), seals: dependencies.seals };
        return reply.code(created ? 202 : 200).send(success(toBatchAnswer(sources, result, created)));
      },
    });
  };

/** `/sign` and `signRaw`, which take the same bodies. */
function acceptRaw(
  dependencies: SigningDependencies & WithdrawalDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  body: RawBody,
) {
  const { networks } = dependencies;
  if ('meta' in body) return accept(dependencies, request, reply, () => readSolanaSign(networks, body));
  if ('method' in body && body.method === 'solana_signAndSendTransaction')
    return broadcast(dependencies, request, reply, () => readSend(dependencies, body));
  if ('transaction' in body) return broadcast(dependencies, request, reply, () => readContractCall(dependencies, body));
  if ('method' in body)
    return accept(dependencies, request, reply, () =>
      body.method === 'solana_signMessage' ? readSolanaMessage(networks, body) : readCall(networks, body),
    );
  if (isEvmSend(body)) return broadcast(dependencies, request, reply, () => readEvmSend(dependencies, body));
  return accept(dependencies, request, reply, () => {
    assertRawEnabled(dependencies);
    return readSignBody(networks, body);
  });
}

async function readSend(dependencies: WithdrawalDependencies, body: SolanaSendBody): Promise<WithdrawalIntent> {
  const { transaction, from, network_internal_code: code, notes = null, external_id: externalId = null } = body;
  const network = await chooseSolanaNetwork(dependencies.networks, code, dependencies.db);
  const message = readSolanaTransaction('transaction', transaction);
  const intent = await readSolanaSend(dependencies, { network, message, notes, externalId });
  if (from != null && readSolanaSender(from) !== intent.sender)
    throw new ApiError('invalid_address', `from is not who pays and signs the transaction, which is ${intent.sender}.`);
  return intent;
}

/**
 * All sign routes answer alike: 202 for a new operation, 200 for the one that an earlier request with this idempotency
 * key made.
 */
async function accept(
  dependencies: SigningDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<SigningIntent>,
) {
  const { wallet_id } = request.params as { wallet_id: string };
  const walletId = wallet_id.toLowerCase();
  const { created, result } = await requestSignature(dependencies, request, walletId, read);
  const sources = { networks: await dependencies.networks.list(), seals: dependencies.seals };
  return reply.code(created ? 202 : 200).send(success(toSignAnswer(sources, result, created)));
}

async function broadcast(
  dependencies: WithdrawalDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  read: () => Promise<WithdrawalIntent>,
) {
  assertExactNumbers('body', request.rawBody.toString());
  const { wallet_id } = request.params as { wallet_id: string };
  const { created, result } = await requestWithdrawal(dependencies, request, wallet_id.toLowerCase(), read);
  return reply.code(created ? 202 : 200).send(success(toContractCallAnswer(dependencies.seals, result, created)));
}
