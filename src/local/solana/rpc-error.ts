// The errors of Solana's JSON-RPC, with the codes that clients know, and the SVM's transaction errors in the form in
// which the RPC shows them. Decides nothing.
import type { FailedTransactionMetadata } from 'litesvm';

export class RpcError extends Error {
  override name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export const invalidParams = (message: string) => new RpcError(-32602, `Invalid params: ${message}`);
export const methodNotFound = () => new RpcError(-32601, 'Method not found');
export const slotSkipped = (slot: number) =>
  new RpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`);
export const blockNotAvailable = (slot: number) => new RpcError(-32004, `Block not available for slot ${slot}`);
export const signatureVerificationFailure = () => new RpcError(-32003, 'Transaction signature verification failure');
export const unsupportedTransactionVersion = (version: number) =>
  new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );

export type TransactionError = string | Record<string, unknown>;

export function preflightFailure(error: TransactionError, logs: string[], unitsConsumed: bigint): RpcError {
  const reason = typeof error === 'string' ? error : JSON.stringify(error);
  const data = { accounts: null, err: error, logs, returnData: null, unitsConsumed };
  return new RpcError(-32002, `Transaction simulation failed: ${reason}`, data);
}

/**
 * litesvm shows a failure as numbers without names, or as Rust's debug text with them: `InstructionError(0, Custom(1))`
 * is `{"InstructionError":[0,{"Custom":1}]}` on the wire.
 */
export function transactionErrorOf(failed: FailedTransactionMetadata): TransactionError {
  const text = /err: (.+?), meta: TransactionMetadata \{/s.exec(failed.toString())?.[1];
  if (text === undefined) throw new Error(`litesvm described a failure in a new way: ${failed.toString()}`);
  return fromDebugText(text);
}

function fromDebugText(text: string): TransactionError {
  const instruction = /^InstructionError\((\d+), (.+)\)$/s.exec(text);
  if (instruction) return { InstructionError: [Number(instruction[1]), fromDebugText(instruction[2] ?? '')] };
  const numbered = /^(\w+)\((\d+)\)$/.exec(text);
  if (numbered?.[1]) return { [numbered[1]]: Number(numbered[2]) };
  const ofAccount = /^(\w+) \{ account_index: (\d+) \}$/.exec(text);
  if (ofAccount?.[1]) return { [ofAccount[1]]: { account_index: Number(ofAccount[2]) } };
  return text;
}
