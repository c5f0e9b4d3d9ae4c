// Names of the OpenAPI document that belong to no one route: the groups of operations, in the order of the interface,
// and the lists of values that stand in many places, of which generated code gets one type each.

import { eventTypes } from '../domain/events/event-types.ts';
import { columnTypes } from '../domain/exports/export-columns.ts';
import { exportContents, exportFormats } from '../domain/exports/export-contents.ts';
import { scopes } from '../domain/scopes.ts';
import * as statuses from '../domain/statuses.ts';
import { addressTypes } from '../domain/wallets/address-types.ts';
import { walletPurposes } from '../domain/wallets/wallet-purposes.ts';
import { walletTypes } from '../domain/wallets/wallet-types.ts';
import { feeLevels } from '../domain/withdrawals/fee-levels.ts';
import { auditActors, auditOutcomes } from '../drizzle/audit/audit-tables.ts';
import { assetTypes } from '../drizzle/networks/assets.ts';
import { deliveryStatuses, webhookStatuses } from '../drizzle/webhooks/webhooks.ts';

export const enumNames: Readonly<Record<string, readonly string[]>> = {
  AddressType: addressTypes,
  ApprovalStatus: statuses.approvalStatuses,
  ApprovalRoundStatus: statuses.approvalRoundStatuses,
  AssetType: assetTypes,
  AuditActor: auditActors,
  AuditOutcome: auditOutcomes,
  AuthorityChangeKind: statuses.authorityChangeKinds,
  CallKind: statuses.callKinds,
  CreationStatus: ['pending', 'success', 'error'],
  Curve: statuses.curves,
  DeliveryStatus: deliveryStatuses,
  DepositStatus: statuses.depositStatuses,
  EventType: eventTypes,
  ExportColumnType: columnTypes,
  ExportContent: exportContents,
  ExportFormat: exportFormats,
  ExportStatus: statuses.exportStatuses,
  FeeLevel: feeLevels,
  MessageEncoding: ['utf8', 'hex'],
  PayloadKind: statuses.payloadKinds,
  PolicyAction: ['allow', 'deny', 'require_approvals'],
  PolicyStatus: statuses.policyStatuses,
  Reachability: ['up', 'down'],
  Scope: scopes,
  SigningAliasStatus: statuses.aliasStatuses,
  SigningOrigin: ['withdrawal', 'generic'],
  SigningStatus: statuses.signingStatuses,
  SigningStatusReason: statuses.signingStatusReasons,
  SortColumn: ['created_at', 'updated_at'],
  SortOrder: ['asc', 'desc'],
  TransactionDirection: statuses.transactionDirections,
  TransactionMethod: statuses.transactionMethods,
  TransactionStatusName: statuses.transactionStatuses,
  UserStatus: statuses.userStatuses,
  WalletAssetStatus: statuses.walletAssetStatuses,
  WalletOrWorkspace: ['wallet', 'workspace'],
  WalletPurpose: walletPurposes,
  WalletStatus: statuses.walletStatuses,
  WalletType: walletTypes,
  WebhookStatus: webhookStatuses,
  WithdrawalStatus: statuses.withdrawalStatuses,
  WithdrawalSubStatus: statuses.withdrawalSubStatuses,
};

/** Those of the interface in its order (its rule 3), then those that it has not. */
export const tags = [
  { name: 'catalog', description: 'The networks and assets that the service knows.' },
  { name: 'wallets', description: 'Make wallets, read their addresses and assets, freeze and archive them.' },
  { name: 'balances', description: 'What wallets have, as the ledger has it.' },
  { name: 'withdrawals', description: 'Ask for withdrawals, approve, cancel, replace and follow them.' },
  { name: 'transactions', description: 'What moved: deposits and withdrawals as one activity, and its export.' },
  { name: 'signing', description: 'Have a wallet sign digests, messages, typed data and transactions, and follow it.' },
  { name: 'webhooks', description: 'The feed of events, and endpoints that are sent them.' },
  { name: 'api-keys', description: 'The keys that sign requests: make, change, rotate and revoke them.' },
  { name: 'audit', description: 'Every write and refused attempt, in a chain that can be verified.' },
  { name: 'observability', description: 'Health, readiness, metrics and the state of the service.' },
  { name: 'exports', description: 'Files of everything of a kind, written by the service for batch jobs.' },
  { name: 'policy', description: 'Which operations are allowed, refused or need approval, and the address book.' },
  {
    name: 'users',
    description: 'Who acts through keys, and the changes of users, keys and freezes that wait for approval.',
  },
  { name: 'sandbox', description: 'Only where the chains are those of the sandbox: a faucet, and mining.' },
];
