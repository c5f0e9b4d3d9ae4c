// Every movement of the workspace's money, with filters and as a file.
import { useState } from 'react';
import { Link } from 'wouter';
import { transactionStatuses } from '../../../domain/statuses.ts';
import type { Data } from '../../../src/client/api-types.ts';
import { gather, save } from '../../client/files.ts';
import { Filters, ofNetwork, period } from '../../components/filters.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead } from '../../components/section.tsx';
import { Failure } from '../../components/shown.tsx';
import { Amount, Moment, Status, TransactionHash } from '../../components/values.tsx';
import { useAssets, useDestinationNames, useNetworks, useWalletNames } from '../../service/names.ts';
import { usePage } from '../../service/use-service.ts';
import { useSession } from '../../session/session.ts';
import { shortened } from '../../text/words.ts';

const TRANSACTIONS = '/api/v1/workspaces/{workspace_id}/transactions';
type Transaction = Data<'get', typeof TRANSACTIONS>[number];

export function useTransactionColumns(): readonly Column<Transaction>[] {
  const assets = useAssets();
  const walletName = useWalletNames();
  const destinationName = useDestinationNames();
  const other = ({ direction, network_id: network, from_address: from, to_address: to }: Transaction) => {
    const address = direction === 'in' ? from : to;
    if (address === undefined) return '—';
    return destinationName(network, address) ?? <code title={address}>{shortened(address)}</code>;
  };
  return [
    { name: 'When', cell: ({ created_at: at }) => <Moment at={at} /> },
    { name: 'Direction', cell: ({ direction }) => direction },
    {
      name: 'Amount',
      isNumber: true,
      cell: ({ amount, symbol, asset_id: asset }) => (
        <Amount amount={amount} symbol={symbol ?? assets.get(asset)?.symbol} />
      ),
    },
    { name: 'Other side', cell: other },
    { name: 'Wallet', cell: ({ wallet_id: id }) => <Link href={`/wallets/${id}`}>{walletName(id)}</Link> },
    { name: 'Status', cell: ({ status }) => <Status status={status} /> },
    {
      name: 'Hash',
      cell: ({ tx_hash: hash, network_internal_code: network }) =>
        hash === undefined ? '—' : <TransactionHash hash={hash} network={network} />,
    },
  ];
}

const FILTERS = ['status', 'direction', 'network_id', 'wallet_id', 'address', 'tx_hash', 'external_id', 'from', 'to'];

export function TransactionsPage() {
  const query = useListQuery(FILTERS);
  const read = usePage(TRANSACTIONS, { query });
  const columns = useTransactionColumns();
  const networks = useNetworks();
  return (
    <>
      <PageHead title="Transactions">
        <Export query={query} isAllowed={read.missingScope === undefined} />
      </PageHead>
      <Filters
        filters={[
          { name: 'status', label: 'Status', kind: 'choice', choices: transactionStatuses },
          { name: 'direction', label: 'Direction', kind: 'choice', choices: ['in', 'out'] },
          ofNetwork(networks.values()),
          { name: 'address', label: 'Address', kind: 'text' },
          { name: 'tx_hash', label: 'Transaction hash', kind: 'text' },
          { name: 'external_id', label: 'External id', kind: 'text' },
          ...period,
        ]}
      />
      <PagedList
        label="Transactions"
        read={read}
        columns={columns}
        keyOf={({ id }) => id}
        empty="Nothing came in or went out yet."
      />
    </>
  );
}

/** All that match, not the page alone. */
function Export({ query, isAllowed }: { query: Record<string, string>; isAllowed: boolean }) {
  const { client } = useSession();
  const [error, setError] = useState<Error>();
  const [isReading, setReading] = useState(false);
  if (!isAllowed) return null;
  const download = async () => {
    setReading(true);
    setError(undefined);
    try {
      const { cursor: _, ...filters } = query;
      const pieces = client.fileOf(`${TRANSACTIONS}/export`, { query: { ...filters, columns: 'all' } });
      save(await gather(pieces), 'transactions.csv');
    } catch (failure) {
      setError(failure as Error);
    } finally {
      setReading(false);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void download()} disabled={isReading}>
        {isReading ? 'Exporting…' : 'Export as CSV'}
      </button>
      {error === undefined ? null : <Failure error={error} />}
    </>
  );
}
