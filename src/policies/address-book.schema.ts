// The wire shapes of the address book.
import Type from 'typebox';
import { addressStatuses } from '../../domain/statuses.ts';
import { approvalRecord } from '../approvals/approvals.schema.ts';
import { networkId } from '../catalog/catalog.schema.ts';
import { commaList, listQuery } from '../http/paging.ts';

const dateTime = Type.String({ format: 'date-time' });
const entryId = Type.String({ format: 'uuid', description: 'Id of an entry of the address book.' });

export const addressBookParams = Type.Object({
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
  address_book_id: entryId,
});

export const addressBookEntry = Type.Object(
  {
    id: entryId,
    network_id: networkId,
    address: Type.String({ description: 'In the canonical form of the chain.' }),
    label: Type.String(),
    status: Type.Enum([...addressStatuses], {
      description: 'A `pending` one counts for nothing until it is approved.',
    }),
    created_by: Type.String({ description: 'The user who added it.' }),
    created_at: dateTime,
    updated_at: dateTime,
    approval: Type.Optional(approvalRecord),
  },
  { title: 'AddressBookEntry' },
);

export const addAddressBody = Type.Object(
  {
    network_id: networkId,
    address: Type.String({ minLength: 1, maxLength: 256 }),
    label: Type.String({ minLength: 1, maxLength: 100 }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        network_id: '6e657477-6f72-4000-8000-000000000004',
        address: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
        label: 'Cow',
      },
    ],
  },
);

export const addressBookQuery = listQuery({
  network_id: commaList(networkId, 'Only of these networks.'),
});
