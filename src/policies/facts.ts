// What a policy is asked, judges by and answers: an operation as it was asked for, its facts, the sums and counts over
// a window of time that rules look at, and the decision. Only shapes and names; read in decide.ts.

import type { Conditions } from '../../domain/policies/policy-document.ts';
import type { CallKind, PayloadKind } from '../../domain/statuses.ts';

/** A network that an operation may be valid on. */
export interface JudgedNetwork {
  id: string;
  /** Its internal code. */
  code: string;
}

/**
 * By its id in the catalogue, or by the contract that stands for it on the network, in its canonical form (null: the
 * native currency).
 */
export type MovedAsset = { id: string } | { contract: string | null };

/** Something that leaves when the operation is carried out. What is undefined is not known: it may be anything. */
export interface Movement {
  asset: MovedAsset | undefined;
  amountBaseUnits: bigint | undefined;
  /** In its canonical form. */
  destination: string | undefined;
  /** Of a token on Solana: the account that receives it, whose owner its address does not show. */
  tokenAccount?: string;
}

/** What a caller wants, as far as a policy looks at it. Ids in lower case. */
export interface PolicyIntent {
  workspaceId: string;
  walletId: string;
  /**
   * Where it may be valid, that which was named first. It is judged for each of them, and the strictest outcome counts.
   */
  networks: readonly [JudgedNetwork, ...JudgedNetwork[]];
  operation: 'withdrawal' | 'signing';
  /** The user who asks. */
  initiator: string;
  /** Whether a workspace without a policy of its own has that of production. */
  production: boolean;
  method?: 'transfer' | 'contract_call';
  /** All of them. */
  movements: readonly Movement[];
  /** What of it was not understood, a plain clause each: it may move anything besides. */
  unknown: readonly string[];
  /**
   * What its network may take at most, in base units of the native currency: 0 for what is no transaction, undefined
   * where it is not known.
   */
  fee: bigint | undefined;
  payloadKind?: PayloadKind;
  call?: CallFacts;
  typedData?: TypedDataFacts;
}

/** What a transaction does, or what typed data or a raw digest lets somebody do. */
export interface CallFacts {
  kind: CallKind;
  /** One plain clause: what was found. */
  because: string;
  /** Of an EVM call: 0x and 8 hex digits. */
  selector?: string;
  /**
   * Nothing of it was read (a raw digest, typed data of no standard): no rule allows it that does not name it, and
   * people may be asked.
   */
  isUnread?: true;
}

export interface TypedDataFacts {
  primaryType: string;
  domainName?: string;
  /** Decimal text. */
  chainId?: string;
  verifyingContract?: string;
}

/**
 * What an operation may take from a wallet, with its fee, as far as it is known: what sums over a window of time count.
 */
export interface CountedAmount {
  assetId: string;
  amountBaseUnits: bigint;
}

export type MovedTotal = bigint | 'unknown';

/** A movement on one network, with what the catalogue and the address book know of it. */
export interface MovementFacts extends Movement {
  /**
   * Undefined also for a contract that the catalogue does not have: it may stand for anything, the native currency too.
   */
  assetId: string | undefined;
  decimals: number | undefined;
  /** Undefined when no rule asks, or the destination is not known. */
  inAddressBook: boolean | undefined;
}

/** An operation as it would be on one network. */
export interface Facts {
  operation: 'withdrawal' | 'signing';
  walletId: string;
  networkCode: string;
  initiator: string;
  method: 'transfer' | 'contract_call' | undefined;
  movements: readonly MovementFacts[];
  unknown: readonly string[];
  /** Base units of the native asset at most; undefined where it is not known. */
  fee: bigint | undefined;
  /** What the fee is paid in. Undefined where neither a rule nor the fee makes it matter. */
  nativeAssetId: string | undefined;
  /** Decimals of the assets of this network that rules name: no others of theirs can move here. */
  decimals: ReadonlyMap<string, number>;
  payloadKind: PayloadKind | undefined;
  typedData: TypedDataFacts | undefined;
  call: CallFacts | undefined;
  /**
   * By `nameOf` of the condition: what came before this operation. `unknown`: something came whose amount nobody knows.
   */
  totals: ReadonlyMap<string, MovedTotal>;
}

export type WindowCondition =
  | { kind: 'velocity'; condition: NonNullable<Conditions['velocity']> }
  | { kind: 'count'; condition: NonNullable<Conditions['count']> };

/** The same for conditions that look at the same total. */
export function nameOf({ kind, condition }: WindowCondition): string {
  const asset = 'asset_id' in condition ? condition.asset_id : '';
  return [kind, condition.per, condition.window_seconds, asset].join(' ');
}
