// The wire shape of deposits in events. Fields that the activity has as well are taken from its record.
import Type from 'typebox';
import { depositStatuses } from '../../domain/statuses.ts';
import { transactionRecord } from './transactions.schema.ts';

const { id, wallet_id, asset_id, network_id, amount, created_at, updated_at } = transactionRecord.properties;

export const depositEventData = Type.Object({
  id,
  transaction_id: Type.String({ format: 'uuid', description: 'The same as `id`.' }),
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
  wallet_id,
  asset_id,
  network_id,
  amount,
  status: Type.Enum([...depositStatuses], {
    description: 'Only what is `confirmed` can be spent. What was `reorged` is `pending` again when it comes back.',
  }),
  tx_hash: Type.String(),
  from_address: Type.Optional(Type.String({ description: 'Absent where the chain names no single sender.' })),
  to_address: Type.String({ description: "The wallet's own address." }),
  block_number: Type.Integer({ description: 'The block that has it, or had it.' }),
  block_hash: Type.Optional(Type.String({ description: 'Absent when a reorganisation took the block.' })),
  created_at,
  updated_at,
});
