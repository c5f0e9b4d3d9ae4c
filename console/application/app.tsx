// The console as a whole: who is signed in, and what is read for them. Signing out forgets both.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Router } from 'wouter';
import { currentConnection, onConnectionChange } from '../client/connection.ts';
import { findSession } from '../session/passkey-session.ts';
import { type BegunSession, type Session, SessionContext } from '../session/session.ts';
import { EnrolPage, isEnrolment } from './enrol-page.tsx';
import { Shell } from './shell.tsx';
import { SignInPage } from './sign-in-page.tsx';

const BASE = '/console';
/** Whether the service answers is seen by asking it: a browser that calls itself offline may reach this machine. */
const always = { networkMode: 'always' } as const;

interface SignedIn {
  session: Session;
  queries: QueryClient;
}

export function App() {
  const [signedIn, setSignedIn] = useState<SignedIn>();
  const [isLooking, setLooking] = useState(true);
  const [isEnrolling, setEnrolling] = useState(isEnrolment);
  const begin = useCallback((session: BegunSession) => {
    const queries = new QueryClient({ defaultOptions: { queries: always, mutations: always } });
    const stop = onConnectionChange(() => {
      if (!currentConnection().isLost) void queries.invalidateQueries();
    });
    const leave = () => {
      stop();
      queries.clear();
      setSignedIn(undefined);
    };
    session.whenEnded?.(leave);
    const signOut = () => {
      void session.end?.();
      leave();
    };
    setSignedIn({ session: { ...session, signOut }, queries });
  }, []);
  // Whoever has signed in with a passkey in another tab, or before a reload, is signed in here.
  useEffect(() => {
    findSession()
      .then((found) => found && begin(found))
      .catch(() => {})
      .finally(() => setLooking(false));
  }, [begin]);
  if (isEnrolling) return <EnrolPage onDone={() => setEnrolling(false)} />;
  if (isLooking) return null;
  if (signedIn === undefined) return <SignInPage onSignedIn={begin} />;
  return (
    <SessionContext value={signedIn.session}>
      <QueryClientProvider client={signedIn.queries}>
        <Router base={BASE}>
          <Shell />
        </Router>
      </QueryClientProvider>
    </SessionContext>
  );
}
