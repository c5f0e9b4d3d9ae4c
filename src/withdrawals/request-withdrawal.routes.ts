// Routes that ask for a withdrawal, or for what one would cost. What becomes of one is in withdrawals.routes.ts.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { walletParams } from '../wallets/wallets.schema.ts';
import { estimateWithdrawal } from './estimate-withdrawal.ts';
import { readWithdrawal } from './read-withdrawal.ts';
import { requestWithdrawal, type WithdrawalDependencies } from './request-withdrawal.ts';
import { toWithdrawalAnswer } from './withdrawals.response.ts';
import { estimateBody, withdrawalAnswer, withdrawalBody, withdrawalEstimate } from './withdrawals.schema.ts';

const tags = ['withdrawals'];

export const requestWithdrawalRoutes =
  (dependencies: WithdrawalDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { db, networks, assets } = dependencies;

    app.route({
      method: 'POST',
      url: '/wallets/:wallet_id/request-withdrawal',
      schema: {
        tags,
        operationId: 'requestWithdrawal',
        summary: 'Request a withdrawal',
        description:
          'Holds the amount, asks the policy, and has the withdrawal carried out, once it is approved where the policy wants that. What the policy denies is ' +
          'refused with `policy_denied` and its reasons, and nothing is stored. Amounts above 500 BTC, 20,000 ETH, 100,000 BNB, 500,000 SOL, 100 million US ' +
          'dollars in stablecoins, or a billion of anything else, are taken for mistakes. 202 for a new one; 200 for that which an earlier request with this idempotency key made.',
        params: walletParams,
        headers: idempotencyHeaders,
        body: withdrawalBody,
        response: {
          200: envelopeOf(withdrawalAnswer),
          202: envelopeOf(withdrawalAnswer),
          ...errors(400, 401, 403, 404, 409, 413, 415, 423, 503),
        },
      },
      handler: async (request, reply) => {
        const { params, body } = request;
        const read = () => readWithdrawal({ networks, assets }, body);
        const { created, result } = await requestWithdrawal(
          dependencies,
          request,
          params.wallet_id.toLowerCase(),
          read,
        );
        return reply.code(created ? 202 : 200).send(success(toWithdrawalAnswer(result)));
      },
    });

    app.route({
      method: 'POST',
      url: '/wallets/:wallet_id/withdrawals/estimate',
      schema: {
        tags,
        operationId: 'estimateWithdrawal',
        summary: 'Estimate a withdrawal',
        description:
          'What the fee can be at most at each level, and whether the wallet has enough. Stores nothing and holds nothing. For a token it is the fee of a plain ' +
          'transfer times 65,000/21,000 on EVM networks, and on Solana with the account that the recipient may lack.',
        params: walletParams,
        body: estimateBody,
        response: {
          200: envelopeOf(withdrawalEstimate),
          ...errors(400, 401, 403, 404, 413, 415, 503),
        },
      },
      handler: async (request) => {
        const { params, body } = request;
        return success(
          await estimateWithdrawal({ db, networks, assets }, request, params.wallet_id.toLowerCase(), body),
        );
      },
    });
  };
