// Where an API key is made: for oneself at once, with its secret shown once; for another user as a change that may
// wait.
import { useState } from 'react';
import { scopes } from '../../../domain/scopes.ts';
import { approvingScopes } from '../../../domain/votes/vote-rules.ts';
import type { Data } from '../../../src/client/api-types.ts';
import { ChecksField, ChoiceField, DayField, TextField, WriteForm } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { useNamedWallets } from '../../service/names.ts';
import { useSession } from '../../session/session.ts';
import { endOfDay } from '../../text/days.ts';
import { chosenIn } from '../../text/form-fields.ts';

const KEYS = '/api/v1/workspaces/{workspace_id}/api-keys';
type Made = Data<'post', typeof KEYS>;
type User = Data<'get', '/api/v1/workspaces/{workspace_id}/users'>[number];

export function NewKey({ users }: { users: readonly User[] }) {
  const { key } = useSession();
  const wallets = useNamedWallets();
  const [made, setMade] = useState<Made>();
  const others = users.filter(({ id, status }) => status === 'active' && id !== key.user_id);
  const grantable = scopes.filter((scope) => key.scopes.includes(scope) || approvingScopes.includes(scope));
  return (
    <Section title="New key">
      <WriteForm
        verb="post"
        path={KEYS}
        label="Create the key"
        inputOf={(fields) => ({ body: keyIn(fields) })}
        onDone={(answer) => setMade(answer as Made)}
      >
        <TextField name="name" label="Name of the new key" isRequired placeholder="payout service" />
        <ChoiceField
          name="user_id"
          label="Whose key it is"
          choices={[['', 'yours'], ...others.map(({ id, name }) => [id, name] as const)]}
        />
        <ChecksField
          name="scope"
          legend="What it may do: at most what this key may, and to approve where another user decides on it"
          choices={grantable.map((scope) => [scope, scope])}
        />
        {wallets.length === 0 ? null : (
          <details>
            <summary>Only some wallets</summary>
            <ChecksField
              name="wallet"
              legend="All wallets when none is checked"
              choices={wallets.map(({ id, name }) => [id, name])}
            />
          </details>
        )}
        <TextField
          name="ip_allowlist"
          label="Addresses it may be used from, with commas (any when empty)"
          placeholder="203.0.113.7, 2001:db8::/32"
        />
        <DayField name="expires" label="Last day on which it may be used (never ends when empty)" />
      </WriteForm>
      {made === undefined ? null : <MadeKey made={made} onPutAway={() => setMade(undefined)} />}
    </Section>
  );
}

function MadeKey({ made, onPutAway }: { made: Made; onPutAway: () => void }) {
  if ('kind' in made)
    return (
      <p role="status">
        It waits for another user. Once it is approved, its own user takes its secret here, with a key that has all that
        this one has, or with <code>countersign keys take-secret</code>.
      </p>
    );
  if (made.api_secret === undefined) return null;
  return (
    <ShownOnce secret={made.api_secret} what="the secret of the key" onPutAway={onPutAway}>
      The key <code>{made.api_key}</code> is made. This is its secret, by which its requests are signed. It is shown
      this once: keep it where the key is used.
    </ShownOnce>
  );
}

function keyIn(fields: Record<string, string>) {
  const { name, user_id: userId, ip_allowlist: addresses, expires } = fields;
  const walletIds = chosenIn(fields, 'wallet');
  const chosen = chosenIn(fields, 'scope');
  if (chosen.length === 0) throw new Error('Check at least one of what it may do.');
  return {
    name,
    scopes: chosen,
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(walletIds.length === 0 ? {} : { wallet_ids: walletIds }),
    ...(addresses === undefined ? {} : { ip_allowlist: addresses.split(/[,\s]+/).filter((each) => each !== '') }),
    ...(expires === undefined ? {} : { expires_at: endOfDay(expires) }),
  };
}
