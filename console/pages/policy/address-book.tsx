// Addresses that have a name, and those that wait to get one.
import type { Data } from '../../../src/client/api-types.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { ChoiceField, TextField, WriteForm } from '../../components/form.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import type { Column } from '../../components/rows-table.tsx';
import { Section } from '../../components/section.tsx';
import { Moment, Status } from '../../components/values.tsx';
import { useNetworks } from '../../service/names.ts';
import { usePage } from '../../service/use-service.ts';
import { roundOf, VoteButtons } from '../votes.tsx';

const ADDRESS_BOOK = '/api/v1/workspaces/{workspace_id}/address-book';
const ENTRY = `${ADDRESS_BOOK}/{address_book_id}` as const;
type Entry = Data<'get', typeof ADDRESS_BOOK>[number];

export function AddressBook() {
  const networks = useNetworks();
  const read = usePage(ADDRESS_BOOK, { query: useListQuery([]) });
  const columns: readonly Column<Entry>[] = [
    { name: 'Name', cell: ({ label }) => label },
    { name: 'Address', cell: ({ address }) => <code>{address}</code> },
    { name: 'Network', cell: ({ network_id: id }) => networks.get(id)?.name ?? id },
    { name: 'Status', cell: ({ status }) => <Status status={status} /> },
    { name: 'Added', cell: ({ created_at: at }) => <Moment at={at} /> },
    { name: 'Change', cell: (entry) => <EntryActions entry={entry} /> },
  ];
  return (
    <Section title="Address book">
      <PagedList
        label="Address book"
        read={read}
        columns={columns}
        keyOf={({ id }) => id}
        empty="No address has a name yet."
      />
      <WriteForm verb="post" path={ADDRESS_BOOK} label="Add address" inputOf={(body) => ({ body })}>
        <ChoiceField
          name="network_id"
          label="Network of the address"
          choices={[...networks.values()].map(({ id, name }) => [id, name])}
        />
        <TextField name="address" label="Address to add" isRequired />
        <TextField name="label" label="Name of the address" isRequired />
      </WriteForm>
    </Section>
  );
}

function EntryActions({ entry }: { entry: Entry }) {
  const path = { address_book_id: entry.id };
  if (entry.status === 'pending')
    return (
      <VoteButtons
        approve={`${ENTRY}/approve`}
        reject={`${ENTRY}/reject`}
        path={path}
        round={roundOf(entry.approval)}
        subject={{ subject: 'address', subject_id: entry.id }}
        what={`the address "${entry.label}"`}
      />
    );
  return (
    <ConfirmedAction
      verb="delete"
      path={ENTRY}
      label="Remove"
      title={`Remove "${entry.label}"?`}
      isDangerous
      inputOf={() => ({ path })}
    >
      <p>Rules that ask for the address book no longer know this address.</p>
    </ConfirmedAction>
  );
}
