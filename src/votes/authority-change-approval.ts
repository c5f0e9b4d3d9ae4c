// A change of users, keys or a freeze as what is approved: approved it is done at once, rejected it never is.

import type { Transaction } from '../../drizzle/database/connection.ts';
import { advanceEnrolmentLink } from '../../drizzle/passkeys/enrolment-links.ts';
import {
  type AuthorityChangeRow,
  endAuthorityChange,
  findAuthorityChange,
  lockAuthorityChange,
} from '../../drizzle/users/authority-changes.ts';
import { authorityChangeDigest } from '../../drizzle/votes/approved-content.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { type ShownChange, showChange } from '../authority-changes/authority-changes.response.ts';
import { notFound } from '../http/errors.ts';
import { applyChange } from './apply-authority-change.ts';
import type { ApprovalSubject } from './record-vote.ts';

export function authorityChangeSubject(key: UsableKey, id: string): ApprovalSubject<AuthorityChangeRow, ShownChange> {
  const { workspaceId } = key;
  const require = async (tx: Transaction) => found(await findAuthorityChange(tx, workspaceId, id));
  return {
    find: async (tx) => {
      await require(tx);
      assertDecidesForWorkspace(key);
    },
    lock: async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await require(tx);
      return found(await lockAuthorityChange(tx, id));
    },
    idOf: (row) => row.id,
    digestOf: authorityChangeDigest,
    approve: async (tx, row, { sealing }) => {
      await applyChange(tx, sealing, row);
      await leave(tx, row, 'approved');
    },
    reject: async (tx, row, { sealing }) => {
      if (row.kind === 'enrol_passkey')
        await advanceEnrolmentLink(tx, sealing, row.targetId, { from: 'pending', to: 'void' });
      await leave(tx, row, 'rejected');
    },
    show: async (tx) => showChange(tx, await require(tx)),
  };
}

function found(row: AuthorityChangeRow | undefined): AuthorityChangeRow {
  if (row === undefined) throw notFound('change');
  return row;
}

async function leave(tx: Transaction, { id }: AuthorityChangeRow, to: 'approved' | 'rejected'): Promise<void> {
  if (!(await endAuthorityChange(tx, id, to))) throw new Error('a change that waits for approval has ended');
}
