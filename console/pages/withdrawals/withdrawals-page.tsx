// Every withdrawal of the workspace, with filters.
import { Link } from 'wouter';
import { withdrawalStatuses, withdrawalSubStatuses } from '../../../domain/statuses.ts';
import type { Data } from '../../../src/client/api-types.ts';
import { Filters, ofNetwork, period } from '../../components/filters.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead } from '../../components/section.tsx';
import { Amount, Moment, Status } from '../../components/values.tsx';
import { useAssets, useDestinationNames, useNetworks, useWalletNames } from '../../service/names.ts';
import { usePage } from '../../service/use-service.ts';
import { shortened } from '../../text/words.ts';

const WITHDRAWALS = '/api/v1/workspaces/{workspace_id}/withdrawals';
type Withdrawal = Data<'get', typeof WITHDRAWALS>[number];

export function useWithdrawalColumns(): readonly Column<Withdrawal>[] {
  const assets = useAssets();
  const walletName = useWalletNames();
  const destinationName = useDestinationNames();
  return [
    {
      name: 'Amount',
      isNumber: true,
      cell: ({ id, amount, asset_id: asset }) => (
        <Link href={`/withdrawals/${id}`}>
          <Amount amount={amount} symbol={assets.get(asset)?.symbol} />
        </Link>
      ),
    },
    {
      name: 'To',
      cell: ({ network_id: network, recipient_address: address }) =>
        destinationName(network, address) ?? <code title={address}>{shortened(address)}</code>,
    },
    { name: 'From wallet', cell: ({ wallet_id: id }) => walletName(id) },
    { name: 'Network', cell: ({ network_internal_code: code }) => code },
    {
      name: 'Status',
      cell: ({ status, sub_status: sub }) => (
        <>
          <Status status={status} /> {sub === undefined ? null : <Status status={sub} />}
        </>
      ),
    },
    { name: 'Asked', cell: ({ created_at: at }) => <Moment at={at} /> },
  ];
}

export function WithdrawalsPage() {
  const query = useListQuery(['status', 'sub_status', 'network_id', 'address', 'tx_hash', 'from', 'to']);
  const read = usePage(WITHDRAWALS, { query });
  const networks = useNetworks();
  const columns = useWithdrawalColumns();
  return (
    <>
      <PageHead title="Withdrawals">
        <Link href="/withdrawals/new" className="button">
          New withdrawal
        </Link>
      </PageHead>
      <Filters
        filters={[
          { name: 'status', label: 'Status', kind: 'choice', choices: withdrawalStatuses },
          { name: 'sub_status', label: 'Step', kind: 'choice', choices: withdrawalSubStatuses },
          ofNetwork(networks.values()),
          { name: 'address', label: 'Address', kind: 'text' },
          { name: 'tx_hash', label: 'Transaction hash', kind: 'text' },
          ...period,
        ]}
      />
      <PagedList
        label="Withdrawals"
        read={read}
        columns={columns}
        keyOf={({ id }) => id}
        empty="Nothing has been withdrawn yet."
      />
    </>
  );
}
