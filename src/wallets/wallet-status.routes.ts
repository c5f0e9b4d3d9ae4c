// Routes that move a wallet along its arrows: freeze, unfreeze, archive. A wallet that is already there is answered as
// it is. Unfreezing needs another user where changes do.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type WalletStatus, walletArrows } from '../../domain/statuses.ts';
import { nextSealedVersion } from '../../drizzle/audit/inactive-rows.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { findWallet, lockWallet } from '../../drizzle/wallets/wallet-queries.ts';
import { advanceWallet } from '../../drizzle/wallets/wallet-steps.ts';
import type { WalletRow } from '../../drizzle/wallets/wallets.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import type { ShownChange } from '../authority-changes/authority-changes.response.ts';
import { authorityChangeSchema } from '../authority-changes/authority-changes.schema.ts';
import { findNeededApprovals } from '../authority-changes/request-change.ts';
import { envelopeOf, errors, success } from '../http/envelope.ts';
import { ApiError } from '../http/errors.ts';
import { idempotencyHeaders } from '../http/headers.schema.ts';
import { reasonBody, reasonOf } from '../http/reason-body.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import { requireFound } from './require-wallet.ts';
import { showWallet } from './show-wallets.ts';
import { askToUnfreezeWallet, assertMayUnfreeze } from './unfreeze-wallet.ts';
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
      'The wallet signs again. In production, and where the policy in force has `changes`, it waits for the approval of another user, whoever froze it: 202 with what waits. ' +
      'Not while something left it that this service did not send (409 `invalid_state`): first an operator says what that was.',
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

const writeErrors = errors(400, 401, 403, 404, 409, 413, 415, 503);
const waits = { 202: envelopeOf(authorityChangeSchema) };

type ShownWallet = Awaited<ReturnType<typeof showWallet>>;

export const walletStatusRoutes =
  (dependencies: WriteDependencies & { production: boolean }): FastifyPluginAsyncTypebox =>
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
          response: { 200: envelopeOf(walletRecord), ...(move.verb === 'unfreeze' ? waits : {}), ...writeErrors },
        },
        handler: async (request, reply) => {
          const { workspaceId, userId } = request.caller.key;
          const id = request.params.wallet_id.toLowerCase();
          const asked = { userId, reason: reasonOf(request.body) };
          const { result } = await acceptWrite<ShownWallet | ShownChange>(dependencies, request, {
            id,
            target: id,
            make: async (tx, _start, note) => {
              // Before the wallet, as whoever approves it does.
              if (move.verb === 'unfreeze') await lockWorkspace(tx, workspaceId);
              const wallet = requireFound(await lockWallet(tx, workspaceId, id, 'no key update'));
              note({ before: toWalletFields(wallet) });
              const { seals } = dependencies;
              const isUnfrozen = move.verb === 'unfreeze' && wallet.status === 'frozen';
              const needed = isUnfrozen ? await findNeededApprovals(tx, dependencies, workspaceId) : undefined;
              if (needed !== undefined) return askToUnfreezeWallet(tx, { seals, needed }, wallet, asked);
              const moved = await moveWallet(tx, wallet, move, asked.reason);
              if (moved.status !== wallet.status) {
                const isGone = moved.status !== 'active';
                note({ sealed: [await nextSealedVersion(tx, seals, { ...moved, kind: 'wallet' }, isGone)] });
              }
              return showWallet(tx, seals, moved);
            },
          });
          return reply.code('kind' in result ? 202 : 200).send(success(result));
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
  if (verb === 'unfreeze') await assertMayUnfreeze(tx, id);
  if (!(await advanceWallet(tx, id, { from: status, to, fields: { reason } })))
    throw new Error('a wallet that was locked has moved');
  return requireFound(await findWallet(tx, workspaceId, id));
}

const past = { freeze: 'frozen', unfreeze: 'unfrozen', archive: 'archived' };
