// The operator's command `npm run refresh-keys [-- --wallet ID | --cluster NAME] [--json]`: has a worker renew the
// shares of all keys at the MPC nodes, and waits for its end. One that is under way already is joined. Ends with code 1
// when a key was refused. Reads TEMPORAL_ADDRESS; asks neither the database nor a node itself.
import { parseArgs } from 'node:util';
import { validate } from 'uuid';
import { clusterName } from '../../domain/clusters.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { KeyRefresh, refreshKeys } from '../../workflows/refresh-keys.ts';
import { ConfigError } from '../process/config.ts';
import { runWorkflowCommand, type WorkflowRunner } from './workflow-command.ts';

async function main({ client, taskQueue }: WorkflowRunner): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, wallet: { type: 'string' }, cluster: { type: 'string' } },
  });
  const { wallet, cluster } = values;
  if (wallet !== undefined && !validate(wallet)) throw new ConfigError('--wallet must be the id of a wallet.');
  if (cluster !== undefined && (wallet !== undefined || !clusterName.test(cluster)))
    throw new ConfigError('--cluster must be the name of a cluster, and stands alone: a wallet has its own.');
  const named = cluster === undefined ? [] : [cluster];
  const result = await client.workflow.execute<typeof refreshKeys>('refreshKeys', {
    workflowId: workflowIdOf('refreshKeys', wallet ?? [taskQueue, ...named].join('/')),
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue,
    args: [{ ...(wallet !== undefined && { walletId: wallet }), ...(cluster !== undefined && { cluster }) }],
    staticSummary: `Renew the shares of ${wallet === undefined ? ['all keys', ...named].join(' of cluster ') : `wallet ${wallet}`}`,
  });
  console.log(values.json ? JSON.stringify(result) : describe(result, wallet));
  if (result.failedCount > 0 || isMissing(result, wallet)) process.exitCode = 1;
}

const isMissing = ({ refreshed, failedCount }: KeyRefresh, wallet?: string) =>
  wallet !== undefined && refreshed + failedCount === 0;

function describe(result: KeyRefresh, wallet?: string): string {
  if (isMissing(result, wallet)) return `There is no wallet ${wallet} with keys.`;
  const { refreshed, failed, failedCount } = result;
  const lines = failed.map(
    ({ walletId, curve, errorReason }) => `REFUSED  ${curve} key of wallet ${walletId}: ${errorReason}`,
  );
  if (failedCount > failed.length) lines.push(`… and ${failedCount - failed.length} more`);
  return [...lines, `${refreshed} keys have new shares on every node, ${failedCount} were refused.`].join('\n');
}

runWorkflowCommand('The refresh', main);
