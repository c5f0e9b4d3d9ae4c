// The users of the workspace, their keys, and the changes of both that wait for another user.
import { type ComponentProps, useState } from 'react';
import type { Data } from '../../../src/client/api-types.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { Facts } from '../../components/facts.tsx';
import { TextField, WriteForm } from '../../components/form.tsx';
import { PagedList, useListQuery } from '../../components/paged-list.tsx';
import { type Column, RowsTable } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Shown } from '../../components/shown.tsx';
import { Copied, Moment, Status } from '../../components/values.tsx';
import { useUserNames } from '../../service/names.ts';
import { usePage } from '../../service/use-service.ts';
import { useSession } from '../../session/session.ts';
import { capitalised } from '../../text/words.ts';
import { roundOf, VoteButtons, Votes } from '../votes.tsx';
import { KeyActions, RotatedKey } from './key-actions.tsx';
import { NewKey } from './new-key.tsx';
import { RolesAndLinks } from './roles-and-links.tsx';

const USERS = '/api/v1/workspaces/{workspace_id}/users';
const KEYS = '/api/v1/workspaces/{workspace_id}/api-keys';
const CHANGES = '/api/v1/workspaces/{workspace_id}/changes';
type User = Data<'get', typeof USERS>[number];
type Key = Data<'get', typeof KEYS>[number];
type Change = Data<'get', typeof CHANGES>[number];

export function UsersPage() {
  const users = usePage(USERS, { query: { limit: 200 } });
  const keys = usePage(KEYS, { query: useListQuery([]) });
  const [rotated, setRotated] = useState<ComponentProps<typeof RotatedKey>['rotated']>();
  const keyColumns = useKeyColumns(setRotated);
  return (
    <>
      <PageHead title="Users and keys" />
      <ThisKey />
      <Changes />
      <Section title="Users">
        <Shown read={users} empty="There are no users.">
          {({ rows }) => <RowsTable label="Users" rows={rows} columns={userColumns} keyOf={({ id }) => id} />}
        </Shown>
        <WriteForm
          verb="post"
          path={USERS}
          label="Create user"
          inputOf={({ name, email }) => ({ body: { name, ...(email === undefined ? {} : { email }) } })}
        >
          <TextField name="name" label="Name of the new user" isRequired />
          <TextField name="email" label="Email" />
        </WriteForm>
      </Section>
      <RolesAndLinks users={users.data?.rows ?? []} />
      <Section title="Keys">
        {rotated === undefined ? null : <RotatedKey rotated={rotated} onPutAway={() => setRotated(undefined)} />}
        <PagedList label="Keys" read={keys} columns={keyColumns} keyOf={({ id }) => id} empty="There are no keys." />
      </Section>
      <NewKey users={users.data?.rows ?? []} />
    </>
  );
}

function ThisKey() {
  const { key } = useSession();
  return (
    <Section title="The key that is signed in">
      <Facts
        facts={[
          ['Name', key.name],
          ['Key', <Copied key="key" text={key.api_key} what="the id of the key" />],
          ['User', <code key="user">{key.user_id}</code>],
          ['Expires', key.expires_at && <Moment at={key.expires_at} />],
          ['Wallets', key.wallet_ids.length === 0 ? 'all' : `${key.wallet_ids.length} of them`],
          ['Scopes', key.scopes.join(', ')],
        ]}
      />
    </Section>
  );
}

const userColumns: readonly Column<User>[] = [
  { name: 'Name', cell: ({ name }) => name },
  { name: 'Email', cell: ({ email }) => email ?? '—' },
  { name: 'Status', cell: ({ status }) => <Status status={status} /> },
  { name: 'Created', cell: ({ created_at: at }) => <Moment at={at} /> },
  {
    name: 'Change',
    cell: ({ id, name, status }) => (
      <ConfirmedAction
        verb="patch"
        path="/api/v1/users/{user_id}"
        label={status === 'active' ? 'Disable' : 'Enable'}
        title={`${status === 'active' ? 'Disable' : 'Enable'} ${name}?`}
        isDangerous={status === 'active'}
        inputOf={() => ({ path: { user_id: id }, body: { status: status === 'active' ? 'disabled' : 'active' } })}
      >
        <p>
          {status === 'active'
            ? 'All keys and sessions of this user stop to work within a second.'
            : 'Where the policy guards changes, this waits for the approval of another user.'}
        </p>
      </ConfirmedAction>
    ),
  },
];

function useKeyColumns(onRotated: ComponentProps<typeof KeyActions>['onRotated']): readonly Column<Key>[] {
  const userName = useUserNames();
  return [
    { name: 'Name', cell: ({ name }) => name },
    { name: 'Key', cell: ({ api_key: id }) => <Copied text={id} what="the id of the key" /> },
    { name: 'User', cell: ({ user_id: id }) => userName(id) },
    { name: 'Scopes', cell: ({ scopes, roles }) => (roles ?? scopes).join(', ') },
    { name: 'Last used', cell: ({ last_used_at: at }) => <Moment at={at} /> },
    {
      name: 'Status',
      cell: ({ revoked_at: revoked, awaiting_secret: awaiting }) => (
        <Status status={revoked !== undefined ? 'revoked' : awaiting ? 'awaiting secret' : 'active'} />
      ),
    },
    { name: 'Change', cell: (row) => <KeyActions row={row} onRotated={onRotated} /> },
  ];
}

function Changes() {
  const read = usePage(CHANGES, { query: { status: ['pending'], limit: 50 } });
  return (
    <Section title="Changes that wait">
      <Shown read={read} empty="No change waits for a vote.">
        {({ rows }) => rows.map((change) => <WaitingChange key={change.id} change={change} />)}
      </Shown>
    </Section>
  );
}

function WaitingChange({ change }: { change: Change }) {
  const userName = useUserNames();
  const round = roundOf(change.approval);
  const path = { change_id: change.id };
  return (
    <div className="card">
      <h3>
        {capitalised(change.kind)}: {change.details.name ?? userName(change.user_id)}
      </h3>
      <pre>{JSON.stringify(change.details, null, 2)}</pre>
      <Votes round={round} />
      <div className="actions">
        <VoteButtons
          approve="/api/v1/changes/{change_id}/approve"
          reject="/api/v1/changes/{change_id}/reject"
          path={path}
          round={round}
          subject={{ subject: 'authority_change', subject_id: change.id }}
          what="the change"
        />
      </div>
    </div>
  );
}
