// Whole private keys in one process, all from one seed: what no node ever has. Knows no policy and keeps nothing; the
// port is software-signer.ts.
import { createHmac, randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey } from '@scure/bip32';
import type { Curve } from '../../../domain/statuses.ts';
import type { PublicKey } from '../port.ts';

interface RootKey extends PublicKey {
  /** 32 bytes, big-endian: the scalar on either curve. */
  secret: Uint8Array;
}

export interface RecoverableSignature {
  bytes: Uint8Array;
  recoveryId: 0 | 1;
}

const ed25519Order = ed25519.Point.Fn.ORDER;
const secp256k1Order = secp256k1.Point.Fn.ORDER;

export class SoftwareKeys {
  readonly #seed: Uint8Array;

  /** `seed`: 32 random bytes. The same seed has the same keys for ever. */
  constructor(seed: Uint8Array) {
    if (seed.length !== 32) throw new RangeError('a seed has 32 bytes');
    this.#seed = seed;
  }

  root(walletId: string, curve: Curve): PublicKey {
    const { publicKey, chainCode } = this.#root(walletId, curve);
    return { publicKey, chainCode };
  }

  /** The child's scalar, 32 bytes, big-endian. The path is not hardened. */
  privateKey(walletId: string, curve: Curve, path: readonly number[]): Uint8Array {
    const root = this.#root(walletId, curve);
    return curve === 'secp256k1' ? childOnSecp256k1(root, path) : childOnEd25519(root, path);
  }

  #root(walletId: string, curve: Curve): RootKey {
    const of = (part: string) =>
      createHmac('sha512', this.#seed)
        .update(`countersign/v1/software/${part}/${curve}/${walletId.toLowerCase()}`)
        .digest();
    const order = curve === 'secp256k1' ? secp256k1Order : ed25519Order;
    // 512 bits: the remainder is even enough.
    const secret = toSecret((toScalar(of('key')) % (order - 1n)) + 1n);
    const publicKey = curve === 'secp256k1' ? secp256k1.getPublicKey(secret) : ed25519Point(secret);
    return { secret, publicKey, chainCode: Uint8Array.from(of('chain-code').subarray(0, 32)) };
  }
}

/** `message`: on secp256k1 a digest of 32 bytes. */
export function signWithKey(curve: Curve, secret: Uint8Array, message: Uint8Array): RecoverableSignature {
  if (curve === 'ed25519') return { bytes: signEd25519(secret, message), recoveryId: 0 };
  const recovered = secp256k1.sign(message, secret, { prehash: false, format: 'recovered' });
  return { bytes: recovered.subarray(1), recoveryId: recovered[0] === 1 ? 1 : 0 };
}

export const ed25519Point = (secret: Uint8Array) => ed25519.Point.BASE.multiply(toScalar(secret)).toBytes();

function childOnSecp256k1({ secret, chainCode }: RootKey, path: readonly number[]): Uint8Array {
  const root = new HDKey({ privateKey: secret, chainCode });
  const { privateKey } = path.reduce((parent, index) => parent.deriveChild(index), root);
  if (privateKey === null) throw new Error('a private child has a private key');
  return privateKey;
}

/** The mirror of derive.ts: what that adds to the point, this adds to the scalar. */
function childOnEd25519(root: RootKey, path: readonly number[]): Uint8Array {
  let scalar = toScalar(root.secret);
  let { chainCode } = root;
  for (const index of path) {
    const input = Buffer.alloc(37);
    input.set(ed25519Point(toSecret(scalar)));
    input.writeUInt32BE(index, 33);
    const output = createHmac('sha512', chainCode).update(input).digest();
    scalar = (scalar + toScalar(output.subarray(0, 32))) % ed25519Order;
    chainCode = output.subarray(32);
  }
  return toSecret(scalar);
}

/** RFC 8032 with a bare scalar and a random nonce, as the nodes do it: a derived scalar has no seed. */
function signEd25519(secret: Uint8Array, message: Uint8Array): Uint8Array {
  const nonce = (toScalar(randomBytes(64)) % (ed25519Order - 1n)) + 1n;
  const commitment = ed25519.Point.BASE.multiply(nonce).toBytes();
  const hash = sha512(Buffer.concat([commitment, ed25519Point(secret), message]));
  const challenge = toScalar(hash.toReversed()) % ed25519Order;
  const answer = (nonce + challenge * toScalar(secret)) % ed25519Order;
  return Uint8Array.from(Buffer.concat([commitment, toSecret(answer).toReversed()]));
}

const toScalar = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const toSecret = (scalar: bigint) => Uint8Array.from(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex'));
