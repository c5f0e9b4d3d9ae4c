// Compares the ledger with itself and with the chains, and answers what differs. Changes nothing.
//
// 1. findImbalances    what the ledger contradicts itself in
// 2. compareBalances   batch after batch: every position of a network with a node; retried, since it only reads
import { continueAsNew, patched, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Difference, ReconciliationActivities } from '../activities/deposits/reconcile-balances.ts';
import { reconciliationOptions } from './activity-options.ts';
import { report } from './report.ts';

const { compareBalances, findImbalances } = proxyActivities<ReconciliationActivities>(reconciliationOptions);

/** Of each kind; the counts go on. A result must fit into a history. */
const LISTED_MAX = 500;

export interface Reconciliation {
  compared: number;
  imbalances: string[];
  differences: Difference[];
  differenceCount: number;
  underWay: Difference[];
  underWayCount: number;
  /** By network, why it was not compared to the end. */
  unreached: Record<string, string>;
}

export interface ReconcileBalancesInput {
  /** Of a workflow that goes on after another. */
  after?: { walletId: string; assetId: string };
  sofar?: Reconciliation;
}

export async function reconcileBalances({ after, sofar }: ReconcileBalancesInput): Promise<Reconciliation> {
  const hasStatus = patched('has-status');
  if (hasStatus) report('comparing', 'The ledger is compared with itself and with the chains.');
  const result = sofar ?? { ...nothing(), imbalances: await findImbalances() };
  for (let place = after; ; ) {
    const { compared, differences, underWay, unreached, next } = await compareBalances(place);
    result.compared += compared;
    result.differenceCount += differences.length;
    result.underWayCount += underWay.length;
    result.differences = [...result.differences, ...differences].slice(0, LISTED_MAX);
    result.underWay = [...result.underWay, ...underWay].slice(0, LISTED_MAX);
    Object.assign(result.unreached, unreached);
    const details = `${result.compared} balances compared, ${result.differenceCount} differ.`;
    setCurrentDetails(details);
    if (next === undefined) {
      if (hasStatus) report(statusOf(result), details);
      return result;
    }
    place = next;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof reconcileBalances>({ after: next, sofar: result });
  }
}

/** What was not reached may differ too, and says so in the result. */
const statusOf = ({ imbalances, differenceCount }: Reconciliation) =>
  imbalances.length === 0 && differenceCount === 0 ? 'agrees' : 'differs';

const nothing = (): Reconciliation => ({
  compared: 0,
  imbalances: [],
  differences: [],
  differenceCount: 0,
  underWay: [],
  underWayCount: 0,
  unreached: {},
});
