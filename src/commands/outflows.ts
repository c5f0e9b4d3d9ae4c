// The operator's command for what left wallets by no transaction of ours. It unfreezes nothing: that is the workspace's
// to ask for, by the API.
import { formatAmount } from '../../domain/money.ts';
import { insertOperatorEntry, toKeptText } from '../../drizzle/audit/audit-entries.ts';
import { listOutflows, resolveOutflow } from '../../drizzle/outflows/outflows.ts';
import { runResolvingCommand } from './resolve-findings.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

runResolvingCommand<string>({
  name: 'outflows',
  what: 'outflow',
  usage: `Usage: npm run outflows -- list [--all]
       npm run outflows -- resolve ID --note TEXT
  list     what left wallets and nobody has resolved, the newest first; --all with what is resolved
  resolve  takes it off the list, with what was found out; the wallet stays frozen until it is unfrozen by the API`,
  readId: (text) => (UUID.test(text) ? text : undefined),
  list: async (db, options) => (await listOutflows(db, options)).map(describe),
  async resolve(tx, id, note) {
    const resolved = await resolveOutflow(tx, id, note);
    if (resolved === undefined) return false;
    const { workspaceId, walletId } = resolved;
    const after = toKeptText({ resolution: note });
    await insertOperatorEntry(tx, { workspaceId, walletId, action: 'outflows resolve', resourceId: id, after });
    return true;
  },
  afterwards: 'Its wallet stays as it is.',
});

function describe(listed: Awaited<ReturnType<typeof listOutflows>>[number]): string {
  const { outflow, networkCode, workspaceId, walletStatus, symbol, decimals } = listed;
  const amount = formatAmount(outflow.amountBaseUnits, decimals ?? 0);
  const state = outflow.resolvedAt === null ? 'UNRESOLVED' : 'resolved  ';
  return [
    `${state}  ${outflow.id}  ${outflow.foundAt.toISOString()}  ${outflow.kind}`,
    `  ${amount} ${symbol ?? 'base units of the native currency'} on ${networkCode} from ${outflow.fromAddress}`,
    `  in ${outflow.txHash} (${outflow.departureIndex}), block ${outflow.blockNumber}${outflow.reorgedAt === null ? '' : ', which a reorganisation took back'}`,
    `  wallet ${outflow.walletId} (${walletStatus}) of workspace ${workspaceId}`,
    ...(outflow.resolution === null ? [] : [`  ${outflow.resolution}`]),
  ].join('\n');
}
