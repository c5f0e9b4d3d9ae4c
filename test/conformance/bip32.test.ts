// Goal: child keys on secp256k1 are those of BIP-32. Method: every non-hardened step of the BIP's own test vectors 1 to
// 3 is derived from the parent's xpub; then random seeds and paths are compared with private derivation, which takes
// another way to the same key.

import { sha256 } from '@noble/hashes/sha2.js';
import { base58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClusterError, type PublicKey } from '../../activities/mpc/port.ts';
import { deriveChild } from '../../activities/mpc/verify/derive-child-key.ts';

// https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki#test-vectors
const steps: [string, string, number, string][] = [
  [
    "1: m/0' → m/0'/1",
    'xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw',
    1,
    'xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ',
  ],
  [
    "1: m/0'/1/2' → m/0'/1/2'/2",
    'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5',
    2,
    'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV',
  ],
  [
    "1: m/0'/1/2'/2 → m/0'/1/2'/2/1000000000",
    'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV',
    1_000_000_000,
    'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy',
  ],
  [
    '2: m → m/0',
    'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB',
    0,
    'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH',
  ],
];

/** The fields of an xpub as the BIP lays them out; the base58 checksum vouches for the vector. */
function parse(xpub: string): PublicKey {
  const bytes = base58check(sha256).decode(xpub);
  return { chainCode: bytes.subarray(13, 45), publicKey: bytes.subarray(45, 78) };
}

describe('the vectors of BIP-32', () => {
  it.each(steps)('%s', (_name, parent, index, child) => {
    expect(Buffer.from(deriveChild('secp256k1', parse(parent), [index]))).toEqual(Buffer.from(parse(child).publicKey));
  });
});

const indexes = fc.integer({ min: 0, max: 2 ** 31 - 1 });

it('agrees with private derivation', () => {
  const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(seeds, fc.array(indexes, { maxLength: 5 }), (seed, path) => {
      const root = HDKey.fromMasterSeed(seed);
      const child = path.reduce((parent, index) => parent.deriveChild(index), root);
      const { publicKey, chainCode } = root;
      if (publicKey === null || chainCode === null) throw new Error('a root key is complete');
      expect(Buffer.from(deriveChild('secp256k1', { publicKey, chainCode }, path))).toEqual(
        Buffer.from(child.publicKey ?? []),
      );
    }),
    { numRuns: 20 },
  );
});

it.each([
  ['hardened', [2 ** 31]],
  ['negative', [-1]],
  ['a fraction', [0.5]],
  ['eleven steps', Array.from({ length: 11 }, () => 0)],
])('refuses a path that is %s', (_what, path) => {
  const root = parse(steps[0]?.[1] ?? '');
  for (const curve of ['secp256k1', 'ed25519'] as const) {
    expect(() => deriveChild(curve, root, path)).toThrow(ClusterError);
  }
});
