// What the wallets of the workspace hold together, by asset. Amounts are added as whole numbers of the smallest unit.
import { formatAmount, parseAmount } from '../../../domain/money.ts';
import type { Data } from '../../../src/client/api-types.ts';
import type { ConsoleClient } from '../../client/console-client.ts';
import { RowsTable } from '../../components/rows-table.tsx';
import { Shown } from '../../components/shown.tsx';
import { Amount } from '../../components/values.tsx';
import { type Asset, useAssets } from '../../service/names.ts';
import { useAsked } from '../../service/use-service.ts';

const BALANCES = '/api/v1/workspaces/{workspace_id}/balances';
/** More are not read for an overview. */
const ROWS_MAX = 2_000;

type Balance = Data<'get', typeof BALANCES>[number];
interface Sum {
  assetId: string;
  asset: Asset | undefined;
  symbol: string;
  available: string;
  total: string;
  wallets: number;
}

async function readBalances(client: ConsoleClient): Promise<readonly Balance[]> {
  const rows: Balance[] = [];
  for await (const row of client.list(BALANCES, { query: { limit: 200 } })) {
    rows.push(row);
    if (rows.length === ROWS_MAX) break;
  }
  return rows;
}

function sumUp(balances: readonly Balance[], assets: ReadonlyMap<string, Asset>): Sum[] {
  const groups = Map.groupBy(balances, ({ asset_id: id }) => id);
  return [...groups].map(([assetId, rows]) => {
    const asset = assets.get(assetId);
    const add = (amounts: readonly string[]) =>
      asset === undefined
        ? '—'
        : formatAmount(
            amounts.reduce((sum, amount) => sum + parseAmount(amount, asset.decimals), 0n),
            asset.decimals,
          );
    return {
      assetId,
      asset,
      symbol: rows[0]?.symbol ?? '',
      available: add(rows.map(({ available }) => available)),
      total: add(rows.map(({ total }) => total)),
      wallets: rows.length,
    };
  });
}

export function BalancesByAsset() {
  const assets = useAssets();
  const read = useAsked({ path: BALANCES, input: 'all', ask: readBalances });
  return (
    <Shown read={read} empty="No wallet holds anything yet.">
      {(balances) => (
        <>
          <RowsTable
            label="Balances by asset"
            rows={sumUp(balances, assets)}
            keyOf={({ assetId }) => assetId}
            columns={[
              { name: 'Asset', cell: ({ symbol }) => symbol },
              { name: 'Network', cell: ({ asset }) => asset?.network.name ?? '—' },
              { name: 'Available', isNumber: true, cell: ({ available }) => <Amount amount={available} /> },
              { name: 'Total', isNumber: true, cell: ({ total }) => <Amount amount={total} /> },
              { name: 'Wallets', isNumber: true, cell: ({ wallets }) => wallets },
            ]}
          />
          {balances.length === ROWS_MAX ? (
            <p className="quiet">The first {ROWS_MAX} balances: the workspace has more.</p>
          ) : null}
        </>
      )}
    </Shown>
  );
}
