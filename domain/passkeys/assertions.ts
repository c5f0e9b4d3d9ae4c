// Verifies an assertion of a passkey from what is stored of it, by the standard's own rules (WebAuthn level 2, section
// 7.2) and Node's cryptography alone: what counts votes and what verifies them offline is this one function. Knows no
// row and no request.
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** What an authenticator answers; every part base64url. */
export interface Assertion {
  credential_id: string;
  client_data_json: string;
  authenticator_data: string;
  signature: string;
}

export interface ExpectedAssertion {
  /** base64url. */
  challenge: string;
  origin: string;
  relyingPartyId: string;
  /** SubjectPublicKeyInfo, DER, base64. */
  publicKey: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
/** The hash of the relying party's id, one byte of flags, four of the counter. */
const AUTHENTICATOR_DATA_MIN_BYTES = 37;

/** Undefined when it holds, or else one clause that says what does not. Throws nothing, whatever it is given. */
export function findAssertionFault(assertion: Assertion, expected: ExpectedAssertion): string | undefined {
  const clientData = Buffer.from(assertion.client_data_json, 'base64url');
  const authenticatorData = Buffer.from(assertion.authenticator_data, 'base64url');
  const { type, challenge, origin, crossOrigin } = readClientData(clientData);
  if (type !== 'webauthn.get') return 'it is not the answer to a request for a signature';
  if (challenge !== expected.challenge) return 'it is of another statement';
  if (origin !== expected.origin || crossOrigin === true) return 'it was made for another site';
  if (authenticatorData.length < AUTHENTICATOR_DATA_MIN_BYTES) return 'the data of the authenticator is too short';
  const relyingParty = createHash('sha256').update(expected.relyingPartyId).digest();
  if (!authenticatorData.subarray(0, 32).equals(relyingParty)) return 'it was made for another relying party';
  const flags = authenticatorData[32] ?? 0;
  if ((flags & USER_PRESENT) === 0 || (flags & USER_VERIFIED) === 0) return 'nobody was verified to be present';
  const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]);
  const isSigned = isSignedBy(expected.publicKey, signed, Buffer.from(assertion.signature, 'base64url'));
  return isSigned ? undefined : 'its signature is not of this key';
}

function readClientData(bytes: Buffer): Record<string, unknown> {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isSignedBy(publicKey: string, data: Buffer, signature: Buffer): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify(digestFor(key), data, key, signature);
  } catch {
    return false;
  }
}

/** Ed25519 hashes by itself; ES256 and RS256, the only others that are enrolled, use SHA-256. */
const digestFor = ({ asymmetricKeyType }: KeyObject) => (asymmetricKeyType === 'ed25519' ? null : 'sha256');
