// The console as a whole: who is signed in, and what is read for them. Signing out forgets both.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Router } from 'wouter';
import { currentConnection, onConnectionChange } from '../client/connection.ts';
import { type Session, SessionContext } from '../session/session.ts';
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
  const begin = (session: Omit<Session, 'signOut'>) => {
    const queries = new QueryClient({ defaultOptions: { queries: always, mutations: always } });
    const stop = onConnectionChange(() => {
      if (!currentConnection().isLost) void queries.invalidateQueries();
    });
    const signOut = () => {
      stop();
      queries.clear();
      setSignedIn(undefined);
    };
    setSignedIn({ session: { ...session, signOut }, queries });
  };
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
