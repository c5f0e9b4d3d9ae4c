// Every wallet of the workspace, and where a new one is made.
import { Link } from 'wouter';
import { walletStatuses } from '../../../domain/statuses.ts';
import type { Data } from '../../../src/client/api-types.ts';
import { Filters } from '../../components/filters.tsx';
import { TextField, WriteForm } from '../../components/form.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { usePage } from '../../service/use-service.ts';
import { words } from '../../text/words.ts';

const WALLETS = '/api/v1/workspaces/{workspace_id}/wallets';
type Wallet = Data<'get', typeof WALLETS>[number];

const columns: readonly Column<Wallet>[] = [
  { name: 'Name', cell: ({ id, name }) => <Link href={`/wallets/${id}`}>{name}</Link> },
  { name: 'Status', cell: ({ status }) => <Status status={status} /> },
  { name: 'Purpose', cell: ({ wallet_purpose: purpose }) => (purpose === undefined ? '—' : words(purpose)) },
  { name: 'Cluster', cell: ({ cluster }) => cluster },
  { name: 'Created', cell: ({ created_at: at }) => <Moment at={at} /> },
];

export function WalletsPage() {
  const query = useListQuery(['status', 'name', 'address']);
  const read = usePage(WALLETS, { query });
  return (
    <>
      <PageHead title="Wallets" />
      <Filters
        filters={[
          { name: 'status', label: 'Status', kind: 'choice', choices: walletStatuses },
          { name: 'name', label: 'Name', kind: 'text' },
          { name: 'address', label: 'Address', kind: 'text' },
        ]}
      />
      <PagedList
        label="Wallets"
        read={read}
        columns={columns}
        keyOf={({ id }) => id}
        empty="There is no wallet yet: create the first one below."
      />
      <Section title="New wallet">
        <p>Its key is made by the nodes together; no part of it is ever in one place.</p>
        <WriteForm
          verb="post"
          path="/api/v1/wallets"
          label="Create wallet"
          inputOf={({ name }) => ({ body: { name, wallet_type: 'mpc' } })}
        >
          <TextField name="name" label="Name of the new wallet" isRequired />
        </WriteForm>
      </Section>
    </>
  );
}
