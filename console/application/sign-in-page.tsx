// Where one signs in. What is typed is gone from the page as soon as it is used.
import { type FormEvent, useState } from 'react';
import { KeyFields } from '../components/key-fields.tsx';
import { Failure } from '../components/shown.tsx';
import { signInWithPasskey } from '../session/passkey-session.ts';
import { type BegunSession, signIn } from '../session/session.ts';
import { fieldsOf } from '../text/form-fields.ts';

export function SignInPage({ onSignedIn }: { onSignedIn: (session: BegunSession) => void }) {
  const [error, setError] = useState<Error>();
  const [isTrying, setTrying] = useState(false);

  const attempt = async (begin: () => Promise<BegunSession>) => {
    setError(undefined);
    setTrying(true);
    try {
      onSignedIn(await begin());
    } catch (refusal) {
      setError(refusal as Error);
    } finally {
      setTrying(false);
    }
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { 'api-key': apiKey = '', 'api-secret': apiSecret = '' } = fieldsOf(form);
    await attempt(() => signIn({ apiKey, apiSecret }));
    form.reset();
  };

  return (
    <main className="sign-in">
      <form className="card" onSubmit={(event) => void submit(event)}>
        <h1>Countersign</h1>
        <button type="button" className="primary" disabled={isTrying} onClick={() => void attempt(signInWithPasskey)}>
          Use a passkey
        </button>
        <p>
          Or sign in with an API key. Its secret stays in this page: each request is signed here, and a reload forgets
          it.
        </p>
        <KeyFields />
        {error === undefined ? null : <Failure error={error} />}
        <button type="submit" className="primary" disabled={isTrying}>
          {isTrying ? 'One moment…' : 'Sign in'}
        </button>
        <p className="quiet">
          On a machine that runs <code>npm start</code>, <code>.local/credentials.json</code> has two keys:{' '}
          <code>api_key</code> administers, and the one under <code>approver</code> approves.
        </p>
      </form>
    </main>
  );
}
