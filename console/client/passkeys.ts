// What the browser asks a passkey: to sign a challenge, or to make a new one. Takes and gives what the service speaks;
// knows nothing of what is signed.

export interface PasskeyQuestion {
  ticket: string;
  /** base64url. */
  challenge: string;
  relying_party_id: string;
  /** Whose passkeys may answer; anybody's when absent. */
  credential_ids?: readonly string[];
}

export interface PasskeyAnswer {
  ticket: string;
  credential_id: string;
  client_data_json: string;
  authenticator_data: string;
  signature: string;
}

export interface CreationOptions {
  challenge: string;
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: readonly { alg: number; type: 'public-key' }[];
  excludeCredentials?: readonly { id: string }[];
  timeout?: number;
}

export interface Registration {
  credential_id: string;
  client_data_json: string;
  attestation_object: string;
  transports: string[];
}

/** `userHandle`: whose passkey it is, as the authenticator knows it. */
export async function askPasskey({
  ticket,
  challenge,
  relying_party_id: rpId,
  credential_ids: ids = [],
}: PasskeyQuestion): Promise<{ answer: PasskeyAnswer; userHandle: string | undefined }> {
  const credential = await orSaidPlainly(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: toBytes(challenge),
        rpId,
        userVerification: 'required',
        allowCredentials: ids.map((id) => ({ id: toBytes(id), type: 'public-key' })),
      },
    }),
  );
  const { authenticatorData, clientDataJSON, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse;
  return {
    answer: {
      ticket,
      credential_id: toText(credential.rawId),
      client_data_json: toText(clientDataJSON),
      authenticator_data: toText(authenticatorData),
      signature: toText(signature),
    },
    userHandle: userHandle === null ? undefined : toText(userHandle),
  };
}

export async function makePasskey(options: CreationOptions): Promise<Registration> {
  const credential = await orSaidPlainly(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: toBytes(options.challenge),
        rp: options.rp,
        user: { ...options.user, id: toBytes(options.user.id) },
        pubKeyCredParams: [...options.pubKeyCredParams],
        excludeCredentials: (options.excludeCredentials ?? []).map(({ id }) => ({
          id: toBytes(id),
          type: 'public-key',
        })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
        ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
      },
    }),
  );
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    credential_id: toText(credential.rawId),
    client_data_json: toText(response.clientDataJSON),
    attestation_object: toText(response.attestationObject),
    transports: response.getTransports(),
  };
}

/** Browsers say little of why a passkey did not answer, so that no page learns who has one. */
async function orSaidPlainly(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  const credential = await ask().catch((error: Error) => {
    throw new Error(
      error.name === 'NotAllowedError'
        ? 'No passkey has answered: it was declined, took too long, or there is none for this address.'
        : error.name === 'InvalidStateError'
          ? 'This device has a passkey of yours already.'
          : error.message,
    );
  });
  if (credential === null) throw new Error('No passkey has answered.');
  return credential as PublicKeyCredential;
}

function toBytes(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function toText(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
