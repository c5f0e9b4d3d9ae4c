// Makes a transaction that a caller has written himself ready to be signed: its instructions as they are, its blockhash
// of now. Sends nothing.
import {
  type Base64EncodedWireTransaction,
  getBase58Encoder,
  getBase64Decoder,
  getSolanaErrorFromTransactionError,
} from '@solana/kit';
import { readSolanaFee } from '../../../domain/payloads/solana-fee.ts';
import { requiredSigners } from '../../../domain/payloads/solana-message.ts';
import type { FeeLevel } from '../../../domain/withdrawals/fee-levels.ts';
import { ChainError, ImpossibleTransfer } from '../port/chain-error.ts';
import type { Call, FeeQuote, UnsignedTransaction } from '../port/transactions.ts';
import { lacksFunds } from './insufficient-funds.ts';
import type { AskSolana } from './rpc.ts';
import { withBlockhash } from './wire-format.ts';

const SIGNATURE_BYTES = 64;
type TrialError = Parameters<typeof getSolanaErrorFromTransactionError>[0];

/** What its own bytes let it pay: the caller has written the price into it. */
export function quoteSolanaCall({ data }: Call, level: FeeLevel): FeeQuote {
  const { feeBaseUnits, price = 0n } = readSolanaFee(messageOf(data));
  if (feeBaseUnits === undefined) throw new ImpossibleTransfer('The fee that its compute budget sets cannot be read.');
  return { level, maxFee: feeBaseUnits, parameters: { microLamportsPerUnit: `${price}` } };
}

/**
 * Refuses what would fail if it were sent now, so that it is never signed. The blockhash is a finalized one, as that of
 * a transfer.
 */
export async function buildSolanaCall(ask: AskSolana, call: Call): Promise<UnsignedTransaction> {
  const { value: lifetime } = await ask((rpc) => rpc.getLatestBlockhash({ commitment: 'finalized' }));
  const message = withBlockhash(messageOf(call.data), getBase58Encoder().encode(lifetime.blockhash));
  const places = Buffer.alloc(1 + requiredSigners(message).length * SIGNATURE_BYTES);
  places[0] = requiredSigners(message).length;
  const wire = getBase64Decoder().decode(Buffer.concat([places, message])) as Base64EncodedWireTransaction;
  const { value: simulated } = await ask((rpc) =>
    rpc.simulateTransaction(wire, { encoding: 'base64', commitment: 'confirmed' }),
  );
  if (simulated.err !== null) throw refusalOf(simulated.err);
  const unsigned = `0x${Buffer.from(message).toString('hex')}`;
  const payloads = [{ kind: 'solana_transaction', hex: unsigned }] as const;
  return { unsigned, payloads, validUntil: Number(lifetime.lastValidBlockHeight) };
}

function messageOf(data: string): Uint8Array {
  const message = Buffer.from(data.slice(2), 'hex');
  try {
    requiredSigners(message);
  } catch (error) {
    throw new ImpossibleTransfer(`The message of the transaction cannot be read: ${(error as Error).message}.`);
  }
  return message;
}

/** What an instruction refuses is for its writer to mend; all else may be otherwise later. */
function refusalOf(error: TrialError): Error {
  const message = `The transaction would fail now: ${describe(error)}`;
  if (lacksFunds(getSolanaErrorFromTransactionError(error))) return new ChainError(message, 'insufficient_funds');
  const isOfInstruction = typeof error === 'object' && error !== null && 'InstructionError' in error;
  return isOfInstruction ? new ImpossibleTransfer(message) : new ChainError(message);
}

function describe(error: unknown): string {
  return JSON.stringify(error, (_name, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}
