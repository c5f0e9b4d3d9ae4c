// Verifies what the cluster answered, with other libraries than those that made it, before anything is stored, and
// writes it as text. Derives the child key and what is signed itself: it trusts nothing that came with the signature.
import { type KeyObject, verify } from 'node:crypto';
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js';
import { recover } from 'tiny-secp256k1';
import type { Curve } from '../../../domain/statuses.ts';
import { ClusterError, type Payload, type PublicKey, type Signature } from '../port.ts';
import { ed25519PublicKey } from './cluster-file.ts';
import { deriveChild } from './derive-child-key.ts';
import { signedBytesOf } from './digest.ts';

type SignatureBytes = Pick<Signature, 'bytes' | 'recoveryId'>;

export interface SignatureToVerify {
  curve: Curve;
  /** As stored when the wallet was created. */
  root: PublicKey;
  path: readonly number[];
  signature: SignatureBytes;
}

/**
 * Returns the child public key; throws `signature_invalid` unless the signature is that key's, over this payload, in
 * its only accepted form.
 */
export function verifySignature({ payload, ...wanted }: SignatureToVerify & { payload: Payload }): Uint8Array {
  return assertSigned(wanted, signedBytesOf(payload));
}

/** As `verifySignature`, for what has no payload of the port: the key test. */
export function verifyDigestSignature({ digest, ...wanted }: SignatureToVerify & { digest: Uint8Array }): Uint8Array {
  return assertSigned(wanted, digest);
}

function assertSigned({ curve, root, path, signature }: SignatureToVerify, signed: Uint8Array): Uint8Array {
  const child = deriveChild(curve, root, path);
  const isValid = curve === 'secp256k1' ? isOfSecp256k1 : isOfEd25519;
  if (!isValid(child, signed, signature)) {
    throw new ClusterError('signature_invalid', `the ${curve} signature does not belong to this key and message`);
  }
  return child;
}

/** `0x` and lower-case hex: r‖s‖v with v = 27 or 28 on secp256k1 (65 bytes), R‖z on ed25519 (64 bytes). */
export function encodeSignature(curve: Curve, { bytes, recoveryId }: SignatureBytes): `0x${string}` {
  const tail = curve === 'secp256k1' ? [27 + recoveryId] : [];
  return `0x${Buffer.from([...bytes, ...tail]).toString('hex')}`;
}

/** Half of the order of the group, rounded down: of the two values that s may have only the lower one is accepted. */
const HALF_ORDER = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');

/**
 * Recovery computes the one key for which (r, s, recoveryId) is valid over the digest, so its equality with the child
 * key is the verification (SEC 1, 4.1.6). A second pass of `verify` would cost as much again and could not differ. By
 * libsecp256k1 (Bitcoin Core's), compiled to WebAssembly: it takes a sixth of the time of curve arithmetic in
 * JavaScript.
 */
function isOfSecp256k1(child: Uint8Array, digest: Uint8Array, { bytes, recoveryId }: SignatureBytes): boolean {
  if (digest.length !== 32 || bytes.length !== 64 || Buffer.compare(bytes.subarray(32), HALF_ORDER) > 0) return false;
  try {
    const recovered = recover(digest, bytes, recoveryId, true);
    return recovered !== null && Buffer.compare(recovered, child) === 0;
  } catch {
    return false;
  }
}

/** The eight points of small order, each in its one canonical encoding. */
const smallOrder: ReadonlySet<string> = new Set(ED25519_TORSION_SUBGROUP);

/**
 * OpenSSL checks the equation, without cofactor and with S below the order, and compares what it computes for R with
 * the bytes of R, so that these are the canonical encoding of a point. What is left is that neither point is of small
 * order, and that the key is canonical (`strictKey`). Together that is strict verification: what Solana and
 * ed25519-dalek's `verify_strict` accept.
 */
function isOfEd25519(child: Uint8Array, message: Uint8Array, { bytes, recoveryId }: SignatureBytes): boolean {
  if (recoveryId !== 0 || bytes.length !== 64) return false;
  if (smallOrder.has(Buffer.from(bytes.subarray(0, 32)).toString('hex'))) return false;
  try {
    const key = strictKey(child);
    return key !== undefined && verify(null, message, key, bytes);
  } catch {
    return false;
  }
}

const strictKeys = new Map<string, KeyObject | undefined>();
const STRICT_KEYS_MAX = 20_000;

/** Undefined for what is no canonical point, or one of small order. To look costs half a signature, so it is kept. */
function strictKey(publicKey: Uint8Array): KeyObject | undefined {
  const name = Buffer.from(publicKey).toString('hex');
  if (strictKeys.has(name)) return strictKeys.get(name);
  const key = isStrictPoint(publicKey) ? ed25519PublicKey(publicKey) : undefined;
  if (strictKeys.size >= STRICT_KEYS_MAX) strictKeys.clear();
  strictKeys.set(name, key);
  return key;
}

function isStrictPoint(publicKey: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(publicKey, false).isSmallOrder();
  } catch {
    return false;
  }
}
