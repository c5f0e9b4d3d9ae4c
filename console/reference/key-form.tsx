// Where the key is entered that signs calls. The secret becomes a key of the browser and leaves the field at once.
import { type FormEvent, useState } from 'react';
import { KeyFields } from '../components/key-fields.tsx';
import { Failure } from '../components/shown.tsx';
import { signIn } from '../session/session.ts';
import { fieldsOf } from '../text/form-fields.ts';
import { usePage } from './page-state.tsx';

export function KeyForm() {
  const { setSigner } = usePage();
  const [error, setError] = useState<Error>();
  const [isTrying, setTrying] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { 'api-key': apiKey = '', 'api-secret': apiSecret = '' } = fieldsOf(form);
    setError(undefined);
    setTrying(true);
    try {
      const { authorize, key } = await signIn({ apiKey, apiSecret });
      form.reset();
      setSigner({ authorize, key });
    } catch (refusal) {
      form.reset();
      setError(refusal as Error);
      setTrying(false);
    }
  };
  return (
    <form className="write-form" onSubmit={(event) => void submit(event)}>
      <p>
        A call is signed by an API key. Its secret stays in this page: each call is signed here, and a reload forgets
        it.
      </p>
      <KeyFields />
      {error === undefined ? null : <Failure error={error} />}
      <button type="submit" className="primary" disabled={isTrying}>
        {isTrying ? 'One moment…' : 'Use this key'}
      </button>
    </form>
  );
}
