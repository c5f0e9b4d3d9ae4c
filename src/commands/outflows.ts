// The operator's command for what left wallets by no transaction of ours. It unfreezes nothing: that is the workspace's
// to ask for, by the API.
import { formatAmount } from '../../domain/money.ts';
import { insertOperatorEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import { resolveAsDeparture } from '../../drizzle/outflows/outflow-departures.ts';
import { listOutflows } from '../../drizzle/outflows/outflows.ts';
import { completeByOutflow, listPayable } from '../../drizzle/withdrawal-repair/complete-by-outflow.ts';
import { runResolvingCommand, UUID } from './resolve-findings.ts';

runResolvingCommand<string>({
  name: 'outflows',
  what: 'outflow',
  usage: `Usage: npm run outflows -- list [--all]
       npm run outflows -- resolve ID --note TEXT [--withdrawal ID]
  list     what left wallets and nobody has resolved, the newest first; --all with what is resolved
  resolve  takes it off the list, with what was found out; the wallet stays frozen until it is unfrozen by the API. What
           has left is taken off the balance.
           --withdrawal: it paid this one, which a restored backup has as open: it is completed, and the ledger with it`,
  readId: (text) => (UUID.test(text) ? text : undefined),
  list: async (db, options) =>
    Promise.all(
      (await listOutflows(db, options)).map(async (each) => describe(each, await listPayable(db, each.outflow))),
    ),
  async resolve(tx, id, note) {
    const resolved = await resolveAsDeparture(tx, id, note);
    if (resolved === undefined) return false;
    const after = toKeptText({ resolution: note });
    const { workspaceId, walletId } = resolved;
    await insertOperatorEntry(tx, { workspaceId, walletId, action: 'outflows resolve', resourceId: id, after });
    return true;
  },
  async resolveAsPayment(tx, outflowId, { note, withdrawalId }) {
    const completed = await completeByOutflow(tx, { outflowId, withdrawalId, note });
    if (completed.outcome === 'refused') return completed.reason;
    const { workspaceId, walletId, outflowIds } = completed;
    const after = toKeptText({ resolution: note, withdrawal_id: withdrawalId });
    for (const resourceId of outflowIds)
      await insertOperatorEntry(tx, { workspaceId, walletId, action: 'outflows resolve', resourceId, after });
    return undefined;
  },
  afterwards: 'The ledger follows what has left, and its wallet stays as it is.',
});

function describe(listed: Awaited<ReturnType<typeof listOutflows>>[number], payable: readonly string[]): string {
  const { outflow, networkCode, workspaceId, walletStatus, symbol, decimals } = listed;
  const amount = formatAmount(outflow.amountBaseUnits, decimals ?? 0);
  const state = outflow.resolvedAt === null ? 'UNRESOLVED' : 'resolved  ';
  return [
    `${state}  ${outflow.id}  ${outflow.foundAt.toISOString()}  ${outflow.kind}`,
    `  ${amount} ${symbol ?? 'base units of what no balance has'} on ${networkCode} from ${outflow.fromAddress}${outflow.toAddress === null ? '' : ` to ${outflow.toAddress}`}`,
    `  in ${outflow.txHash} (${outflow.departureIndex}), block ${outflow.blockNumber}${outflow.reorgedAt === null ? '' : ', which a reorganisation took back'}`,
    `  wallet ${outflow.walletId} (${walletStatus}) of workspace ${workspaceId}`,
    ...payable.map((id) => `  perhaps the payment of withdrawal ${id}, which is open`),
    ...(outflow.resolution === null ? [] : [`  ${outflow.resolution}`]),
  ].join('\n');
}
