// Makes a passkey of what an authenticator answers when it has made a key: attestation is not asked for, a person must
// have been verified, and only algorithms are taken that Node's own cryptography verifies. Decides nobody's right to
// it.
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';
import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { challengeOf, type EnrolStatement } from '../../domain/passkeys/statements.ts';
import { PASSKEY_CEREMONY_MAX_MS } from '../../domain/time-limits.ts';
import type { NewPasskey, PasskeyRow } from '../../drizzle/passkeys/passkeys.ts';
import type { UserRow } from '../../drizzle/users/users.ts';
import type { ConsoleOrigin } from '../authentication/own-page.ts';
import { ApiError } from '../http/errors.ts';
import type { registration as registrationSchema } from './passkeys.schema.ts';

/** EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];
const NAME = 'Countersign';

export type CreationOptions = PublicKeyCredentialCreationOptionsJSON;

export async function creationOptions(
  { relyingPartyId }: ConsoleOrigin,
  { user, challenge, others }: { user: UserRow; challenge: string; others: readonly PasskeyRow[] },
): Promise<CreationOptions> {
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: relyingPartyId,
    userName: user.email ?? user.name,
    userDisplayName: user.name,
    userID: Uint8Array.from(Buffer.from(user.id)),
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout: PASSKEY_CEREMONY_MAX_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: others.map(({ credentialId: id }) => ({ id })),
  });
}

/** Throws what keeps the answer from being a passkey of this ceremony. */
export async function readRegistration(
  console: ConsoleOrigin,
  statement: EnrolStatement,
  { name, registration }: { name: string; registration: Static<typeof registrationSchema> },
): Promise<NewPasskey> {
  const { credential_id: id, client_data_json, attestation_object, transports = [] } = registration;
  const found = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: client_data_json, attestationObject: attestation_object },
    },
    expectedChallenge: challengeOf(statement),
    expectedOrigin: console.origin,
    expectedRPID: console.relyingPartyId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ verified: false as const }));
  if (!found.verified) throw new ApiError('invalid_request', 'The authenticator has not made a passkey for this page.');
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = found.registrationInfo;
  return {
    id: uuidv7(),
    workspaceId: statement.workspace_id,
    userId: statement.user_id,
    credentialId: credential.id,
    publicKey: credential.publicKey,
    publicKeySpki: toSpki(credential.publicKey),
    counter: credential.counter,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
    transports: [...transports],
    aaguid,
    name,
    linkId: statement.link_id,
  };
}

/** A COSE key (RFC 9052, 9053) as SubjectPublicKeyInfo, DER, base64. */
export function toSpki(coseKey: Uint8Array): string {
  const cose = decodeCredentialPublicKey(Uint8Array.from(coseKey)) as unknown as ReadonlyMap<number, unknown>;
  const text = (label: number) => Buffer.from(cose.get(label) as Uint8Array).toString('base64url');
  const jwkOf: Readonly<Record<number, () => JsonWebKey>> = {
    1: () => ({ kty: 'OKP', crv: 'Ed25519', x: text(-2) }),
    2: () => ({ kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) }),
    3: () => ({ kty: 'RSA', n: text(-1), e: text(-2) }),
  };
  const jwk = jwkOf[cose.get(1) as number]?.();
  if (jwk === undefined) throw new ApiError('invalid_request', 'The passkey is of a kind that is not supported.');
  return createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'der', type: 'spki' }).toString('base64');
}
