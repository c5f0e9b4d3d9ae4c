// Every signature that was asked for, with filters.
import { Link } from 'wouter';
import { signingStatuses } from '../../../domain/statuses.ts';
import type { Data } from '../../../src/client/api-types.ts';
import { Filters, ofNetwork, period } from '../../components/filters.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead } from '../../components/section.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { useNetworks, useWalletNames } from '../../service/names.ts';
import { usePage } from '../../service/use-service.ts';
import { capitalised } from '../../text/words.ts';

const SIGNING_REQUESTS = '/api/v1/workspaces/{workspace_id}/signing-requests';
type SigningRequest = Data<'get', typeof SIGNING_REQUESTS>[number];

export function SigningRequestsPage() {
  const query = useListQuery(['status', 'network_id', 'address', 'external_id', 'from', 'to']);
  const read = usePage(SIGNING_REQUESTS, { query });
  const walletName = useWalletNames();
  const networks = useNetworks();
  const columns: readonly Column<SigningRequest>[] = [
    {
      name: 'What',
      cell: ({ id, payload_kind: kind, payload }) => (
        <Link href={`/signing-requests/${id}`}>{payload?.decoded.summary ?? capitalised(kind)}</Link>
      ),
    },
    { name: 'Wallet', cell: ({ wallet_id: id }) => walletName(id) },
    { name: 'Network', cell: ({ network_internal_code: code }) => code },
    {
      name: 'Status',
      cell: ({ status, status_reason: reason }) => (
        <>
          <Status status={status} /> {reason === undefined ? null : <Status status={reason} />}
        </>
      ),
    },
    { name: 'Asked', cell: ({ created_at: at }) => <Moment at={at} /> },
  ];
  return (
    <>
      <PageHead title="Signing requests" />
      <Filters
        filters={[
          { name: 'status', label: 'Status', kind: 'choice', choices: signingStatuses },
          ofNetwork(networks.values()),
          { name: 'address', label: 'Address', kind: 'text' },
          { name: 'external_id', label: 'External id', kind: 'text' },
          ...period,
        ]}
      />
      <PagedList
        label="Signing requests"
        read={read}
        columns={columns}
        keyOf={({ id }) => id}
        empty="No signature has been asked for yet."
      />
    </>
  );
}
