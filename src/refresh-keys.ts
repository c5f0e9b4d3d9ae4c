// The operator's command `npm run refresh-keys [-- --wallet ID] [--json]`: has a worker renew the shares of all keys at the MPC nodes, and waits for its end. One that is under
// way already is joined. Ends with code 1 when a key was refused. Reads TEMPORAL_ADDRESS; asks neither the database nor a node itself.
import { parseArgs } from 'node:util';
import { validate } from 'uuid';
import type { KeyRefresh, refreshKeys } from '../workflows/refresh-keys.ts';
import { ConfigError, readReconciliationConfig } from './config.ts';
import { temporalClient, temporalSettings } from './temporal.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, wallet: { type: 'string' } } });
  const { wallet } = values;
  if (wallet !== undefined && !validate(wallet)) throw new ConfigError('--wallet must be the id of a wallet.');
  const settings = temporalSettings(readReconciliationConfig(process.env));
  const client = temporalClient(settings);
  try {
    const result = await client.workflow.execute<typeof refreshKeys>('refreshKeys', {
      workflowId: `refresh-keys-${wallet ?? settings.taskQueue}`,
      workflowIdConflictPolicy: 'USE_EXISTING',
      taskQueue: settings.taskQueue,
      args: [wallet === undefined ? {} : { walletId: wallet }],
      staticSummary: wallet === undefined ? 'Renew the shares of all keys' : `Renew the shares of wallet ${wallet}`,
    });
    console.log(values.json ? JSON.stringify(result) : describe(result, wallet));
    if (result.failedCount > 0 || isMissing(result, wallet)) process.exitCode = 1;
  } finally {
    await client.connection.close();
  }
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

main().catch((error: Error) => {
  console.error(error instanceof ConfigError ? error.message : `The refresh failed: ${error.message}`);
  process.exitCode = 1;
});
