// What the client offers. Nothing of ours outside this folder is behind it, and no package of a chain: accounts and
// signers of viem, ethers and Solana are files of their own.
export {
  type BatchAccepted,
  type BatchItem,
  CountersignClient,
  type CreateWallet,
  type CreationStatus,
  type EventsQuery,
  type SignAccepted,
  type SignDigest,
  type SignedRequest,
  type SigningRequest,
  type SignMessage,
  type SignTransaction,
  type SignTyped,
  type WalletAccepted,
  type WorkspaceEvent,
} from './countersign-client.ts';
export {
  CountersignError,
  ItemRefusedError,
  OperationFailedError,
  OperationOpenError,
  UnreachableError,
  WebhookRefusedError,
} from './errors.ts';
export type { CompletedExport, Export, ExportSchedule, NewExportSchedule, StartExport } from './exports-client.ts';
export type {
  ContractCall,
  ContractCallAccepted,
  EstimateWithdrawal,
  NewAddress,
  PolicyDocument,
  RequestWithdrawal,
  SimulatePolicy,
  Withdrawal,
  WithdrawalAccepted,
} from './money-client.ts';
export type { CallOptions, WriteOptions } from './service-client.ts';
export { type Credentials, type SignableRequest, signRequest } from './sign-request.ts';
export type { TransportOptions } from './transport.ts';
export type { Pending, WaitOptions } from './until-final.ts';
export type { ApiKeyWithSecret, AuthorityChange, NewApiKey, NewUser, User, UserChange } from './users-client.ts';
export { verifyWebhook, type WebhookClock, type WebhookKeys, type WebhookRequest } from './verify-webhook.ts';
