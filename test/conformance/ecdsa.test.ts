// Goal: a secp256k1 signature is accepted exactly when it is valid, low in s and carries the right recovery id; digests
// are Ethereum's. Method: OpenSSL signs, the verifier judges, with every other form of the same signature as
// counterexample; digests are compared with viem's.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hashMessage, keccak256, serializeTransaction, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { ClusterError, type Payload } from '../../activities/mpc/port.ts';
import { digestOf } from '../../activities/mpc/verify/digest.ts';
import { encodeSignature, verifySignature } from '../../activities/mpc/verify/verify-signature.ts';

const order = secp256k1.Point.Fn.ORDER;
const chainCode = Buffer.alloc(32, 7);
const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;

function signedByOpenSsl() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const yBytes = Buffer.from(y ?? '', 'base64url');
  const compressed = Buffer.concat([Buffer.of(2 + ((yBytes.at(-1) ?? 0) & 1)), Buffer.from(x ?? '', 'base64url')]);
  const message = Buffer.from('what was asked for');
  const raw = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const s = BigInt(hex(raw.subarray(32)));
  const low = s > order / 2n ? order - s : s;
  return {
    root: { publicKey: compressed, chainCode },
    payload: { kind: 'raw_digest', digest: createHash('sha256').update(message).digest() } satisfies Payload,
    low: Buffer.concat([raw.subarray(0, 32), Buffer.from(low.toString(16).padStart(64, '0'), 'hex')]),
    high: Buffer.concat([raw.subarray(0, 32), Buffer.from((order - low).toString(16).padStart(64, '0'), 'hex')]),
  };
}

describe.each(Array.from({ length: 8 }, (_, round) => [round] as const))('a signature of OpenSSL (%i)', () => {
  const { root, payload, low, high } = signedByOpenSsl();
  const accepts = (bytes: Uint8Array, recoveryId: 0 | 1, asked: Payload = payload) => {
    try {
      verifySignature({ curve: 'secp256k1', root, path: [], payload: asked, signature: { bytes, recoveryId } });
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(ClusterError);
      expect(error).toMatchObject({ code: 'signature_invalid', mayBeSigned: true });
      return false;
    }
  };

  it('is accepted with exactly one recovery id', () => {
    expect([accepts(low, 0), accepts(low, 1)].filter(Boolean)).toHaveLength(1);
    expect(secp256k1.verify(low, payload.digest, root.publicKey, { prehash: false, lowS: true })).toBe(true);
  });

  it('is refused with a high s', () => {
    expect([accepts(high, 0), accepts(high, 1)]).toEqual([false, false]);
    expect(secp256k1.verify(high, payload.digest, root.publicKey, { prehash: false, lowS: false })).toBe(true);
  });

  it('is refused for another digest, another byte and another length', () => {
    const other: Payload = { kind: 'raw_digest', digest: Buffer.alloc(32, 1) };
    const changed = Buffer.from(low);
    changed[40] = (changed[40] ?? 0) ^ 1;
    for (const recoveryId of [0, 1] as const) {
      expect(accepts(low, recoveryId, other)).toBe(false);
      expect(accepts(changed, recoveryId)).toBe(false);
      expect(accepts(low.subarray(1), recoveryId)).toBe(false);
      expect(accepts(Buffer.alloc(64), recoveryId)).toBe(false);
    }
  });

  it('is refused for another key of the same wallet', () => {
    for (const recoveryId of [0, 1] as const) {
      const signature = { bytes: low, recoveryId };
      expect(() => verifySignature({ curve: 'secp256k1', root, path: [1], payload, signature })).toThrow(ClusterError);
    }
  });
});

describe('digests', () => {
  it.each(['', 'hello', 'grüß dich, 世界', 'x'.repeat(1_000)])('of the message %j are EIP-191', (message) => {
    const text = Buffer.from(message, 'utf8');
    expect(hex(digestOf({ kind: 'evm_message', text }))).toBe(hashMessage({ raw: toHex(text) }));
    expect(hex(digestOf({ kind: 'evm_message', text }))).toBe(hashMessage(message));
  });

  it('of a transaction are keccak-256', () => {
    const to = '0x000000000000000000000000000000000000dEaD';
    const unsigned = serializeTransaction({ type: 'eip1559', chainId: 1, nonce: 7, to, value: 1n });
    const payload: Payload = { kind: 'evm_transaction', unsigned: Buffer.from(unsigned.slice(2), 'hex') };
    expect(hex(digestOf(payload))).toBe(keccak256(unsigned));
  });

  it('have 32 bytes', () => {
    expect(() => digestOf({ kind: 'raw_digest', digest: Buffer.alloc(31) })).toThrow(ClusterError);
  });
});

it('writes signatures as the API gives them out', () => {
  const bytes = Buffer.alloc(64, 0xab);
  expect(encodeSignature('secp256k1', { bytes, recoveryId: 0 })).toBe(`0x${'ab'.repeat(64)}1b`);
  expect(encodeSignature('secp256k1', { bytes, recoveryId: 1 })).toBe(`0x${'ab'.repeat(64)}1c`);
  expect(encodeSignature('ed25519', { bytes, recoveryId: 0 })).toBe(`0x${'ab'.repeat(64)}`);
});
