// Who is signed in, and how one signs in by an API key: its secret becomes a key of the browser that no script can read
// out, and it is gone with the page. Passkeys are in passkey-session.ts.
import { createContext, useContext } from 'react';
import { access, signedOnly } from '../../domain/access-rules.ts';
import { type Scope, scopesAllow } from '../../domain/scopes.ts';
import type { Data } from '../../src/client/api-types.ts';
import { CountersignError } from '../../src/client/errors.ts';
import type { Authorize } from '../../src/client/transport.ts';
import { authorizeInBrowser } from '../../src/client/web-crypto.ts';
import { ConsoleClient } from '../client/console-client.ts';
import type { PasskeyAnswer } from '../client/passkeys.ts';

export const SELF = '/api/v1/api-keys/self';
const CLOCKS_DIFFER_MAX_SECONDS = 300;

/** What a vote is of, as the passkey is to say it. */
export interface VoteToProve {
  subject: 'withdrawal' | 'signing_request' | 'policy' | 'address' | 'authority_change';
  subject_id: string;
  digest: string;
  decision: 'approved' | 'rejected';
}

export interface BegunSession {
  client: ConsoleClient;
  /** What acts, and for whom. */
  key: Data<'get', typeof SELF>;
  /** Absent where an API key has signed in, whose requests are signed as they are. */
  proveVote?: (vote: VoteToProve) => Promise<PasskeyAnswer>;
  /** Calls back once it has ended elsewhere. */
  whenEnded?: (listener: () => void) => void;
  /** Ends it at the service. */
  end?: () => Promise<void>;
}

export interface Session extends BegunSession {
  signOut: () => void;
}

export interface Credentials {
  apiKey: string;
  apiSecret: string;
}

export async function signIn({ apiKey, apiSecret }: Credentials): Promise<BegunSession & { authorize: Authorize }> {
  if (!globalThis.isSecureContext)
    throw new Error('Browsers sign only on pages from HTTPS or from this machine: open this one at such an address.');
  const authorize = await authorizeInBrowser(apiKey.trim(), apiSecret.trim());
  const client = new ConsoleClient(authorize);
  try {
    return { client, authorize, key: await client.get(SELF) };
  } catch (error) {
    throw error instanceof CountersignError && error.status === 401 ? await whyRefused() : error;
  }
}

/** The service says to nobody why it refuses. That the clocks differ this browser can tell itself. */
async function whyRefused(): Promise<Error> {
  const answer = await fetch('/time').then(
    (response) => response.json() as Promise<{ data: { unix_seconds: number } }>,
  );
  const differBySeconds = Math.round(Math.abs(Date.now() / 1000 - answer.data.unix_seconds));
  return new Error(
    differBySeconds > CLOCKS_DIFFER_MAX_SECONDS
      ? `The clock of this device is ${Math.round(differBySeconds / 60)} minutes off: set it right.`
      : 'The service knows no such key, or the secret is another: see that both are copied whole.',
  );
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('Nobody is signed in.');
  return session;
}

const ruleOf = (method: string, path: string) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`;

/** Whether `method path` takes a request that an API key signs, and somebody has signed in with a passkey. */
export function useNeedsSignature(method: string, path: string): boolean {
  const { proveVote } = useSession();
  return signedOnly.has(ruleOf(method, path)) && proveVote !== undefined;
}

/** The scope that `method path` needs and the signed-in key lacks. */
export function useMissingScope(method: string, path: string): Scope | undefined {
  const { key } = useSession();
  const needed = access[ruleOf(method, path)];
  if (needed === undefined) throw new Error(`There is no rule for ${method} ${path}.`);
  return needed === null || scopesAllow(key.scopes as Scope[], needed) ? undefined : needed;
}
