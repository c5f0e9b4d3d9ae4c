// Verifies what the service answered with libraries that it does not use for it: viem on secp256k1, node:crypto on
// ed25519.
import { createPublicKey, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import { type Hex, recoverAddress } from 'viem';

export interface SignedRequest {
  key_type: string;
  signing_hash: Hex;
  signature: Hex;
  public_key: Hex;
  address: string;
}

/** True when the signature is valid over the request's hash for the address that the request shows. */
export async function isValid({
  key_type,
  signing_hash,
  signature,
  public_key,
  address,
}: SignedRequest): Promise<boolean> {
  if (key_type === 'secp256k1') {
    const [s, v] = [BigInt(`0x${signature.slice(66, 130)}`), Number.parseInt(signature.slice(130), 16)];
    const lowS = s <= 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
    return lowS && [27, 28].includes(v) && (await recoverAddress({ hash: signing_hash, signature })) === address;
  }
  const raw = Buffer.from(public_key.slice(2), 'hex');
  if (base58.encode(raw) !== address) return false;
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
    format: 'jwk',
  });
  return verify(null, Buffer.from(signing_hash.slice(2), 'hex'), key, Buffer.from(signature.slice(2), 'hex'));
}
