// Verifies a signature of the run by libraries that the service does not use for it, whatever kind of address its
// wallet shows for it.
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32 } from '@scure/base';
import { hexToBytes, recoverPublicKey } from 'viem';
import { isValid, type SignedRequest } from '../../support/api/verify.ts';

const BITCOIN_PREFIX = 'bcrt';

/** False, too, for what cannot be read as a signature. */
export async function verifies(signature: SignedRequest): Promise<boolean> {
  try {
    return signature.address.startsWith(`${BITCOIN_PREFIX}1`)
      ? (await bitcoinSignerOf(signature)) === signature.address
      : await isValid(signature);
  } catch {
    return false;
  }
}

/** The address that pays to the hash of the key which made it (BIP 173). */
async function bitcoinSignerOf({ signing_hash: hash, signature }: SignedRequest): Promise<string> {
  const whole = hexToBytes(await recoverPublicKey({ hash, signature }));
  const [x, y] = [whole.subarray(1, 33), whole.subarray(33)];
  const compressed = Uint8Array.of((y.at(-1) ?? 0) % 2 === 0 ? 2 : 3, ...x);
  return bech32.encode(BITCOIN_PREFIX, [0, ...bech32.toWords(ripemd160(sha256(compressed)))]);
}
