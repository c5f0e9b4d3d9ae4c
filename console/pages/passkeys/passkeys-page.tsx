// One's own passkeys: which there are, another one, removing one, and signing out everywhere.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Data } from '../../../src/client/api-types.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { TextField } from '../../components/form.tsx';
import { type Column, RowsTable } from '../../components/rows-table.tsx';
import { PageHead, Section } from '../../components/section.tsx';
import { Failure, Shown } from '../../components/shown.tsx';
import { Moment } from '../../components/values.tsx';
import { useRead } from '../../service/use-service.ts';
import { addPasskey } from '../../session/passkey-session.ts';
import { useSession } from '../../session/session.ts';
import { fieldsOf } from '../../text/form-fields.ts';

const PASSKEYS = '/api/v1/users/{user_id}/passkeys';
type Passkey = Data<'get', typeof PASSKEYS>[number];

export function PasskeysPage() {
  const { key, proveVote } = useSession();
  const read = useRead(PASSKEYS, { path: { user_id: key.user_id } });
  return (
    <>
      <PageHead title="Your passkeys" />
      <Section title="Passkeys">
        <Shown read={read} empty="You have no passkey: an administrator gives you a link to enrol one.">
          {(rows) => <RowsTable label="Passkeys" rows={rows} columns={columns} keyOf={({ id }) => id} />}
        </Shown>
        {proveVote === undefined ? (
          <p className="quiet">Whoever signs in with a passkey adds others here.</p>
        ) : (
          <AddPasskey />
        )}
      </Section>
      <Section title="Sessions">
        <p>Every browser in which you have signed in with a passkey, this one too.</p>
        <ConfirmedAction
          verb="post"
          path="/api/v1/users/{user_id}/sign-out"
          label="Sign out everywhere"
          title="Sign out everywhere?"
          isDangerous
          inputOf={() => ({ path: { user_id: key.user_id } })}
        >
          <p>All your sessions end within a second.</p>
        </ConfirmedAction>
      </Section>
    </>
  );
}

function AddPasskey() {
  const queries = useQueryClient();
  const [error, setError] = useState<Error>();
  const [isTrying, setTrying] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setError(undefined);
    setTrying(true);
    try {
      await addPasskey(fieldsOf(form)['name'] ?? '');
      form.reset();
      await queries.invalidateQueries();
    } catch (refusal) {
      setError(refusal as Error);
    } finally {
      setTrying(false);
    }
  };
  return (
    <form className="write-form" onSubmit={(event) => void submit(event)}>
      <TextField name="name" label="Name of the new passkey" isRequired />
      {error === undefined ? null : <Failure error={error} />}
      <button type="submit" className="primary" disabled={isTrying}>
        {isTrying ? 'One moment…' : 'Add a passkey'}
      </button>
    </form>
  );
}

const columns: readonly Column<Passkey>[] = [
  { name: 'Name', cell: ({ name }) => name },
  { name: 'Enrolled', cell: ({ created_at: at }) => <Moment at={at} /> },
  { name: 'Last used', cell: ({ last_used_at: at }) => <Moment at={at} /> },
  { name: 'Copied to other devices', cell: ({ backed_up: isCopied }) => (isCopied ? 'yes' : 'no') },
  {
    name: 'Change',
    cell: ({ id, name }) => (
      <ConfirmedAction
        verb="delete"
        path="/api/v1/passkeys/{passkey_id}"
        label="Remove"
        title={`Remove ${name}?`}
        isDangerous
        inputOf={() => ({ path: { passkey_id: id } })}
      >
        <p>It signs in nobody any more, and votes that it has given and that are still counted do not count.</p>
      </ConfirmedAction>
    ),
  },
];
