// Verifies what the cluster answered, with other libraries than those that made it, before anything is stored, and
// writes it as text. Derives the child key and what is signed itself: it trusts nothing that came with the signature.
import { verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
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

/**
 * Recovery computes the one key for which (r, s, recoveryId) is valid over the digest, so its equality with the child
 * key is the verification (SEC 1, 4.1.6). A second pass of `verify` would cost as much again and could not differ.
 */
function isOfSecp256k1(child: Uint8Array, digest: Uint8Array, { bytes, recoveryId }: SignatureBytes): boolean {
  try {
    const parsed = secp256k1.Signature.fromBytes(Uint8Array.of(recoveryId, ...bytes), 'recovered');
    if (parsed.hasHighS() || digest.length !== 32) return false;
    return Buffer.compare(parsed.recoverPublicKey(digest).toBytes(true), child) === 0;
  } catch {
    return false;
  }
}

/**
 * OpenSSL checks the equation, without cofactor and with S below the order; noble that both points are canonical and
 * not of small order. Together that is strict verification (what Solana and ed25519-dalek's `verify_strict` accept) at
 * a fifth of the cost of doing all of it in JavaScript.
 */
function isOfEd25519(child: Uint8Array, message: Uint8Array, { bytes, recoveryId }: SignatureBytes): boolean {
  if (recoveryId !== 0 || bytes.length !== 64) return false;
  try {
    const points = [child, bytes.subarray(0, 32)].map((point) => ed25519.Point.fromBytes(point, false));
    return !points.some((point) => point.isSmallOrder()) && verify(null, message, ed25519PublicKey(child), bytes);
  } catch {
    return false;
  }
}
