// Child public keys from a root public key and its chain code, non-hardened only: nobody holds the private key that
// hardening needs. secp256k1 is BIP-32; ed25519 is the additive scheme of hd-wallet (`Edwards`), which no standard
// describes: see ARCHITECTURE.md.
import { createHmac } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { HDKey } from '@scure/bip32';
import { faultOfPath, PATH_STEPS_MAX } from '../../../domain/paths.ts';
import type { Curve } from '../../../domain/statuses.ts';
import { ClusterError, type PublicKey } from '../port.ts';

/** Throws `invalid_request` for a path that is hardened, too long or not of whole numbers. */
export function assertPath(path: readonly number[]): void {
  if (faultOfPath(path) !== undefined)
    throw new ClusterError('invalid_request', `a path has at most ${PATH_STEPS_MAX} non-hardened indexes`);
}

/** The compressed child key: 33 bytes on secp256k1, 32 on ed25519. The empty path is the root itself. */
export function deriveChild(curve: Curve, root: PublicKey, path: readonly number[]): Uint8Array {
  assertPath(path);
  if (path.length === 0) return Uint8Array.from(root.publicKey);
  const name = `${curve} ${hexOf(root.publicKey)} ${hexOf(root.chainCode)} ${path.join('/')}`;
  let child = derived.get(name);
  if (child === undefined) {
    child = curve === 'secp256k1' ? deriveSecp256k1(root, path) : deriveEd25519(root, path);
    if (derived.size >= maxDerived) derived.clear();
    derived.set(name, child);
  }
  return Uint8Array.from(child);
}

/**
 * A path of five indexes costs 3 ms on secp256k1, half of a signature, and an address signs many times. A pure
 * function's results, so never stale.
 */
const derived = new Map<string, Uint8Array>();
const maxDerived = 20_000;

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function deriveSecp256k1({ publicKey, chainCode }: PublicKey, path: readonly number[]): Uint8Array {
  const child = path.reduce((parent, index) => parent.deriveChild(index), new HDKey({ publicKey, chainCode }));
  if (child.publicKey === null) throw new Error('a derived key has a public key');
  return child.publicKey;
}

/** A child is parent + (left half of HMAC-SHA512(chain code, A‖00‖index) mod L)·B; the right half is its chain code. */
function deriveEd25519(root: PublicKey, path: readonly number[]): Uint8Array {
  let point = ed25519.Point.fromBytes(root.publicKey);
  let { chainCode } = root;
  for (const index of path) {
    const input = Buffer.alloc(37);
    input.set(point.toBytes());
    input.writeUInt32BE(index, 33);
    const output = createHmac('sha512', chainCode).update(input).digest();
    const left = BigInt(`0x${output.subarray(0, 32).toString('hex')}`);
    // The tweak is public (it follows from the public key and the chain code), so variable time is no leak.
    point = point.add(ed25519.Point.BASE.multiplyUnsafe(left % ed25519.Point.Fn.ORDER));
    chainCode = output.subarray(32);
  }
  return point.toBytes();
}
