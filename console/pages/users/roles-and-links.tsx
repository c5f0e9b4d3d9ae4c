// What users may do at the console, and links by which they enrol a passkey. Both wait for another user where changes
// do.
import { useState } from 'react';
import { roles } from '../../../domain/users/roles.ts';
import type { Data } from '../../../src/client/api-types.ts';
import { ChecksField, ChoiceField, WriteForm } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { Copied, Moment } from '../../components/values.tsx';
import { chosenIn } from '../../text/form-fields.ts';

type User = Data<'get', '/api/v1/workspaces/{workspace_id}/users'>[number];
type Link = Data<'post', '/api/v1/users/{user_id}/enrolment-links'>;

export function RolesAndLinks({ users }: { users: readonly User[] }) {
  const [link, setLink] = useState<Link>();
  const [given, setGiven] = useState<string>();
  const active = users.filter(({ status }) => status === 'active');
  const choices = active.map(({ id, name }) => [id, name] as const);
  return (
    <Section title="Roles and passkeys">
      <WriteForm
        verb="put"
        path="/api/v1/users/{user_id}/roles"
        label="Give roles"
        inputOf={({ user = '', ...checked }) => ({
          path: { user_id: user },
          body: { roles: chosenIn(checked, 'role') },
        })}
        onDone={(answer) => setGiven('kind' in (answer as object) ? 'It waits for another user.' : 'It holds now.')}
      >
        <ChoiceField name="user" label="User at the console" choices={choices} />
        <ChecksField
          name="role"
          legend="Roles, in the place of those of now"
          choices={roles.map((role) => [role, role])}
        />
        {given === undefined ? null : <p role="status">{given}</p>}
      </WriteForm>
      <WriteForm
        verb="post"
        path="/api/v1/users/{user_id}/enrolment-links"
        label="Make a link"
        inputOf={({ user = '' }) => ({ path: { user_id: user }, body: {} })}
        onDone={(answer) => setLink(answer as Link)}
      >
        <ChoiceField name="user" label="Who enrols a passkey" choices={choices} />
      </WriteForm>
      {link?.url === undefined ? null : (
        <p role="status">
          <Copied text={link.url} what="the link" whole /> It is shown once and good once: hand it over to this user
          alone.{' '}
          {link.status === 'pending' ? (
            'It opens nothing until another user approves it.'
          ) : (
            <>
              It ends <Moment at={link.expires_at} />.
            </>
          )}
        </p>
      )}
    </Section>
  );
}
