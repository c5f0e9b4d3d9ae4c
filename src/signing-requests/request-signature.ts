// Accepts requests for signatures: checks that the wallet may sign now, stores the operation and has its workflow started.
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Transaction } from '../../drizzle/database.ts';
import {
  findSigner,
  findSigningRequest,
  insertSigningRequest,
  type SigningRequestRow,
} from '../../drizzle/signing-requests.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { acceptWrite, findEarlier, type WriteDependencies } from '../http/accept-write.ts';
import { ApiError, notFound } from '../http/errors.ts';
import type { WorkflowStart } from '../start-workflow.ts';
import { formatPath } from './derivation-path.ts';
import type { SigningIntent } from './signing-content.ts';

export interface SigningDependencies extends WriteDependencies {
  networks: NetworkCatalog;
  signRawEnabled: boolean;
}

export async function requestSignature(
  dependencies: SigningDependencies,
  request: FastifyRequest,
  walletId: string,
  read: () => Promise<SigningIntent>,
): Promise<{ created: boolean; result: SigningRequestRow }> {
  const { workspaceId } = request.caller.key;
  const { external_id: externalId } = request.body as { external_id?: string };
  const repeated = {
    target: walletId,
    find: (tx: Transaction, earlierId: string) => findSigningRequest(tx, workspaceId, earlierId),
  };
  let intent: SigningIntent;
  try {
    intent = await read();
  } catch (refusal) {
    // A network or the raw routes may have been switched off since: a repeat still learns what became of the request.
    const earlier = await findEarlier(dependencies, request, repeated);
    if (earlier === undefined) throw refusal;
    return { created: false, result: earlier };
  }
  const operation = planOperation({ workspaceId, walletId }, intent, externalId);
  return acceptWrite(dependencies, request, {
    ...repeated,
    id: operation.row.id,
    start: operation.start,
    insert: async (tx) => {
      await assertCanSign(tx, workspaceId, walletId);
      return insertOperation(tx, operation);
    },
  });
}

export interface PlannedOperation {
  row: Parameters<typeof insertSigningRequest>[1];
  start: WorkflowStart;
}

/** The row and the workflow of a new operation. Nothing of it is stored yet. */
export function planOperation(
  { workspaceId, walletId }: { workspaceId: string; walletId: string },
  { network, content, path: chosenPath }: SigningIntent,
  externalId: string | undefined,
): PlannedOperation {
  const id = uuidv7();
  const path = chosenPath ?? [44, network.coinType, 0, 0, 0];
  const { internalCode: networkCode, curve, addressType } = network;
  const { payload, signingHash, unsignedTx } = content;
  return {
    row: {
      id,
      workspaceId,
      walletId,
      operationType: 'generic',
      networkInternalCode: networkCode,
      keyType: curve,
      signingHash,
      unsignedTx,
      derivationPath: formatPath(path),
      payloadKind: payload.kind,
      externalId: externalId ?? null,
      typedData: payload.kind === 'evm_typed_data' ? payload.typedData : null,
    },
    start: {
      workflow: 'sign',
      workflowId: id,
      input: { signingId: id, workspaceId, walletId, networkCode, addressType, curve, path, payload },
    },
  };
}

export async function insertOperation(tx: Transaction, { row }: PlannedOperation): Promise<SigningRequestRow> {
  const inserted = await insertSigningRequest(tx, row);
  if (inserted === undefined)
    throw new ApiError('invalid_state', `An operation with the external_id ${row.externalId} is there already.`);
  return inserted;
}

/** A freeze that commits between this look and our own commit is met by the worker, which looks again before anything is signed. */
export async function assertCanSign(tx: Transaction, workspaceId: string, walletId: string): Promise<void> {
  const signer = await findSigner(tx, workspaceId, walletId);
  if (signer === undefined) throw notFound('wallet');
  const { walletStatus, withdrawalsFrozenAt } = signer;
  if (withdrawalsFrozenAt !== null)
    throw new ApiError('withdrawals_frozen', 'Withdrawals and signatures of this workspace are frozen: unfreeze them.');
  if (walletStatus === 'frozen') throw new ApiError('wallet_frozen', 'The wallet is frozen: unfreeze it to sign.');
  if (walletStatus !== 'active')
    throw new ApiError('invalid_state', `The wallet is ${walletStatus}, and only an active wallet signs.`);
}
