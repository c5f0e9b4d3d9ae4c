// The input of the sign workflow, from the row of an operation: its id, and what operators read of it. Holds nothing
// that is signed.
import { workflowIdOfRow } from '../../domain/workflow-ids.ts';
import type { SigningTask, WorkflowStart } from '../../domain/workflow-inputs.ts';
import type { OperationChange } from '../../domain/workflow-runs.ts';
import type { SigningRequestView } from '../../drizzle/signing-requests/signing-approvals.ts';

function signingTaskOf(view: SigningRequestView): SigningTask {
  const { id, workspaceId, walletId, networkInternalCode, payloadKind, approval } = view;
  return {
    signingId: id,
    workspaceId,
    walletId,
    networkCode: networkInternalCode,
    kind: payloadKind,
    atOnce: true,
    ...(approval === undefined ? {} : { approvalUntil: approval.round.expiresAt.toISOString() }),
  };
}

export const startSigning = (view: SigningRequestView): WorkflowStart => ({
  workflow: 'sign',
  workflowId: workflowIdOfRow(view),
  input: signingTaskOf(view),
});

/** Makes the workflow of an operation look at its row again. `ended`: a caller has ended it. */
export const wakeSigning = (view: SigningRequestView, { ended }: OperationChange = {}): WorkflowStart => ({
  workflow: 'sign',
  workflowId: workflowIdOfRow(view),
  input: { ...signingTaskOf(view), ...(ended ? { ended } : {}) },
  signal: 'changed',
});
