// Accepts requests for signatures: checks that the wallet may sign now and what the policy says, stores the operation
// and has its workflow started. One that must be approved is stored with its round, and its workflow waits.

import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { formatPath } from '../../domain/paths.ts';
import { readEvmBytes } from '../../domain/payloads/evm-transaction.ts';
import type { Decision } from '../../domain/policies/decision.ts';
import type { SigningPayload } from '../../domain/signing/signing-payload.ts';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import type { WorkflowStart } from '../../domain/workflow-inputs.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { insertUnknownMovements } from '../../drizzle/policies/unknown-movements.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { type SigningRequestView, viewSigningRequest } from '../../drizzle/signing-requests/signing-approvals.ts';
import { insertSigningMovements } from '../../drizzle/signing-requests/signing-movements.ts';
import { findSigningNamed } from '../../drizzle/signing-requests/signing-queries.ts';
import { insertSigningRequest } from '../../drizzle/signing-requests/signing-steps.ts';
import { signingDigest } from '../../drizzle/votes/approved-content.ts';
import { openApprovalRound } from '../approvals/open-approval-round.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { SHOWN_BYTES_MAX } from '../decoding/shown-bytes.ts';
import { ApiError } from '../http/errors.ts';
import { externalIdTaken } from '../http/external-id-taken.ts';
import { type Decided, decide } from '../policies/decide.ts';
import type { PolicyIntent } from '../policies/facts.ts';
import { signingIntent } from '../policies/signing-intent.ts';
import { assertWalletMaySign } from '../wallets/assert-can-sign.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import type { WorkspaceQuotas } from '../writes/workspace-quotas.ts';
import { assertSignable } from './assert-signable.ts';
import type { SignedPayload } from './payload.schema.ts';
import { missingSignerCheck } from './require-solana-signer.ts';
import { type PayloadColumns, showPayload } from './shown-payload.ts';
import type { SigningIntent } from './signing-intent.ts';
import { startSigning } from './signing-task.ts';

export interface SigningDependencies extends WriteDependencies {
  quotas: WorkspaceQuotas;
  networks: NetworkCatalog;
  signRawEnabled: boolean;
  /** Whether a workspace without a policy of its own has that of production. */
  production: boolean;
}

export async function requestSignature(
  dependencies: SigningDependencies,
  request: FastifyRequest,
  walletId: string,
  read: () => Promise<SigningIntent>,
): Promise<{ created: boolean; result: SigningRequestView }> {
  const { key } = request.caller;
  const { workspaceId, userId: initiator } = key;
  const owner = { workspaceId, walletId, initiator, production: dependencies.production };
  const { external_id: externalId } = request.body as { external_id?: string };
  const id = uuidv7();
  // Read before the transaction, which must not wait for a second connection; refused inside it, since a repeat is
  // answered also when the network or the raw routes were switched off since.
  const reading = Promise.resolve().then(read);
  const [intent] = await Promise.allSettled([reading.then((asked) => assertSignable(dependencies, asked))]);
  return acceptWrite(dependencies, request, {
    id,
    target: walletId,
    make: async (tx, start) => {
      if (intent.status === 'rejected') throw intent.reason;
      const operation = planOperation({ id, ...owner }, intent.value, externalId);
      await assertWalletMaySign(tx, workspaceId, walletId);
      const refusal = await missingSignerCheck(tx, dependencies.seals, { workspaceId, id: walletId })({
        ...operation,
        sender: intent.value.sender,
      });
      if (refusal !== undefined) throw refusal;
      const decision = await decide(tx, dependencies.seals, operation.intent);
      const denial = denialOf(decision);
      if (denial !== undefined) throw denial;
      await dependencies.quotas.admitOperations(tx, workspaceId);
      const view = await insertSigningOperation({ tx, seals: dependencies.seals, start, key }, operation, decision);
      await insertMoved(tx, [{ operation, decision }]);
      return view;
    },
    find: (tx, earlierId) => viewSigningRequest(tx, workspaceId, earlierId),
  });
}

export interface PlannedOperation {
  row: Parameters<typeof insertSigningRequest>[2] & PayloadColumns;
  payload: SigningPayload;
  /** What the policy is asked about. */
  intent: PolicyIntent;
}

export interface Owner {
  workspaceId: string;
  walletId: string;
  /** The API key that asks. */
  initiator: string;
  production: boolean;
}

