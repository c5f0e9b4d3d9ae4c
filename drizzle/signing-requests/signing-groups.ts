// The seal of a group of signing operations: the API that formed it says who its members are, under the key of the
// seals of rows. Whoever reaches Temporal's port can make none. There is no row of it: it is kept in the input of the
// group's workflow.
import { GROUP_MEMBERS_MAX } from '../../domain/signing-groups.ts';
import type { SigningGroup } from '../../domain/workflow-inputs.ts';
import type { SealedContent, Seals } from '../seals/seals.ts';

type UnsealedGroup = Omit<SigningGroup, 'seal'>;

const contentOf = ({ groupId, workspaceId, members }: UnsealedGroup): SealedContent => ({
  id: groupId,
  workspace_id: workspaceId,
  members: members.map(({ signingId }) => signingId),
});

export function sealGroup(seals: Seals, group: UnsealedGroup): SigningGroup {
  if (group.members.length > GROUP_MEMBERS_MAX) throw new Error('a group has too many members');
  return { ...group, seal: seals.seal('signing_group', contentOf(group)) };
}

/** Throws BrokenSealError, and reports it, when no API formed exactly this group. */
export function assertSealedGroup(seals: Seals, group: SigningGroup): void {
  seals.assert('signing_group', group.groupId, contentOf(group), group.seal);
}
