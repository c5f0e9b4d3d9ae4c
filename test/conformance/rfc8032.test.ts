// Goal: an ed25519 signature is accepted exactly when it is valid in its only form, and child keys are where the
// private keys would be. Method: the vectors of RFC 8032 7.1, each also with one bit changed; the forgeries that lax
// verifiers let pass; derivation against private scalars.
import { createHmac } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClusterError } from '../../activities/mpc/port.ts';
import { deriveChild } from '../../activities/mpc/verify/derive-child-key.ts';
import { verifyDigestSignature } from '../../activities/mpc/verify/verify-signature.ts';

const order = ed25519.Point.Fn.ORDER;
const chainCode = Buffer.alloc(32, 7);
const unhex = (text: string) => Buffer.from(text, 'hex');

function check(publicKey: Uint8Array, digest: Uint8Array, bytes: Uint8Array): void {
  verifyDigestSignature({
    curve: 'ed25519',
    root: { publicKey, chainCode },
    path: [],
    digest,
    signature: { bytes, recoveryId: 0 },
  });
}

const vectors: [string, string, string, string][] = [
  [
    'TEST 1',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    'TEST 2',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'TEST 3',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
  [
    'TEST SHA(abc)',
    'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    'dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704',
  ],
];

describe.each(vectors)('RFC 8032 %s', (_name, publicKey, message, signature) => {
  it('verifies', () => check(unhex(publicKey), unhex(message), unhex(signature)));

  it('is refused with any single byte changed', () => {
    for (let position = 0; position < 64; position += 1) {
      const changed = unhex(signature);
      changed[position] = (changed[position] ?? 0) ^ 1;
      expect(() => check(unhex(publicKey), unhex(message), changed), `byte ${position}`).toThrow(ClusterError);
    }
  });

  it('is refused in its second form, with S + L', () => {
    const changed = unhex(signature);
    const s = BigInt(`0x${Buffer.from(changed.subarray(32).toReversed()).toString('hex')}`) + order;
    changed.set(unhex(s.toString(16).padStart(64, '0')).toReversed(), 32);
    expect(() => check(unhex(publicKey), unhex(message), changed)).toThrow(ClusterError);
  });
});

it('refuses what OpenSSL alone accepts: a key and a point of small order', () => {
  const identity = unhex(`01${'00'.repeat(31)}`);
  const forged = Buffer.concat([identity, Buffer.alloc(32)]);
  expect(() => check(identity, Buffer.alloc(32), forged)).toThrow(ClusterError);
});

it('accepts exactly what strict verification in one library accepts', () => {
  const small = [
    '01',
    '00',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  ];
  const points = small.map((point) => unhex(point.padEnd(64, '0')));
  const secret = Buffer.alloc(32, 3);
  const publicKey = ed25519.getPublicKey(secret);
  const digest = Buffer.alloc(32, 4);
  const valid = Buffer.from(ed25519.sign(digest, secret));
  const mutated = fc.tuple(fc.nat(63), fc.integer({ min: 0, max: 255 })).map(([position, byte]) => {
    const changed = Buffer.from(valid);
    changed[position] = byte;
    return changed;
  });
  const smallR = fc.constantFrom(...points).map((point) => Buffer.concat([point, valid.subarray(32)]));
  const zeroS = fc.constantFrom(...points).map((point) => Buffer.concat([point, Buffer.alloc(32)]));
  const signatures = fc.oneof(fc.constant(valid), mutated, smallR, zeroS);
  fc.assert(
    fc.property(fc.constantFrom(publicKey, ...points), signatures, (key, bytes) => {
      const strict = () => {
        try {
          return ed25519.verify(bytes, digest, key, { zip215: false });
        } catch {
          return false;
        }
      };
      if (strict()) check(key, digest, bytes);
      else expect(() => check(key, digest, bytes)).toThrow(ClusterError);
    }),
    { numRuns: 300 },
  );
});

it.each([
  ['63 bytes', Buffer.alloc(63), 0 as const],
  ['65 bytes', Buffer.alloc(65), 0 as const],
  ['a recovery id', unhex(vectors[0]?.[3] ?? ''), 1 as const],
])('refuses %s', (_what, bytes, recoveryId) => {
  const root = { publicKey: unhex(vectors[0]?.[1] ?? ''), chainCode };
  const signature = { bytes, recoveryId };
  expect(() => verifyDigestSignature({ curve: 'ed25519', root, path: [], digest: Buffer.alloc(0), signature })).toThrow(
    ClusterError,
  );
});

it('derives the child that belongs to the sum of the private scalars', () => {
  const index = fc.integer({ min: 0, max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: order - 1n }), fc.array(index, { maxLength: 5 }), (secret, path) => {
      const publicOf = (scalar: bigint) => ed25519.Point.BASE.multiply(scalar).toBytes();
      let scalar = secret;
      let code: Uint8Array = chainCode;
      for (const step of path) {
        const suffix = Buffer.alloc(5);
        suffix.writeUInt32BE(step, 1);
        const output = createHmac('sha512', code).update(publicOf(scalar)).update(suffix).digest();
        scalar = (scalar + BigInt(`0x${output.toString('hex', 0, 32)}`)) % order;
        code = output.subarray(32);
      }
      const child = deriveChild('ed25519', { publicKey: publicOf(secret), chainCode }, path);
      expect(Buffer.from(child)).toEqual(Buffer.from(publicOf(scalar)));
    }),
    { numRuns: 20 },
  );
});
