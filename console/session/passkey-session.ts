// Sessions of who signs in with a passkey: how one begins, is found again by another tab or after a reload, votes, and
// ends. The browser keeps the cookie to itself: no script of the page can read it.

import { CountersignError } from '../../src/client/errors.ts';
import { watchedFetch } from '../client/connection.ts';
import { ConsoleClient } from '../client/console-client.ts';
import {
  askPasskey,
  type CreationOptions,
  makePasskey,
  type PasskeyAnswer,
  type PasskeyQuestion,
} from '../client/passkeys.ts';
import { askSession, consoleHeader } from '../client/session-requests.ts';
import { type BegunSession, SELF, type VoteToProve } from './session.ts';

/** That there may be a session, so that whoever has none is not asked for; the session itself is in the cookie. */
const MAYBE_SIGNED_IN = 'countersign-signed-in';

export async function signInWithPasskey(): Promise<BegunSession> {
  const question = (await askSession('POST', '/challenge').catch(explainOrigin)) as PasskeyQuestion;
  const { answer, userHandle } = await askPasskey(question);
  try {
    await askSession('POST', '', { answer, ...(userHandle === undefined ? {} : { user_handle: userHandle }) });
  } catch (error) {
    throw isUnauthorized(error)
      ? new Error('This passkey opens nothing: it was removed, or its user is disabled or has no role.')
      : error;
  }
  localStorage.setItem(MAYBE_SIGNED_IN, 'yes');
  return begin();
}

/** Undefined where nobody is signed in with a passkey. */
export async function findSession(): Promise<BegunSession | undefined> {
  if (localStorage.getItem(MAYBE_SIGNED_IN) === null) return undefined;
  try {
    return await begin();
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    localStorage.removeItem(MAYBE_SIGNED_IN);
    return undefined;
  }
}

async function begin(): Promise<BegunSession> {
  let onEnded = () => {};
  const fetchInSession: typeof fetch = async (...request) => {
    const response = await watchedFetch(...request);
    if (response.status === 401) {
      localStorage.removeItem(MAYBE_SIGNED_IN);
      onEnded();
    }
    return response;
  };
  const client = new ConsoleClient(() => consoleHeader, fetchInSession);
  return {
    client,
    key: await client.get(SELF),
    proveVote,
    whenEnded: (listener) => {
      onEnded = listener;
    },
    end: async () => {
      localStorage.removeItem(MAYBE_SIGNED_IN);
      await askSession('DELETE', '').catch(() => {});
    },
  };
}

/** A fresh answer over exactly this vote. */
async function proveVote(vote: VoteToProve): Promise<PasskeyAnswer> {
  const question = (await askSession('POST', '/votes/challenge', vote)) as PasskeyQuestion;
  return (await askPasskey(question)).answer;
}

interface Creation {
  ticket: string;
  user: { id: string; name: string };
  options: CreationOptions;
}

/** Adds a passkey to those of who is signed in: one that is there answers first. */
export async function addPasskey(name: string): Promise<void> {
  const question = (await askSession('POST', '/passkeys/challenge')) as PasskeyQuestion;
  const { answer } = await askPasskey(question);
  const { ticket, options } = (await askSession('POST', '/passkeys/creation-challenge', answer)) as Creation;
  await askSession('POST', '/passkeys', { ticket, registration: await makePasskey(options), name });
}

/** Makes the passkey that an enrolment link is for. Answers whose it is. */
export async function enrolByLink(token: string, name: string): Promise<string> {
  const { ticket, options, user } = (await askSession('POST', '/enrolment-challenge', { token })) as Creation;
  await askSession('POST', '/enrolment', { token, ticket, registration: await makePasskey(options), name });
  return user.name;
}

const isUnauthorized = (error: unknown) => error instanceof CountersignError && error.status === 401;

function explainOrigin(error: unknown): never {
  const isElsewhere = error instanceof CountersignError && (error.status === 401 || error.status === 405);
  if (isElsewhere)
    throw new Error(
      'Nobody signs in with a passkey at this address: open the console at the one that is set up for it.',
    );
  throw error as Error;
}
