// The wire shape of what a passkey answers: of who signs in, and of who votes.
import Type from 'typebox';

export const base64url = (description: string, maxLength = 4_096) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength, description });

export const credentialId = base64url('The id of the credential, base64url.', 1_400);
export const clientData = base64url('`clientDataJSON`, base64url.');
export const ticketField = Type.String({
  pattern: '^[A-Za-z0-9_-]+\\.1\\.[0-9a-f]{64}$',
  maxLength: 4_096,
  description: 'What was asked of the passkey, as the service has handed it out. Good once, for minutes.',
});

/** What an authenticator answers when it signs. */
const assertionFields = {
  credential_id: credentialId,
  client_data_json: clientData,
  authenticator_data: base64url('`authenticatorData`, base64url.'),
  signature: base64url('The signature, base64url.'),
};

export const answeredTicket = Type.Object(
  { ticket: ticketField, ...assertionFields },
  {
    title: 'PasskeyProof',
    additionalProperties: false,
    description: 'The answer of a passkey over exactly what is asked.',
  },
);
