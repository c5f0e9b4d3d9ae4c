// A secret that the service shows once. It stands on the page until somebody puts it away or leaves, and nowhere else.
import type { ReactNode } from 'react';
import { Copied } from './values.tsx';

interface ShownOnceProps {
  secret: string;
  /** Names it for who cannot see it, as in "the secret of the webhook". */
  what: string;
  children: ReactNode;
  onPutAway: () => void;
}

export function ShownOnce({ secret, what, children, onPutAway }: ShownOnceProps) {
  return (
    <div className="notice">
      <p role="status">{children}</p>
      <p>
        <Copied text={secret} what={what} whole />
      </p>
      <button type="button" onClick={onPutAway}>
        I have kept it
      </button>
    </div>
  );
}