/** The row of a new operation, which is all that its workflow knows of it. Nothing of it is stored yet. */
export function planOperation(
  { id, ...owner }: Owner & { id: string },
  { network, validOn, content, path: chosenPath }: SigningIntent,
  externalId: string | undefined,
): PlannedOperation {
  const { workspaceId, walletId } = owner;
  const walletPath = [44, network.coinType, 0, 0, 0];
  const path = chosenPath ?? walletPath;
  const { internalCode: networkInternalCode, curve } = network;
  const { payload, signingHash, unsignedTx } = content;
  return {
    row: {
      id,
      workflowId: workflowIdOf('sign', id),
      workspaceId,
      walletId,
      operationType: 'generic',
      networkInternalCode,
      keyType: curve,
      signingHash,
      unsignedTx,
      derivationPath: formatPath(path),
      payloadKind: payload.kind,
      externalId: externalId ?? null,
      typedData: payload.kind === 'evm_typed_data' ? payload.typedData : null,
      // What another key of the wallet moves is no part of its balances.
      ...(formatPath(path) === formatPath(walletPath) ? landingOf(payload) : {}),
    },
    payload,
    intent: signingIntent(owner, validOn, payload),
  };
}

/** Whoever asked for the signature of a transaction broadcasts it. What else is signed lands in no block. */
function landingOf(payload: SigningPayload): Pick<PlannedOperation['row'], 'landing' | 'nonce'> {
  if (payload.kind === 'solana_transaction') return { landing: 'open' };
  if (payload.kind !== 'evm_transaction') return {};
  const transaction = readEvmBytes(payload.hex as `0x${string}`);
  return transaction === undefined ? {} : { landing: 'open', nonce: `${transaction.nonce}` };
}

export interface Storing {
  tx: Transaction;
  seals: Seals;
  start: (workflow: WorkflowStart) => void;
  /** Who asks. */
  key: UsableKey;
}

/**
 * Stores an operation that is not denied, with its round when it must be approved. Throws when its external id is
 * taken.
 */
export async function insertSigningOperation(
  storing: Storing,
  { row, intent }: PlannedOperation,
  decision: Decision,
): Promise<SigningRequestView> {
  const { tx, seals, start } = storing;
  if (decision.action === 'allow') {
    const view = { ...(await insert(storing, row)), approval: undefined };
    start(startSigning(view));
    return view;
  }
  const asked = { ...row, statusReason: 'awaiting_approval', approvalsRequired: decision.required } as const;
  const [named, ...others] = intent.networks;
  const shown = showPayload(row, [named.code, ...others.map(({ code }) => code)], SHOWN_BYTES_MAX);
  const stored = await insert(storing, asked, shown);
  const { id: subjectId, workspaceId, walletId } = stored;
  const about = { subject: 'signing_request', subjectId, workspaceId, walletId } as const;
  const digest = signingDigest(stored);
  const round = await openApprovalRound(tx, seals, { ...about, requestedBy: intent.initiator, decision, digest });
  const view = { ...stored, approval: { round, votes: [] } };
  start(startSigning(view));
  return view;
}

export interface AcceptedOperation {
  operation: PlannedOperation;
  decision: Decided;
}

/** What the operations may move, for the sums of those that come after them. */
export async function insertMoved(tx: Transaction, accepted: readonly AcceptedOperation[]): Promise<void> {
  const toMovements = ({ operation: { row }, decision: { moved } }: AcceptedOperation) => {
    const { id: signingId, workspaceId, walletId } = row;
    return { signingId, workspaceId, walletId, moved };
  };
  await insertSigningMovements(tx, accepted.map(toMovements));
  const toUnknown = ({ operation: { row }, decision: { unknown } }: AcceptedOperation) => {
    const { id: operationId, workspaceId, walletId } = row;
    return { operationId, workspaceId, walletId, unknown };
  };
  await insertUnknownMovements(tx, accepted.map(toUnknown));
}

async function insert({ tx, seals, key }: Storing, row: PlannedOperation['row'], shown?: SignedPayload) {
  const inserted = await insertSigningRequest(tx, seals, row, shown);
  if (inserted !== undefined) return inserted;
  const { workspaceId, externalId } = row;
  const holder = await findSigningNamed(tx, workspaceId, externalId ?? '');
  throw externalIdTaken(key, 'signing request', externalId ?? '', holder);
}

/** Why the policy denies it; undefined when it does not. Nothing is stored of what is denied. */
export function denialOf({ action, reasons }: Decision): ApiError | undefined {
  return action === 'deny' ? new ApiError('policy_denied', `The policy denies it: ${reasons.join(' ')}`) : undefined;
}
