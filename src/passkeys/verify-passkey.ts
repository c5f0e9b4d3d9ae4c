// Takes the answer of a passkey to a statement of ours: verified by the library and once more by what verifies evidence
// offline, used once, with a counter that only goes up. Every failure is the same 401.
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { type Assertion, findAssertionFault } from '../../domain/passkeys/assertions.ts';
import { challengeOf, type Statement } from '../../domain/passkeys/statements.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import {
  lockPasskeyByCredential,
  notePasskeyUse,
  type PasskeyRow,
  sealedPasskeys,
} from '../../drizzle/passkeys/passkeys.ts';
import { areSetBack } from '../../drizzle/sealed-rows/rolled-back-rows.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import type { ConsoleOrigin } from '../authentication/own-page.ts';
import { AuthenticationError } from '../http/errors.ts';
import { useTicket } from './tickets.ts';

export interface PasskeyBasis {
  seals: Seals;
  console: ConsoleOrigin;
}

/** Answers the passkey, as it was before, once its assertion over the statement holds. */
export async function verifyPasskey(
  tx: Transaction,
  { seals, console }: PasskeyBasis,
  { statement, assertion }: { statement: Statement; assertion: Assertion },
): Promise<PasskeyRow> {
  const passkey = await lockPasskeyByCredential(tx, assertion.credential_id);
  if (passkey === undefined || passkey.removedAt !== null || !sealedPasskeys.counts(seals, passkey)) throw refused();
  if (await areSetBack(tx, seals, passkey.workspaceId, [{ kind: 'passkey', id: passkey.id }])) throw refused();
  const expected = {
    challenge: challengeOf(statement),
    origin: console.origin,
    relyingPartyId: console.relyingPartyId,
    publicKey: passkey.publicKeySpki,
  };
  if (findAssertionFault(assertion, expected) !== undefined) throw refused();
  const { counter, backedUp } = await verifyByLibrary(passkey, assertion, expected);
  await useTicket(tx, statement);
  await notePasskeyUse(tx, seals, passkey, { counter, backedUp });
  return passkey;
}

/** Refuses a counter that has not gone up, too: another device may have a copy of the key. */
async function verifyByLibrary(
  passkey: PasskeyRow,
  assertion: Assertion,
  expected: { challenge: string; origin: string; relyingPartyId: string },
): Promise<Pick<PasskeyRow, 'counter' | 'backedUp'>> {
  const { credential_id: id, client_data_json, authenticator_data, signature } = assertion;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: client_data_json, authenticatorData: authenticator_data, signature },
      },
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.relyingPartyId,
      credential: { id, publicKey: Uint8Array.from(passkey.publicKey), counter: passkey.counter },
      requireUserVerification: true,
    });
    if (!verified) throw refused();
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
  } catch {
    throw refused();
  }
}

const refused = () => new AuthenticationError('passkey not verified');
