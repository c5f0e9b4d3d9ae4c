// Sees to it that every network with a node is watched: one workflow each, attached to when it runs, started again when
// it was ended: by an operator, or because it was asked of a worker without that node.
import type { Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { isSandboxCode } from '../../domain/catalog/sandbox.ts';
import type { Logger } from '../../domain/logger.ts';
import { networkCodeAttribute, operationStatusAttribute } from '../../workflows/search-attributes.ts';
import type { WatchNetworkInput } from '../../workflows/watch-network.ts';
import { repeat } from './repeat.ts';

const AGAIN_MS = 5_000;
/** Once all were confirmed: a minute. */
const CHECKED_EVERY_ROUNDS = 12;
const elsewhere = { shortestMs: 1_000, longestMs: 15_000, lingerMs: 10_000, delayMs: 1_000 };
/** Its chains are ours: looking costs no money, and on a quiet machine processor time that somebody wonders about. */
const inSandbox = { shortestMs: 500, longestMs: 2_000, lingerMs: 20_000, delayMs: 500 };

export interface WatchingDependencies {
  client: Client;
  taskQueue: string;
  networkCodes: readonly string[];
  log: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Two deployments may share a namespace, never a task queue. Not made by workflowIdOf: one that runs never ends, and
 * another id would begin a second one beside it.
 */
export const watchIdOf = (networkCode: string, taskQueue: string) => `watch-${networkCode}-${taskQueue}`;

/** Runs until the returned function is called. The workflows go on without this process. */
export function startWatching({ client, taskQueue, networkCodes, log }: WatchingDependencies): () => Promise<void> {
  const confirmed = new Set<string>();
  return repeat({ name: 'watching the networks', everyMs: AGAIN_MS, log }, async (round) => {
    const before = confirmed.size;
    if (before === networkCodes.length && round % CHECKED_EVERY_ROUNDS !== 0) return;
    for (const networkCode of networkCodes)
      await watch(client, taskQueue, networkCode).then(
        () => confirmed.add(networkCode),
        (error: unknown) => log.warn({ err: error, networkCode }, 'a network is not watched yet'),
      );
    if (confirmed.size > before && confirmed.size === networkCodes.length)
      log.info({ networkCodes }, 'networks are watched');
  });
}

async function watch(client: Client, taskQueue: string, networkCode: string): Promise<void> {
  const input: WatchNetworkInput = { networkCode, pace: isSandboxCode(networkCode) ? inSandbox : elsewhere };
  await client.workflow.start('watchNetwork', {
    workflowId: watchIdOf(networkCode, taskQueue),
    taskQueue,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `Watch ${networkCode}`,
    staticDetails:
      'Reads every block of the network and records what arrives at our addresses, for as long as the service exists.',
    typedSearchAttributes: new TypedSearchAttributes([
      { key: networkCodeAttribute, value: networkCode },
      { key: operationStatusAttribute, value: 'watching' },
    ]),
  });
}
