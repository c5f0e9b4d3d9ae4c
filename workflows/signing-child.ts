// How a workflow starts the one of a signature as its child, so that an operator finds and reads it like any other.

import type { SigningTask } from '../domain/workflow-inputs.ts';
import {
  networkCodeAttribute,
  operationStatusAttribute,
  walletIdAttribute,
  workspaceIdAttribute,
} from './search-attributes.ts';

export interface ShownSigning {
  workflowId: string;
  staticSummary: string;
  staticDetails: string;
}

export const signingChild = (task: SigningTask, shown: ShownSigning) => ({
  ...shown,
  args: [task] as [SigningTask],
  memo: { id: task.signingId },
  typedSearchAttributes: [
    { key: workspaceIdAttribute, value: task.workspaceId },
    { key: walletIdAttribute, value: task.walletId },
    { key: networkCodeAttribute, value: task.networkCode },
    { key: operationStatusAttribute, value: 'pending' },
  ],
});
