// What a policy is asked, judges by and answers: an operation as it was asked for, its facts, the sums and counts over a window of time that rules look at, and the
// decision. Only shapes and names; read in decide.ts.
import type { PayloadKind } from '../../drizzle/status.ts';
import type { Conditions } from './policies.schema.ts';

/** What a caller wants, as far as a policy looks at it. Ids in lower case. What is absent fulfils no condition about it. */
export interface PolicyIntent {
  workspaceId: string;
  walletId: string;
  networkId: string;
  networkCode: string;
  operation: 'withdrawal' | 'signing';
  /** The user who asks. */
  initiator: string;
  /** Whether a workspace without a policy of its own has that of production. */
  production: boolean;
  method?: 'transfer' | 'contract_call';
  assetId?: string;
  /** Instead of the asset: the contract that stands for it on the network, in its canonical form, or null for the native currency. */
  contract?: string | null;
  amountBaseUnits?: bigint;
  /** In its canonical form. */
  destination?: string;
  payloadKind?: PayloadKind;
  call?: CallFacts;
  typedData?: TypedDataFacts;
}

/** What a transaction does, or what typed data lets somebody do. */
export interface CallFacts {
  /** `transfer`: it moves an amount and does nothing else. */
  kind: 'transfer' | 'dangerous' | 'unknown';
  /** One plain clause: what was found. */
  because: string;
  /** Of an EVM call: 0x and 8 hex digits. */
  selector?: string;
}

export interface TypedDataFacts {
  primaryType: string;
  domainName?: string;
  /** Decimal text. */
  chainId?: string;
  verifyingContract?: string;
}

export interface Decision {
  action: 'allow' | 'deny' | 'require_approvals';
  /** How many approvals; 0 unless they are required. */
  required: number;
  /** The users who may approve; empty for any whose key has the scope. */
  approvers: readonly string[];
  /** 0 unless approvals are required. */
  expiresInSeconds: number;
  /** In plain sentences. */
  reasons: readonly string[];
  /** The name of the rule that decided, or `default`. */
  rule: string;
}

export interface Facts {
  operation: 'withdrawal' | 'signing';
  walletId: string;
  networkCode: string;
  initiator: string;
  method: 'transfer' | 'contract_call' | undefined;
  amount: AmountFacts | undefined;
  destination: string | undefined;
  /** Undefined when no rule asks, or there is no destination. */
  inAddressBook: boolean | undefined;
  payloadKind: PayloadKind | undefined;
  typedData: TypedDataFacts | undefined;
  call: CallFacts | undefined;
  /** By `nameOf` of the condition: what came before this operation. */
  totals: ReadonlyMap<string, bigint>;
}

export interface AmountFacts {
  assetId: string;
  baseUnits: bigint;
  decimals: number;
}

export type WindowCondition =
  | { kind: 'velocity'; condition: NonNullable<Conditions['velocity']> }
  | { kind: 'count'; condition: NonNullable<Conditions['count']> };

/** The same for conditions that look at the same total. */
export function nameOf({ kind, condition }: WindowCondition): string {
  const asset = 'asset_id' in condition ? condition.asset_id : '';
  return [kind, condition.per, condition.window_seconds, asset].join(' ');
}
