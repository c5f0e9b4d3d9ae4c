// The wire shapes of workspaces.
import Type from 'typebox';

export const workspaceParams = Type.Object({
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
});

export const withdrawalsFreeze = Type.Object(
  {
    workspace_id: Type.String({ format: 'uuid' }),
    withdrawals_frozen: Type.Boolean({ description: 'Whether withdrawals and signatures are refused.' }),
    frozen_at: Type.Optional(Type.String({ format: 'date-time', description: 'Since when; absent unless frozen.' })),
  },
  { title: 'WithdrawalsFreeze' },
);
