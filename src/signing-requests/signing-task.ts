// The input of the sign workflow, rebuilt from the row of an operation: for a signal that may have to start the workflow. The same as what the request froze.
import type { NetworkRow } from '../../drizzle/networks.ts';
import type { SigningRequestView } from '../../drizzle/signing-approvals.ts';
import { payloadOf } from '../../drizzle/signing-payloads.ts';
import type { SignInput } from '../../workflows/sign.ts';
import type { WorkflowStart } from '../start-workflow.ts';
import { parseDerivationPath } from './derivation-path.ts';

export function taskOf(view: SigningRequestView, { addressType }: NetworkRow): SignInput {
  const { id, workspaceId, walletId, networkInternalCode, keyType, derivationPath, approval } = view;
  return {
    signingId: id,
    workspaceId,
    walletId,
    networkCode: networkInternalCode,
    addressType,
    curve: keyType,
    path: parseDerivationPath(derivationPath),
    // A document that was accepted is one.
    payload: payloadOf(view) as SignInput['payload'],
    ...(approval === undefined ? {} : { approvalUntil: approval.round.expiresAt.toISOString() }),
  };
}

/** Makes the workflow of an operation look at its row again. */
export function wakeSigning(view: SigningRequestView, networks: readonly NetworkRow[]): WorkflowStart {
  const network = networks.find(({ internalCode }) => internalCode === view.networkInternalCode);
  if (network === undefined) throw new Error('the network of an operation is not in the catalogue');
  return { workflow: 'sign', workflowId: view.id, input: taskOf(view, network), signal: 'changed' };
}
