// Where an enrolment link leads: its user makes a passkey, once. The token stands behind the `#`, which no server sees,
// and is taken out of the address at once.
import { type FormEvent, useId, useState } from 'react';
import { Failure } from '../components/shown.tsx';
import { enrolByLink } from '../session/passkey-session.ts';
import { fieldsOf } from '../text/form-fields.ts';

const ADDRESS = '/console/enrol';

export const isEnrolment = (): boolean => location.pathname === ADDRESS;

function takeToken(): string {
  const token = location.hash.slice(1);
  history.replaceState(null, '', ADDRESS);
  return token;
}

export function EnrolPage({ onDone }: { onDone: () => void }) {
  const nameId = useId();
  const [token] = useState(takeToken);
  const [userName, setUserName] = useState<string>();
  const [error, setError] = useState<Error>();
  const [isTrying, setTrying] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name = '' } = fieldsOf(event.currentTarget);
    setError(undefined);
    setTrying(true);
    try {
      setUserName(await enrolByLink(token, name));
    } catch (refusal) {
      setError(refusal as Error);
    } finally {
      setTrying(false);
    }
  };
  const goOn = () => {
    history.replaceState(null, '', '/console');
    onDone();
  };

  if (userName !== undefined)
    return (
      <main className="sign-in">
        <div className="card">
          <h1>The passkey is enrolled</h1>
          <p>From now on it signs in {userName} and gives this user’s votes.</p>
          <button type="button" className="primary" onClick={goOn}>
            Go on to sign in
          </button>
        </div>
      </main>
    );
  return (
    <main className="sign-in">
      <form className="card" onSubmit={(event) => void submit(event)}>
        <h1>Enrol a passkey</h1>
        <p>
          This link is good once. The passkey that you make stays on your device, or with whoever keeps your passkeys,
          and the service learns its public key alone.
        </p>
        <div className="field">
          <label htmlFor={nameId}>Name of the passkey</label>
          <input id={nameId} name="name" required maxLength={100} autoComplete="off" placeholder="laptop" />
        </div>
        {error === undefined ? null : <Failure error={error} />}
        <button type="submit" className="primary" disabled={isTrying || token === ''}>
          {isTrying ? 'One moment…' : 'Enrol the passkey'}
        </button>
        {token === '' ? (
          <p className="quiet">The link is not whole: open it once more as it was given to you.</p>
        ) : null}
      </form>
    </main>
  );
}
