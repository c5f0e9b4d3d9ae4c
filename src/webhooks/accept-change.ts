// The one way in which a webhook changes: by a key of its workspace that is bound to no wallet, alone, and never once
// it is deleted.
import type { FastifyRequest } from 'fastify';
import { workflowIdOfRow } from '../../domain/workflow-ids.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { findWebhook, lockWebhook, type WebhookRow } from '../../drizzle/webhooks/webhooks.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { acceptWrite, type Operation, type WriteDependencies } from '../writes/accept-write.ts';
import { toWebhookRecord } from './webhooks.response.ts';

/** A webhook hears of every wallet. */
export function assertReachesAll({ walletIds }: Pick<UsableKey, 'walletIds'>): void {
  if (walletIds.length > 0)
    throw new ApiError('wallet_not_allowed', 'This key is bound to wallets, and webhooks tell of every wallet.');
}

export function requireThere(row: WebhookRow | undefined): WebhookRow {
  if (row === undefined || row.status === 'deleted') throw notFound('webhook');
  return row;
}

export function assertActive({ status }: WebhookRow): void {
  if (status !== 'active')
    throw new ApiError('invalid_state', 'The webhook is disabled: set its status to active first.');
}

type Start = Parameters<Operation<unknown>['make']>[1];

/** Wakes who delivers. */
export function startDelivery(start: Start, webhook: WebhookRow): void {
  const { id: webhookId, workspaceId } = webhook;
  const workflowId = workflowIdOfRow(webhook);
  start({ workflow: 'deliverWebhooks', workflowId, input: { webhookId, workspaceId }, signal: 'changed' });
}

export async function acceptChange<Result>(
  dependencies: WriteDependencies,
  request: FastifyRequest,
  id: string,
  make: (tx: Transaction, webhook: WebhookRow, start: Start) => Promise<Result>,
): Promise<Result> {
  const { key } = request.caller;
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: id,
    admit: async (tx) => {
      if ((await findWebhook(tx, key.workspaceId, id)) === undefined) throw notFound('webhook');
      assertReachesAll(key);
    },
    make: async (tx, start, note) => {
      const webhook = requireThere(await lockWebhook(tx, key.workspaceId, id));
      note({ before: toWebhookRecord(webhook) });
      return make(tx, webhook, start);
    },
  });
  return result;
}
