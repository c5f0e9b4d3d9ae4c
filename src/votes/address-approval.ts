// A new entry of the address book as what is approved: approved it is a known destination, rejected it is gone.

import {
  type AddressBookRow,
  activateAddress,
  deleteAddress,
  findAddress,
  lockAddress,
} from '../../drizzle/policies/address-book.ts';
import { addressDigest } from '../../drizzle/votes/approved-content.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { notFound } from '../http/errors.ts';
import { requireAddress, showAddress } from '../policies/change-address-book.ts';
import type { ApprovalSubject } from './record-vote.ts';

type Shown = Awaited<ReturnType<typeof showAddress>>;

export function addressSubject(key: UsableKey, id: string): ApprovalSubject<AddressBookRow, Shown> {
  return {
    find: async (tx) => {
      assertDecidesForWorkspace(key);
      return requireAddress(tx, key.workspaceId, id);
    },
    lock: async (tx) => {
      await requireAddress(tx, key.workspaceId, id);
      const row = await lockAddress(tx, id);
      if (row === undefined) throw notFound('address book entry');
      return row;
    },
    idOf: (row) => row.id,
    digestOf: addressDigest,
    approve: async (tx, _row, { sealing }) => {
      if (!(await activateAddress(tx, sealing, id))) throw new Error('an address that waits for approval has moved');
    },
    reject: (tx, _row, { sealing }) => deleteAddress(tx, sealing, id),
    // A rejected one is gone.
    show: async (tx, row) => showAddress(tx, (await findAddress(tx, row.workspaceId, id)) ?? row),
  };
}
