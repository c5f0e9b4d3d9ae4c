// An input of a Bitcoin transaction as bytes, in rows and histories, and what it signs. The bytes are those that the
// nodes read; the digest is computed here by another library than theirs.
import { OutScript, SigHash, Transaction } from '@scure/btc-signer';
import type { BitcoinInput } from '../port.ts';
import { decode, encode } from '../transport/borsh.ts';
import { bitcoinInput, type WireBitcoinInput } from '../transport/wire.ts';

export function wireBitcoinInput({ transaction, index, coins }: BitcoinInput): WireBitcoinInput {
  return { transaction, index, coins: [...coins], sighashType: SigHash.ALL };
}

export function bitcoinInputBytes(input: BitcoinInput): Uint8Array {
  return encode(bitcoinInput, wireBitcoinInput(input));
}

/** Throws for bytes that `bitcoinInputBytes` does not write. */
export function readBitcoinInput(bytes: Uint8Array): BitcoinInput {
  const { transaction, index, coins, sighashType } = decode(bitcoinInput, bytes);
  if (sighashType !== SigHash.ALL) throw new Error('an input is signed with SIGHASH_ALL only');
  return { transaction, index, coins };
}

/** BIP-143. Throws unless the transaction has that input, and its coin pays to a key's hash (P2WPKH). */
export function bitcoinInputDigest({ transaction, index, coins }: BitcoinInput): Uint8Array {
  const read = Transaction.fromRaw(transaction, { allowUnknownOutputs: true });
  const coin = coins[index];
  if (coin === undefined || coins.length !== read.inputsLength) throw new Error('a coin is missing');
  const script = OutScript.decode(coin.script);
  if (script.type !== 'wpkh') throw new Error('the coin is no P2WPKH output');
  const scriptCode = OutScript.encode({ type: 'pkh', hash: script.hash });
  return read.preimageWitnessV0(index, scriptCode, SigHash.ALL, coin.amount);
}
