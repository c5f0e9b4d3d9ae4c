// The wire shapes of passkeys: what an authenticator answers, the record of a passkey, enrolment links and roles.
import Type from 'typebox';
import { ENROLMENT_LINK_DEFAULT_SECONDS, ENROLMENT_LINK_MAX_SECONDS } from '../../domain/time-limits.ts';
import { enrolmentLinkStatuses } from '../../drizzle/passkeys/enrolment-links.ts';
import { base64url, clientData, credentialId } from '../approvals/passkey-answer.schema.ts';

const dateTime = (description: string) => Type.String({ format: 'date-time', description });
/** What an authenticator answers when it has made a key. */
export const registration = Type.Object(
  {
    credential_id: credentialId,
    client_data_json: clientData,
    attestation_object: base64url('`attestationObject`, base64url.', 8_192),
    transports: Type.Optional(
      Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10, description: 'How the authenticator is reached.' }),
    ),
  },
  { additionalProperties: false },
);

export const passkeyName = Type.String({ minLength: 1, maxLength: 100, examples: ['laptop'] });

const passkeyId = Type.String({ format: 'uuid', description: 'Id of a passkey.' });
export const passkeyParams = Type.Object({ passkey_id: passkeyId });

/** What its record and its events say of it. */
const fields = {
  id: passkeyId,
  user_id: Type.String({ format: 'uuid', description: 'Whose it is.' }),
  name: Type.String(),
  public_key: Type.String({ description: 'SubjectPublicKeyInfo, DER, base64: what evidence is verified with.' }),
  removed_at: Type.Optional(dateTime('Since when it is refused, for ever.')),
  created_at: dateTime('When it was enrolled.'),
};

export const passkeyEventData = Type.Object({
  ...fields,
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
});

export const passkeyRecord = Type.Object(
  {
    ...fields,
    credential_id: credentialId,
    aaguid: Type.String({ description: 'The model that the authenticator says to be. Nobody has attested it.' }),
    backup_eligible: Type.Boolean({ description: 'Whether its owner may copy it to other devices.' }),
    backed_up: Type.Boolean({ description: 'Whether it was, when it was last used.' }),
    counter: Type.Integer({ description: 'Of the last use; 0 for one that does not count.' }),
    last_used_at: Type.Optional(dateTime('When it last signed in or voted.')),
  },
  { title: 'Passkey' },
);

export const enrolmentLinkBody = Type.Object(
  {
    expires_in_seconds: Type.Optional(
      Type.Integer({
        minimum: 300,
        maximum: ENROLMENT_LINK_MAX_SECONDS,
        description: `For how long it can be used, from when it is approved; ${ENROLMENT_LINK_DEFAULT_SECONDS} when absent.`,
      }),
    ),
  },
  { title: 'EnrolmentLinkBody', additionalProperties: false, examples: [{ expires_in_seconds: 3600 }] },
);

export const enrolmentLinkRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    user_id: Type.String({ format: 'uuid', description: 'Who enrols a passkey by it.' }),
    status: Type.Enum([...enrolmentLinkStatuses], { description: '`pending` while it waits for approval.' }),
    url: Type.Optional(
      Type.String({
        description:
          'What the user opens, once. Shown once, to who makes it: hand it over in a way that reaches that person alone.',
      }),
    ),
    expires_at: Type.Optional(dateTime('Until when it can be used; absent while it waits.')),
    change_id: Type.Optional(Type.String({ format: 'uuid', description: 'The change that is to be approved.' })),
    created_by: Type.String(),
    created_at: dateTime('When it was made.'),
  },
  { title: 'EnrolmentLink' },
);
