// The wire shapes of workspaces.
import Type from 'typebox';

export const workspaceParams = Type.Object({
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
});

const fields = {
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
  withdrawals_frozen: Type.Boolean({ description: 'Whether withdrawals and signatures are refused.' }),
  frozen_at: Type.Optional(Type.String({ format: 'date-time', description: 'Since when; absent unless frozen.' })),
  reason: Type.Optional(Type.String({ description: 'What who froze or unfroze it last gave as the reason.' })),
};

const updatedAt = Type.String({ format: 'date-time', description: 'Of an event: when it was decided.' });

export const withdrawalsFreeze = Type.Object(
  { ...fields, updated_at: Type.Optional(updatedAt) },
  { title: 'WithdrawalsFreeze' },
);

export const freezeEventData = Type.Object({ ...fields, updated_at: updatedAt });
