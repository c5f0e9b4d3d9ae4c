// What is done with one API key: it gets a new secret, its own user takes the secret that waits, and it is revoked. A
// secret is shown once, to a key that has signed in and to no session.
import type { Data } from '../../../src/client/api-types.ts';
import { ConfirmedAction } from '../../components/confirmed-action.tsx';
import { ChoiceField } from '../../components/form.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { useNeedsSignature, useSession } from '../../session/session.ts';

const KEY = '/api/v1/api-keys/{api_key_id}';
type Key = Data<'get', '/api/v1/workspaces/{workspace_id}/api-keys'>[number];
type Rotated = Data<'post', `${typeof KEY}/rotate`>;

const HOUR_SECONDS = 3_600;
const overlaps = [
  [String(HOUR_SECONDS), 'an hour'],
  [String(24 * HOUR_SECONDS), 'a day'],
  [String(7 * 24 * HOUR_SECONDS), 'seven days'],
  ['0', 'no longer: it may have leaked'],
] as const;

interface KeyActionsProps {
  row: Key;
  onRotated: (answer: Rotated) => void;
}

export function KeyActions({ row, onRotated }: KeyActionsProps) {
  const { id, name, user_id: userId, roles, revoked_at: revoked, awaiting_secret: awaiting } = row;
  const { key } = useSession();
  const isInSession = useNeedsSignature('post', `${KEY}/rotate`);
  const path = { api_key_id: id };
  if (revoked !== undefined) return null;
  const isOwn = userId === key.user_id;
  const fields = <ChoiceField name="overlap" label="The secret until now signs for" choices={overlaps} />;
  const inputOf = (_reason: unknown, { overlap }: Readonly<Record<string, string>>) => ({
    path,
    body: { overlap_seconds: Number(overlap) },
  });
  const onDone = (answer: unknown) => onRotated(answer as Rotated);
  return (
    <div className="actions">
      {isInSession || roles !== undefined || !awaiting || !isOwn ? null : (
        <ConfirmedAction
          verb="post"
          path={`${KEY}/take-secret`}
          label="Take secret"
          title={`Take the secret of ${name}?`}
          fields={fields}
          inputOf={inputOf}
          onDone={onDone}
        >
          <p>Another user has made or rotated this key for you. Its secret is shown once, to you alone.</p>
        </ConfirmedAction>
      )}
      {isInSession || roles !== undefined || (awaiting && isOwn) ? null : (
        <ConfirmedAction
          verb="post"
          path={`${KEY}/rotate`}
          label="Rotate"
          title={`Give ${name} a new secret?`}
          fields={fields}
          inputOf={inputOf}
          onDone={onDone}
        >
          <p>
            {isOwn
              ? 'The new secret is shown once.'
              : 'Where changes need approval it waits, and its own user takes the secret.'}
          </p>
          {id === key.id ? (
            <p>This is the key that is signed in: sign in anew while its secret until now signs.</p>
          ) : null}
        </ConfirmedAction>
      )}
      <ConfirmedAction
        verb="delete"
        path={KEY}
        label="Revoke"
        title={`Revoke ${name}?`}
        isDangerous
        inputOf={() => ({ path })}
      >
        <p>Whatever uses this key stops to work within a second, for good.</p>
      </ConfirmedAction>
    </div>
  );
}

/** What came of it, until somebody has kept the secret. */
export function RotatedKey({ rotated, onPutAway }: { rotated: Rotated; onPutAway: () => void }) {
  if ('kind' in rotated)
    return <p role="status">It waits for another user. Once it is approved, its own user takes the new secret here.</p>;
  if (rotated.api_secret === undefined) return null;
  return (
    <ShownOnce secret={rotated.api_secret} what="the new secret of the key" onPutAway={onPutAway}>
      The key <code>{rotated.api_key}</code> has a new secret. It is shown this once: keep it where the key is used.
    </ShownOnce>
  );
}
