// One transaction that the sandbox's Solana chain executed, and how the JSON-RPC shows it. Executes nothing.
import { type Address, getBase58Decoder, getBase64Decoder, type ReadonlyUint8Array } from '@solana/kit';
import type { TransactionMetadata } from 'litesvm';
import type { tokenAmount } from './accounts.ts';
import type { Message } from './message.ts';
import { invalidParams, type TransactionError, unsupportedTransactionVersion } from './rpc-error.ts';

export type TokenBalance = {
  accountIndex: number;
  mint: Address;
  owner: Address;
  programId: Address;
  uiTokenAmount: ReturnType<typeof tokenAmount>;
};
export type Balances = { lamports: bigint[]; tokens: TokenBalance[] };
export type Loaded = { writable: Address[]; readonly: Address[] };

export type Executed = {
  signature: string;
  slot: number;
  wire: ReadonlyUint8Array;
  signatures: string[];
  message: Message;
  loaded: Loaded;
  before: Balances;
  after: Balances;
  error: TransactionError | null;
  result: TransactionMetadata;
};
export type ShowOptions = { encoding?: string; maxSupportedTransactionVersion?: number };

/** The order in which the instructions and the balances count them. */
export function accountKeys({ message, loaded }: Pick<Executed, 'message' | 'loaded'>): Address[] {
  return [...message.staticAccounts, ...loaded.writable, ...loaded.readonly];
}

/** Inside a transaction lamports only move: what is missing afterwards is the fee. */
export function chargedFee({ before, after }: Pick<Executed, 'before' | 'after'>): bigint {
  const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  return sum(before.lamports) - sum(after.lamports);
}

export function showTransaction(executed: Executed, options: ShowOptions): Record<string, unknown> {
  const { version } = executed.message;
  const { maxSupportedTransactionVersion: supported } = options;
  if (version !== 'legacy' && (supported === undefined || supported < version))
    throw unsupportedTransactionVersion(version);
  const transaction = showWire(executed, options.encoding ?? 'json');
  return { transaction, meta: showMeta(executed), ...(supported !== undefined && { version }) };
}

function showWire(executed: Executed, encoding: string): unknown {
  if (encoding === 'base64') return [getBase64Decoder().decode(executed.wire), 'base64'];
  if (encoding === 'base58') return [getBase58Decoder().decode(executed.wire), 'base58'];
  if (encoding !== 'json') throw invalidParams(`this sandbox has no transaction encoding ${encoding}`);
  const { header, staticAccounts, lifetimeToken, instructions } = executed.message;
  const message = {
    header: {
      numRequiredSignatures: header.numSignerAccounts,
      numReadonlySignedAccounts: header.numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
    },
    accountKeys: staticAccounts,
    recentBlockhash: lifetimeToken,
    instructions: instructions.map(({ programAddressIndex, accountIndices, data }) => ({
      programIdIndex: programAddressIndex,
      accounts: accountIndices ?? [],
      data: getBase58Decoder().decode(data ?? new Uint8Array()),
      stackHeight: 1,
    })),
    ...(executed.message.version === 0 && { addressTableLookups: showLookups(executed.message) }),
  };
  return { signatures: executed.signatures, message };
}

function showLookups(message: Extract<Message, { version: 0 }>): unknown[] {
  return (message.addressTableLookups ?? []).map(({ lookupTableAddress, writableIndexes, readonlyIndexes }) => ({
    accountKey: lookupTableAddress,
    writableIndexes,
    readonlyIndexes,
  }));
}

function showMeta(executed: Executed): Record<string, unknown> {
  const { error, result, before, after, loaded } = executed;
  return {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee: chargedFee(executed),
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
    innerInstructions: showInnerInstructions(result),
    logMessages: result.logs(),
    computeUnitsConsumed: result.computeUnitsConsumed(),
    loadedAddresses: loaded,
    rewards: [],
  };
}

function showInnerInstructions(result: TransactionMetadata): unknown[] {
  return result
    .innerInstructions()
    .map((inner, index) => ({
      index,
      instructions: inner.map((each) => ({
        programIdIndex: each.instruction().programIdIndex(),
        accounts: [...each.instruction().accounts()],
        data: getBase58Decoder().decode(each.instruction().data()),
        stackHeight: each.stackHeight(),
      })),
    }))
    .filter(({ instructions }) => instructions.length > 0);
}
