// What an operator can search workflows by in the Temporal UI.
import { defineSearchAttributeKey } from '@temporalio/common';

export const workspaceIdAttribute = defineSearchAttributeKey('WorkspaceId', 'KEYWORD');
export const walletIdAttribute = defineSearchAttributeKey('WalletId', 'KEYWORD');
/** Of a workflow for several: each of them. What names one cannot become a list. */
export const walletIdsAttribute = defineSearchAttributeKey('WalletIds', 'KEYWORD_LIST');
export const networkCodeAttribute = defineSearchAttributeKey('NetworkCode', 'KEYWORD');
export const operationStatusAttribute = defineSearchAttributeKey('OperationStatus', 'KEYWORD');

export const searchAttributeKeys = [
  workspaceIdAttribute,
  walletIdAttribute,
  walletIdsAttribute,
  networkCodeAttribute,
  operationStatusAttribute,
];
