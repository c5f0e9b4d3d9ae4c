// Routes that move a wallet along its arrows: freeze, unfreeze, archive. A wallet that is already there is answered as
// it is.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type WalletStatus, walletArrows } from '../../domain/statuses.ts';
import { nextSealedVersion } from '../../drizzle/audit/inactive-rows.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { hasUnresolvedOutflow } from '../../drizzle/outflows/outflows.ts';
import { findWallet, lockWallet } from '../../drizzle/wallets/wallet-queries.ts';
import { advanceWallet } from '../../drizzle/wallets/wallet-steps.ts';
import type { WalletRow } from '../../drizzle/wallets/wallets.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { reasonBody, reasonOf } from '../http/reason-body.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { requireFound } from './require-wallet.ts';
import { showWallet } from './show-wallets.ts';
import { toWalletFields } from './wallets.response.ts';
import { walletParams, walletRecord } from './wallets.schema.ts';

interface Move {
  verb: 'freeze' | 'unfreeze' | 'archive';
  /** Narrower than the arrows: unfreezing must never end the creation of a wallet. */
  from: readonly WalletStatus[];
  to: WalletStatus;
  operationId: string;
  summary: string;
  description: string;
}

const moves: readonly Move[] = [
  {
    verb: 'freeze',
    from: ['active'],
    to: 'frozen',
    operationId: 'freezeWallet',
    summary: 'Freeze a wallet',
    description:
      'A frozen wallet signs nothing, and receives as before. Signatures already handed to the nodes are not recalled.',
  },
  {
    verb: 'unfreeze',
    from: ['frozen'],
    to: 'active',
    operationId: 'unfreezeWallet',
    summary: 'Unfreeze a wallet',
    description:
      'The wallet signs again. Not while something left it that this service did not send (409 `invalid_state`): first an operator says what that was.',
  },
  {
    verb: 'archive',
    from: ['active', 'frozen'],
    to: 'archived',
    operationId: 'archiveWallet',
    summary: 'Archive a wallet',
    description:
      'For ever: an archived wallet signs nothing and shows no deposit address any more. Its records stay readable.',
  },
];

export const walletStatusRoutes =
  (dependencies: WriteDependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const move of moves) {
      app.route({
        method: 'POST',
        url: `/wallets/:wallet_id/${move.verb}`,
        schema: {
          tags: ['wallets'],
          operationId: move.operationId,
          summary: move.summary,
          description: move.description,
          params: walletParams,
          headers: idempotencyHeaders,
          body: reasonBody,
          response: { 200: envelopeOf(walletRecord), ...errors(400, 401, 403, 404, 409, 413, 415, 503) },
        },
        handler: async (request) => {
          const { workspaceId } = request.caller.key;
          const id = request.params.wallet_id.toLowerCase();
          const { result } = await acceptWrite(dependencies, request, {
            id,
            target: id,
            make: async (tx, _start, note) => {
              const wallet = requireFound(await lockWallet(tx, workspaceId, id, 'no key update'));
              note({ before: toWalletFields(wallet) });
              const moved = await moveWallet(tx, wallet, move, reasonOf(request.body));
              if (moved.status !== wallet.status)
                note({
                  sealed: [
                    await nextSealedVersion(
                      tx,
                      dependencies.seals,
                      { ...moved, kind: 'wallet' },
                      moved.status !== 'active',
                    ),
                  ],
                });
              return showWallet(tx, dependencies.seals, moved);
            },
          });
          return success(result);
        },
      });
    }
  };

async function moveWallet(
  tx: Transaction,
  wallet: WalletRow,
  { verb, from, to }: Move,
  reason: string | null,
): Promise<WalletRow> {
  const { id, workspaceId, status } = wallet;
  if (status === to) return wallet;
  if (!from.includes(status) || !walletArrows[status].includes(to))
    throw new ApiError(
      'invalid_state',
      `The wallet is ${status}: only a wallet that is ${from.join(' or ')} can be ${past[verb]}.`,
    );
  if (verb === 'unfreeze' && (await hasUnresolvedOutflow(tx, id)))
    throw new ApiError(
      'invalid_state',
      'Something left the wallet that this service did not send: an operator resolves it with `npm run outflows` before the wallet can be unfrozen.',
    );
  if (!(await advanceWallet(tx, id, { from: status, to, fields: { reason } })))
    throw new Error('a wallet that was locked has moved');
  return requireFound(await findWallet(tx, workspaceId, id));
}

const past = { freeze: 'frozen', unfreeze: 'unfrozen', archive: 'archived' };
