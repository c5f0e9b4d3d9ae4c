// The wire shapes of changes of users and keys, and of freezes, that wait for approval.
import Type from 'typebox';
import { authorityChangeKinds, authorityChangeStatuses } from '../../domain/statuses.ts';
import { approvalRecord } from '../approvals/approvals.schema.ts';
import { commaList, listQuery } from '../http/paging.ts';

const dateTime = Type.String({ format: 'date-time' });
const changeId = Type.String({ format: 'uuid', description: 'Id of a change.' });

export const changeParams = Type.Object({ change_id: changeId });

export const authorityChangesQuery = listQuery({
  status: commaList(Type.Enum([...authorityChangeStatuses]), 'Only changes that stand so.'),
});

const keyPower = {
  scopes: Type.Array(Type.String()),
  wallet_ids: Type.Array(Type.String(), { description: 'Empty for every wallet.' }),
  ip_allowlist: Type.Array(Type.String(), { description: 'Empty for any address.' }),
  expires_at: Type.Union([Type.String(), Type.Null()], { description: 'Null for never.' }),
};

const details = Type.Object(
  {
    name: Type.Optional(Type.String()),
    email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    api_key: Type.Optional(Type.String({ description: 'The identifier of the key that is made.' })),
    ...Object.fromEntries(Object.entries(keyPower).map(([name, schema]) => [name, Type.Optional(schema)])),
    roles: Type.Optional(Type.Array(Type.String(), { description: 'What the user may do at the console.' })),
    roles_before: Type.Optional(Type.Array(Type.String(), { description: 'The roles when this was asked for.' })),
    expires_in_seconds: Type.Optional(
      Type.Integer({ description: 'Of an enrolment link: for how long it is good once it is approved.' }),
    ),
    legacy_path_signing: Type.Optional(Type.Boolean()),
    overlap_seconds: Type.Optional(Type.Integer()),
    before: Type.Optional(Type.Object(keyPower, { description: 'What the key could do when this was asked for.' })),
    reason: Type.Optional(Type.String({ description: 'Of unfreezing: what who asked gave as the reason.' })),
    freeze_version: Type.Optional(
      Type.Integer({ description: 'Of unfreezing: which freeze it is. A later one is not undone by it.' }),
    ),
  },
  { description: 'What will be done. Never a secret.' },
);

export const authorityChangeSchema = Type.Object(
  {
    id: changeId,
    workspace_id: Type.String({ format: 'uuid' }),
    kind: Type.Enum([...authorityChangeKinds]),
    user_id: Type.String({
      format: 'uuid',
      description: 'Who is made or changed, or whose key is; of unfreezing who asked.',
    }),
    api_key_id: Type.Optional(Type.String({ format: 'uuid', description: 'The key that is made or changed.' })),
    wallet_id: Type.Optional(Type.String({ format: 'uuid', description: 'The wallet that is unfrozen.' })),
    status: Type.Enum([...authorityChangeStatuses]),
    details,
    created_by: Type.String({ description: 'The user who asked.' }),
    created_at: dateTime,
    updated_at: dateTime,
    approval: Type.Optional(approvalRecord),
  },
  { title: 'AuthorityChange' },
);
