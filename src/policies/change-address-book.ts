// Adds destinations to the address book and removes them. Where the policy asks for approvals of its changes, and
// always in production, an addition waits for them: a new known destination widens what the policy allows.
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { closeApprovalRound, listApprovals } from '../../drizzle/approvals/approvals.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import {
  type AddressBookRow,
  deleteAddress,
  findAddress,
  insertAddress,
  lockAddress,
} from '../../drizzle/policies/address-book.ts';
import { sealingOf } from '../../drizzle/seals/sealing.ts';
import { addressDigest } from '../../drizzle/votes/approved-content.ts';
import { lockWorkspace } from '../../drizzle/workspaces/workspaces.ts';
import { openApprovalRound } from '../approvals/open-approval-round.ts';
import { assertDecidesForWorkspace } from '../authentication/decides-for-workspace.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { requireAddress as requireCanonicalAddress } from '../catalog/require-address.ts';
import { requireNetwork } from '../catalog/require-asset.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import type { addAddressBody } from './address-book.schema.ts';
import { asDecision } from './needed-approvals.ts';
import { toAddress } from './policies.response.ts';
import { approvalsOfChanges, findPolicyInForce } from './policy-in-force.ts';

export interface AddressBookDependencies extends WriteDependencies {
  networks: NetworkCatalog;
  production: boolean;
}

type Shown = ReturnType<typeof toAddress>;

export async function addAddress(
  dependencies: AddressBookDependencies,
  request: FastifyRequest,
  body: Static<typeof addAddressBody>,
): Promise<Shown> {
  const { key } = request.caller;
  assertDecidesForWorkspace(key);
  const { workspaceId } = key;
  const network = await requireNetwork(dependencies.networks, body.network_id);
  const address = requireCanonicalAddress(network, 'address', body.address);
  const id = uuidv7();
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: '',
    make: async (tx, _start, note) => {
      // A policy that asks for approvals from now on is waited for.
      await lockWorkspace(tx, workspaceId);
      const { document } = await findPolicyInForce(tx, dependencies, workspaceId);
      const needed = approvalsOfChanges(document, dependencies.production);
      const status = needed === undefined ? ('active' as const) : ('pending' as const);
      const entry = {
        id,
        workspaceId,
        networkId: network.id,
        address,
        label: body.label,
        status,
        createdBy: key.userId,
      };
      const row = await insertAddress(tx, sealingOf(dependencies.seals, note), entry);
      if (row === undefined) throw new ApiError('invalid_state', 'The address is in the book of this network already.');
      if (needed !== undefined) {
        const about = {
          subject: 'address',
          subjectId: id,
          workspaceId,
          walletId: null,
          requestedBy: key.userId,
        } as const;
        const decision = asDecision(needed, 'New addresses in the book need the approval of another user.');
        await openApprovalRound(tx, dependencies.seals, { ...about, decision, digest: addressDigest(row) });
      }
      return showAddress(tx, row);
    },
  });
  return result;
}

export async function removeAddress(
  dependencies: WriteDependencies,
  request: FastifyRequest,
  id: string,
): Promise<Shown> {
  const { key } = request.caller;
  const { result } = await acceptWrite(dependencies, request, {
    id,
    target: id,
    // The owner first: another workspace's is not there.
    admit: async () => assertDecidesForWorkspace(key),
    make: async (tx, _start, note) => {
      await requireAddress(tx, key.workspaceId, id);
      const row = await lockAddress(tx, id);
      if (row === undefined) throw notFound('address book entry');
      note({ before: await showAddress(tx, row), after: undefined });
      if (row.status === 'pending') await closeApprovalRound(tx, id, 'cancelled');
      await deleteAddress(tx, sealingOf(dependencies.seals, note), id);
      return showAddress(tx, row);
    },
  });
  return result;
}

export async function requireAddress(tx: Transaction, workspaceId: string, id: string): Promise<AddressBookRow> {
  const row = await findAddress(tx, workspaceId, id);
  if (row === undefined) throw notFound('address book entry');
  return row;
}

export async function showAddress(tx: Transaction, row: AddressBookRow): Promise<Shown> {
  return toAddress(row, (await listApprovals(tx, [row.id])).get(row.id));
}
