// The wire shape of API keys. The signing secret is never part of it.
import Type from 'typebox';

const dateTime = Type.String({ format: 'date-time' });

export const apiKeyRecord = Type.Object(
  {
    id: Type.String(),
    api_key: Type.String(),
    workspace_id: Type.String(),
    scopes: Type.Array(Type.String()),
    wallet_ids: Type.Array(Type.String()),
    name: Type.String(),
    created_by: Type.String(),
    expires_at: Type.Optional(dateTime),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { title: 'ApiKey' },
);
