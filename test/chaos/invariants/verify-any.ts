// Verifies a signature of the run by libraries that the service does not use for it, whatever its wallet shows for an
// address and whatever was signed.
import { createPublicKey, verify } from 'node:crypto';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32 } from '@scure/base';
import { bytesToHex, type Hex, hexToBytes, recoverPublicKey } from 'viem';
import { isValid, type SignedRequest } from '../../support/api/verify.ts';

const BITCOIN_PREFIX = 'bcrt';

export type AnySignature = SignedRequest & {
  payload_kind?: string;
  /** Of what is signed unhashed. */
  payload?: { transaction?: string; message?: string };
};

/** False, too, for what cannot be read as a signature. */
export async function verifies(signature: AnySignature): Promise<boolean> {
  try {
    if (signature.payload_kind?.startsWith('solana_')) return isSignedUnhashed(signature);
    if (signature.address.startsWith(`${BITCOIN_PREFIX}1`))
      return (await bitcoinSignerOf(signature)) === signature.address;
    return await isValid(signature);
  } catch {
    return false;
  }
}

/** Solana signs bytes themselves; the record shows their SHA-256. */
function isSignedUnhashed({ payload, signing_hash, signature, address }: AnySignature): boolean {
  const bytes = hexToBytes((payload?.transaction ?? payload?.message ?? '0x') as Hex);
  if (bytesToHex(sha256(bytes)) !== signing_hash) return false;
  const x = Buffer.from(base58.decode(address)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, bytes, key, hexToBytes(signature));
}

/** The address that pays to the hash of the key which made it (BIP 173). */
async function bitcoinSignerOf({ signing_hash: hash, signature }: SignedRequest): Promise<string> {
  const whole = hexToBytes(await recoverPublicKey({ hash, signature }));
  const [x, y] = [whole.subarray(1, 33), whole.subarray(33)];
  const compressed = Uint8Array.of((y.at(-1) ?? 0) % 2 === 0 ? 2 : 3, ...x);
  return bech32.encode(BITCOIN_PREFIX, [0, ...bech32.toWords(ripemd160(sha256(compressed)))]);
}
