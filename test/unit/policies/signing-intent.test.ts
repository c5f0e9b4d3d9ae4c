// Goal: a rule about raw digests is about what nobody can read, by whatever name it is asked for. Method: contents of
// each kind, as a policy looks at them.
import { expect, test } from 'vitest';
import type { NetworkRow } from '../../../drizzle/networks/networks.ts';
import { signingIntent } from '../../../src/policies/signing-intent.ts';

const kindOf = (hex: `0x${string}`) => {
  const asked = { workspaceId: 'w', walletId: 'w', initiator: 'k', production: true };
  const network = { id: 'n', internalCode: 'ETHEREUM_SANDBOX' } as unknown as NetworkRow;
  return signingIntent(asked, [network], { kind: 'evm_message', hex }).payloadKind;
};

const asHex = (text: string) => `0x${Buffer.from(text).toString('hex')}` as const;
const digits = '5F'.repeat(32);

test.each<`0x${string}`>([
  `0x${'00'.repeat(32)}`,
  asHex('a'.repeat(32)),
  asHex(digits),
  asHex(`0x${digits}`),
  asHex(`0X${digits}`),
])('a message that is a digest: %s', (hex) => expect(kindOf(hex)).toBe('raw_digest'));

test.each<`0x${string}`>([
  '0x',
  `0x${'00'.repeat(31)}`,
  `0x${'00'.repeat(33)}`,
  asHex(`${digits}!`),
  asHex(digits.slice(1)),
  asHex(`1x${digits}`),
  asHex('g'.repeat(64)),
])('a message that says something: %s', (hex) => expect(kindOf(hex)).toBe('evm_message'));
