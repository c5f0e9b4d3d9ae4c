// Reads the wire form of a transaction or of its message. Refuses what is not in it whole, and what the SVM does not
// execute.
import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase58Encoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
  type Transaction,
} from '@solana/kit';
import { invalidParams } from './rpc-error.ts';

export type Message = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime;
export type Parsed = { transaction: Transaction; message: Message };

/** The largest packet that the real network carries. */
const MAX_BYTES = 1_232;

export function readBytes(text: unknown, encoding: unknown = 'base58'): ReadonlyUint8Array {
  if (typeof text !== 'string') throw invalidParams('a string was expected');
  if (encoding !== 'base58' && encoding !== 'base64') throw invalidParams(`unknown encoding ${String(encoding)}`);
  try {
    return (encoding === 'base64' ? getBase64Encoder() : getBase58Encoder()).encode(text);
  } catch {
    throw invalidParams(`invalid ${encoding} encoding`);
  }
}

export function parseTransaction(wire: ReadonlyUint8Array): Parsed {
  if (wire.length > MAX_BYTES)
    throw invalidParams(`the transaction is too large: ${wire.length} bytes (max ${MAX_BYTES})`);
  const transaction = decode('transaction', () => getTransactionDecoder().decode(wire));
  return { transaction, message: parseMessage(transaction.messageBytes) };
}

export function parseMessage(bytes: ReadonlyUint8Array): Message {
  const message = decode('message', () => getCompiledTransactionMessageDecoder().decode(bytes));
  if (message.version === 1) throw invalidParams('this sandbox executes no transactions of version 1');
  return message;
}

function decode<Decoded>(name: string, attempt: () => Decoded): Decoded {
  try {
    return attempt();
  } catch (error) {
    throw invalidParams(`failed to deserialize the ${name}: ${(error as Error).message}`);
  }
}
