// What is known of a run when everything is quiet again: what the callers were told, what the service and its database
// say, what the chains hold, and what the receiver of webhooks got. The invariants judge it; this file has no opinion.
import type { SigningRequest, Withdrawal } from '../../../src/client/client.ts';
import type { AnySignature } from './verify-any.ts';

export interface Facts {
  /** What callers were told was accepted, by ids. */
  accepted: { signatures: readonly string[]; withdrawals: readonly string[]; wallets: readonly string[] };
  /** What surprised callers, in sentences. */
  surprises: readonly string[];
  /** As the API shows each; only what has succeeded has a signature. */
  signatures: readonly (Pick<SigningRequest, 'id' | 'status' | 'key_type'> & Partial<AnySignature>)[];
  withdrawals: readonly (Pick<Withdrawal, 'id' | 'status'> & {
    amountBaseUnits: bigint;
    /** What its recipient, who gets nothing else, has on the chain. */
    receivedBaseUnits: bigint;
  })[];
  wallets: readonly { id: string; status: string }[];
  /** In sentences: rows that wait for somebody. */
  open: readonly string[];
  /** Broken rules of withdrawals and the ledger, in sentences. */
  brokenBooks: readonly string[];
  /** What the comparison of the ledger with the chains says differs. */
  differences: readonly string[];
  /** By address: the next nonce for the chain, and those that transactions of the service have used there. */
  nonces: readonly { address: string; next: number; used: readonly number[] }[];
  events: readonly FeedEvent[];
  delivered: ReadonlySet<string>;
  /** Earlier events are of before there was a webhook. */
  deliveredSince: string;
  /** Why deliveries did not verify, in sentences. */
  refusedDeliveries: readonly string[];
  auditProblems: readonly string[];
}

export interface FeedEvent {
  id: string;
  seq: number;
  type: string;
  timestamp: string;
  /** The operation or the wallet that it is about, if it is about one. */
  about?: string;
}
