// What has been read, or why there is nothing to see: it is not allowed, it failed, it is on its way, there is none.
import type { ReactNode } from 'react';
import type { CountersignError } from '../../src/client/errors.ts';
import type { Read } from '../service/use-service.ts';

interface ShownProps<Value> {
  read: Read<Value>;
  /** What stands there when there is none. */
  empty?: ReactNode;
  isEmpty?: (value: Value) => boolean;
  children: (value: Value) => ReactNode;
}

export function Shown<Value>({ read, empty, isEmpty = isNothing, children }: ShownProps<Value>) {
  const { missingScope, data, error } = read;
  if (missingScope !== undefined) return <NeedsScope scope={missingScope} />;
  if (data !== undefined)
    return isEmpty(data) && empty !== undefined ? <p className="empty">{empty}</p> : children(data);
  if (error !== null) return <Failure error={error} again={read.readAgain} />;
  return (
    <p className="loading" role="status">
      Loading…
    </p>
  );
}

const isNothing = (value: unknown) =>
  Array.isArray(value) ? value.length === 0 : (value as { rows?: readonly unknown[] })?.rows?.length === 0;

export function NeedsScope({ scope }: { scope: string }) {
  return (
    <p className="needs-scope">
      This needs the scope <code>{scope}</code>, which the key does not have.
    </p>
  );
}

export const NeedsSignature = () => (
  <p className="needs-scope">
    A session cannot do this, so that no secret of a key is handed to a browser that somebody else may have taken over:
    sign in with an API key, or use the command line.
  </p>
);

export function Failure({ error, again }: { error: Error; again?: () => void }) {
  const { requestId } = error as Partial<CountersignError>;
  return (
    <div className="failure" role="alert">
      <p>{error.message}</p>
      {requestId === undefined ? null : (
        <p className="quiet">
          Request <code>{requestId}</code>
        </p>
      )}
      {again === undefined ? null : (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
