// The two fields for an API key. What is typed stays in them until the form is reset.
import { useId } from 'react';

export function KeyFields() {
  const [keyId, secretId] = [useId(), useId()];
  return (
    <>
      <div className="field">
        <label htmlFor={keyId}>Key</label>
        <input id={keyId} name="api-key" required autoComplete="off" spellCheck={false} />
      </div>
      <div className="field">
        <label htmlFor={secretId}>Secret</label>
        <input id={secretId} name="api-secret" type="password" required autoComplete="off" />
      </div>
    </>
  );
}
