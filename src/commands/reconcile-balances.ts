// The operator's command `npm run reconcile-balances [-- --json]`: has a worker compare the ledger with the chains, and
// prints what differs. Ends with code 1 when anything does, or could not be compared. Reads TEMPORAL_ADDRESS; asks
// neither the database nor a chain itself.
import { parseArgs } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { formatAmount } from '../../domain/money.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { Reconciliation, reconcileBalances } from '../../workflows/reconcile-balances.ts';
import { runWorkflowCommand, type WorkflowRunner } from './workflow-command.ts';

async function main({ client, taskQueue }: WorkflowRunner): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const result = await client.workflow.execute<typeof reconcileBalances>('reconcileBalances', {
    workflowId: workflowIdOf('reconcileBalances', uuidv7()),
    taskQueue,
    args: [{}],
    staticSummary: 'Compare the ledger with the chains',
  });
  console.log(values.json ? JSON.stringify(result) : describe(result));
  if (!isWhole(result)) process.exitCode = 1;
}

const isWhole = ({ imbalances, differenceCount, unreached }: Reconciliation) =>
  imbalances.length === 0 && differenceCount === 0 && Object.keys(unreached).length === 0;

function describe(result: Reconciliation): string {
  const lines = [
    `${result.compared} balances were compared with their chains.`,
    ...result.imbalances.map((what) => `The ledger contradicts itself: ${what}`),
    ...result.differences.map((difference) => `DIFFERS     ${describeOne(difference)}`),
    ...omitted(result.differenceCount - result.differences.length, 'differ'),
    ...result.underWay.map((difference) => `under way   ${describeOne(difference)}`),
    ...omitted(result.underWayCount - result.underWay.length, 'are under way'),
    ...Object.entries(result.unreached).map(([code, why]) => `${code} was not compared: ${why}`),
  ];
  if (result.underWayCount > 0)
    lines.push('What is under way agrees once its transactions are final: run it again then.');
  if (isWhole(result)) lines.push('The ledger agrees with itself and with the chains.');
  return lines.join('\n');
}

function describeOne(difference: Reconciliation['differences'][number]): string {
  const { walletId, networkCode, symbol, decimals, address } = difference;
  const amount = (text: string) => signed(BigInt(text), decimals);
  const [available, held] = [BigInt(difference.available), BigInt(difference.held)];
  const gap = BigInt(difference.onChain) - available - held;
  const parts = [
    `${signed(gap, decimals)} ${symbol} on ${networkCode}`,
    `wallet ${walletId}`,
    `at ${address}`,
    `chain ${amount(difference.onChain)}, ledger ${signed(available + held, decimals)} (${amount(difference.held)} held), pending ${amount(difference.pendingIn)}`,
  ];
  return parts.join(', ');
}

const signed = (amount: bigint, decimals: number) =>
  amount < 0n ? `-${formatAmount(-amount, decimals)}` : formatAmount(amount, decimals);

const omitted = (count: number, what: string) => (count > 0 ? [`… and ${count} more ${what}`] : []);

runWorkflowCommand('The comparison', main);
