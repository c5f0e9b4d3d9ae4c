// Signed Solana transactions as bytes: put together from a message and its signature, and taken apart again. Lets no
// signature in that is not over exactly these bytes by exactly that key.
import { createPublicKey, verify } from 'node:crypto';
import {
  type Address,
  address,
  type Base64EncodedWireTransaction,
  type Blockhash,
  blockhash,
  getBase58Encoder,
  getBase64Decoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  getTransactionEncoder,
  type ReadonlyUint8Array,
  type Signature,
  type SignatureBytes,
  type TransactionMessageBytes,
} from '@solana/kit';
import type { SignedTransaction } from '../port/transactions.ts';
import { solanaAddress } from './key-address.ts';

const KEY_BYTES = 32;
const VERSION_MARK = 0x80;

export function assembleSolana(unsigned: string, signatures: readonly string[], publicKey: string): SignedTransaction {
  const messageBytes = fromHex(unsigned) as ReadonlyUint8Array as TransactionMessageBytes;
  const [signature, ...more] = signatures.map(fromHex);
  if (signature === undefined || more.length > 0) throw new Error('A Solana transfer needs one signature.');
  const signer = solanaAddress(fromHex(publicKey));
  const { header, staticAccounts } = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (header.numSignerAccounts !== 1 || staticAccounts[0] !== signer)
    throw new Error(`The transaction is not one that ${signer} alone signs.`);
  if (!isSignedBy(signer, messageBytes, signature))
    throw new Error(`The signature of ${signer} is not over this transaction.`);
  const transaction = {
    messageBytes,
    signatures: { [address(signer)]: signature as ReadonlyUint8Array as SignatureBytes },
  };
  const raw = Buffer.from(getTransactionEncoder().encode(transaction));
  return { raw: `0x${raw.toString('hex')}`, txHash: getSignatureFromTransaction(transaction) };
}

export interface SignedSolana {
  wire: Base64EncodedWireTransaction;
  txHash: Signature;
  blockhash: Blockhash;
}

/**
 * Undefined unless the bytes are one whole transaction with every signature that it needs: no node ever takes them
 * otherwise.
 */
export function readSigned(raw: string): SignedSolana | undefined {
  const bytes = fromHex(raw);
  try {
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes);
    const isSigned = Object.entries(signatures).every(
      ([signer, signature]) => signature !== null && isSignedBy(signer, messageBytes, signature),
    );
    if (!isSigned) return undefined;
    const wire = getBase64Decoder().decode(bytes) as Base64EncodedWireTransaction;
    const { lifetimeToken } = getCompiledTransactionMessageDecoder().decode(messageBytes);
    const txHash = getSignatureFromTransaction({ messageBytes, signatures });
    return { wire, txHash, blockhash: blockhash(lifetimeToken) };
  } catch {
    return undefined;
  }
}

/** Who pays for an unsigned message, and until when it is good. */
export function readMessage(unsigned: string): { payer: Address; blockhash: Blockhash } {
  const { staticAccounts, lifetimeToken } = getCompiledTransactionMessageDecoder().decode(fromHex(unsigned));
  const [payer] = staticAccounts;
  if (payer === undefined) throw new Error('A Solana message without accounts was built.');
  return { payer, blockhash: blockhash(lifetimeToken) };
}

/** The same message with another blockhash, which stands behind the account keys. */
export function withBlockhash(message: Uint8Array, hash: ReadonlyUint8Array): Uint8Array {
  const { lifetimeToken, staticAccounts } = getCompiledTransactionMessageDecoder().decode(message);
  const isVersioned = (message[0] ?? 0) >= VERSION_MARK;
  // The number of keys has one byte below 128, and a message of at most 1,232 bytes has no more.
  const place = (isVersioned ? 5 : 4) + staticAccounts.length * KEY_BYTES;
  const before = Buffer.from(getBase58Encoder().encode(lifetimeToken));
  if (!before.equals(message.subarray(place, place + KEY_BYTES))) throw new Error('a blockhash is not where it stands');
  const changed = Uint8Array.from(message);
  changed.set(hash, place);
  return changed;
}

/** Whether a transaction, as a node shows it in base64, is of this message. */
export function isOfMessage(wire: string, unsigned: string): boolean {
  const { messageBytes } = getTransactionDecoder().decode(Buffer.from(wire, 'base64'));
  return Buffer.from(messageBytes).equals(Buffer.from(fromHex(unsigned)));
}

function isSignedBy(signer: string, message: ReadonlyUint8Array, signature: ReadonlyUint8Array): boolean {
  const x = Buffer.from(getBase58Encoder().encode(signer)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Uint8Array.from(message), key, Uint8Array.from(signature));
}

function fromHex(text: string): Uint8Array {
  const digits = text.replace(/^0x/, '');
  if (digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) throw new Error('hex digits were expected');
  return Buffer.from(digits, 'hex');
}
