// Goal: an address that a node answered is compared in the form in which ours are stored, whatever case the node
// writes.
// Method: the examples of EIP-55, and viem's own function for addresses by chance.
import * as fc from 'fast-check';
import { getAddress, type Hex } from 'viem';
import { expect, test } from 'vitest';
import { checksumAddress } from '../../../activities/chains/evm/checksum-address.ts';
import { ChainError } from '../../../activities/chains/port/chain-error.ts';

test.each([
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
])('%s of EIP-55', (address) => {
  expect(checksumAddress(address.toLowerCase())).toBe(address);
  expect(checksumAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
});

test('is what viem answers', () => {
  const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(addresses, (bytes) => {
      const answered: Hex = `0x${Buffer.from(bytes).toString('hex')}`;
      expect(checksumAddress(answered)).toBe(getAddress(answered));
    }),
  );
});

test('stays what it is when more addresses were seen than are remembered', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  for (let n = 0; n < 10_001; n += 1) checksumAddress(`0x${n.toString(16).padStart(40, '0')}`);
  expect([checksumAddress(address.toLowerCase()), checksumAddress(address)]).toEqual([address, address]);
});

test.each(['', '0x', '0x12', `0x${'0'.repeat(41)}`, `0x${'g'.repeat(40)}`, '0'.repeat(42), `0x${'0'.repeat(40)}\n`])(
  '%j is no address',
  (answered) => {
    expect(() => checksumAddress(answered)).toThrow(ChainError);
  },
);
