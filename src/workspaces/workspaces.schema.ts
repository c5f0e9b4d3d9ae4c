// The wire shapes of workspaces.
import Type from 'typebox';

export const workspaceParams = Type.Object({
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
});
