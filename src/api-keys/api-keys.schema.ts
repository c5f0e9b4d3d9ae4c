// The wire shapes of API keys. The signing secret is part of three answers only: those that show it once.
import Type, { type Static } from 'typebox';
import { scopes } from '../../domain/scopes.ts';
import { roles } from '../../domain/users/roles.ts';

const OVERLAP_MAX_SECONDS = 7 * 24 * 60 * 60;
export const OVERLAP_DEFAULT_SECONDS = 60 * 60;

const dateTime = (description: string) => Type.String({ format: 'date-time', description });
const keyId = Type.String({ format: 'uuid', description: 'API key id.' });
const scopeList = Type.Array(Type.Enum([...scopes]), {
  minItems: 1,
  uniqueItems: true,
  description:
    'What the key may do. None that the calling key lacks, but for the scopes to approve of a key that waits for approval.',
});
const walletList = Type.Array(Type.String({ format: 'uuid' }), {
  maxItems: 1000,
  uniqueItems: true,
  description: 'Wallets of the workspace that the key is bound to; empty for all.',
});
const rangeList = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 100,
  uniqueItems: true,
  description: 'IPv4 and IPv6 addresses and CIDR ranges that the key may be used from; empty for any.',
  examples: [['203.0.113.7', '2001:db8::/32']],
});
const name = Type.String({ minLength: 1, maxLength: 200, examples: ['payout service'] });

export const apiKeyParams = Type.Object({ api_key_id: keyId });

export const createApiKeyBody = Type.Object(
  {
    name,
    user_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Whose key it will be; that of the calling key when absent.' }),
    ),
    scopes: scopeList,
    wallet_ids: Type.Optional(walletList),
    ip_allowlist: Type.Optional(rangeList),
    expires_at: Type.Optional(dateTime('When the key ends; never when absent. In the future.')),
    legacy_path_signing: Type.Optional(
      Type.Boolean({
        description:
          'The key may sign the path without its query string, and nothing for a body of `{}`. For existing callers only.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ name: 'payout service', scopes: ['signing:write', 'signing:read'], ip_allowlist: ['203.0.113.0/24'] }],
  },
);
export type CreateApiKeyBody = Static<typeof createApiKeyBody>;

export const changeApiKeyBody = Type.Object(
  {
    name: Type.Optional(name),
    scopes: Type.Optional(scopeList),
    wallet_ids: Type.Optional(walletList),
    ip_allowlist: Type.Optional(Type.Union([rangeList, Type.Null()], { description: 'null allows any address.' })),
    expires_at: Type.Optional(
      Type.Union([dateTime('In the future.'), Type.Null()], { description: 'null lets the key never end.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ scopes: ['signing:read'] }] },
);
export type ChangeApiKeyBody = Static<typeof changeApiKeyBody>;

/** Of who rotates a key, and of who takes the secret of one. */
export const secretOverlapBody = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_MAX_SECONDS,
        description: `How long the secret until now still signs, if there is one; ${OVERLAP_DEFAULT_SECONDS} when absent, so that a lost answer locks nobody out. 0 when the secret may have leaked. A secret from an earlier rotation ends at once. When another user's key is rotated and waits for approval: counted from there; absent, until its user has taken the new secret.`,
      }),
    ),
  },
  { title: 'SecretOverlapBody', additionalProperties: false, examples: [{ overlap_seconds: 3600 }] },
);

/** What events say of it, too: nothing that helps to use the key. */
const eventFields = {
  id: keyId,
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
  user_id: Type.String({ format: 'uuid', description: 'The user whose key it is, and whose votes it gives.' }),
  scopes: Type.Array(Type.String()),
  wallet_ids: Type.Array(Type.String(), { description: 'Empty when the key reaches every wallet.' }),
  name: Type.String(),
  created_by: Type.String({ description: 'Id of the user who made it, or `operator`.' }),
  revoked_at: Type.Optional(dateTime('Since when the key is refused, for ever.')),
  expires_at: Type.Optional(dateTime('When the key ends.')),
  created_at: dateTime('When the key was made.'),
  updated_at: dateTime('When the key was last changed; its use is no change.'),
};

export const apiKeyEventData = Type.Object(eventFields);

const apiKeyFields = {
  ...eventFields,
  api_key: Type.String({ description: 'The key identifier: what ACCESS-API-KEY carries.' }),
  ip_allowlist: Type.Optional(Type.Array(Type.String(), { description: 'Absent when any address is allowed.' })),
  legacy_path_signing: Type.Optional(Type.Literal(true, { description: 'Absent for all but legacy keys.' })),
  roles: Type.Optional(
    Type.Array(Type.Enum([...roles]), {
      description:
        'Of the key by which the sessions of its user act, which has no secret: what its scopes are made of. Absent for all others.',
    }),
  ),
  awaiting_secret: Type.Optional(
    Type.Literal(true, {
      description: 'Another user made or rotated the key: its own user has yet to take the secret (`take-secret`).',
    }),
  ),
  previous_secret_expires_at: Type.Optional(
    dateTime(
      'Until when the secret before the last rotation still signs. Absent when it ends with `awaiting_secret`, or did.',
    ),
  ),
  last_used_at: Type.Optional(dateTime('Written every few seconds.')),
  last_used_ip: Type.Optional(Type.String()),
};

export const apiKeyRecord = Type.Object(apiKeyFields, { title: 'ApiKey' });

export const apiKeyWithSecret = Type.Object(
  {
    ...apiKeyFields,
    api_secret: Type.Optional(
      Type.String({
        description:
          'The signing secret, shown once, to who makes the key or takes its secret, and in no list: a repeat of the request under its X-Idempotency-Key answers the record without it.',
      }),
    ),
  },
  { title: 'ApiKey' },
);
