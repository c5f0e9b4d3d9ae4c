// The wire shapes of users.
import Type from 'typebox';
import { userStatuses } from '../../domain/statuses.ts';
import { roles } from '../../domain/users/roles.ts';

const dateTime = Type.String({ format: 'date-time' });
export const userId = Type.String({ format: 'uuid', description: 'User id.' });
const name = Type.String({ minLength: 1, maxLength: 200, examples: ['Ada'] });

export const userParams = Type.Object({ user_id: userId });

export const createUserBody = Type.Object(
  {
    name,
    email: Type.Optional(Type.String({ minLength: 3, maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' })),
  },
  { additionalProperties: false, examples: [{ name: 'Ada', email: 'ada@example.com' }] },
);

export const changeUserBody = Type.Object(
  {
    name: Type.Optional(name),
    status: Type.Optional(
      Type.Enum([...userStatuses], {
        description: '`disabled` revokes every key of the user, for ever; who is `active` again needs new ones.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ name: 'Ada Lovelace' }] },
);

const roleList = Type.Array(Type.Enum([...roles]), { uniqueItems: true, description: 'Empty for none.' });

export const rolesBody = Type.Object(
  { roles: roleList },
  { title: 'RolesBody', additionalProperties: false, examples: [{ roles: ['viewer'] }] },
);

export const givenRoles = Type.Object(
  { user_id: userId, roles: roleList, scopes: Type.Array(Type.String(), { description: 'What a session may do.' }) },
  { title: 'GivenRoles' },
);

export const userRecord = Type.Object(
  {
    id: userId,
    workspace_id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    email: Type.Optional(Type.String()),
    status: Type.Enum([...userStatuses], { description: 'No key of a disabled user is let in, and no vote counts.' }),
    created_by: Type.String({ description: 'Id of the user who made it, or `operator`.' }),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { title: 'User' },
);
