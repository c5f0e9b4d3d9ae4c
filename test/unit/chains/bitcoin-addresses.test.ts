// Goal: only what is an address of this very network is one, in one form. Method: the published vectors of BIP-173 and
// BIP-350, and base58 addresses of both kinds.
import { expect, test } from 'vitest';
import { bitcoinChain } from '../../../activities/chains/bitcoin/bitcoin-chain.ts';

const networks = ['mainnet', 'testnet', 'regtest'] as const;
const canonical = (network: (typeof networks)[number], text: string) =>
  bitcoinChain({ rpcUrl: 'http://127.0.0.1:1', network }).canonicalAddress(text);

const P2WPKH = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const P2WSH = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7';
const P2TR = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';

test.each([
  ['mainnet', P2WPKH],
  ['mainnet', P2TR],
  ['mainnet', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
  ['mainnet', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['testnet', P2WSH],
  ['testnet', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
  ['testnet', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc'],
  ['regtest', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
] as const)('%s: %s', (network, address) => {
  expect(canonical(network, address)).toBe(address);
  if (/^(bc|tb|bcrt)1/.test(address)) expect(canonical(network, address.toUpperCase())).toBe(address);
  else expect(canonical(network, address.toLowerCase())).toBeUndefined();
  const isBase58OfTests = /^[m2]/.test(address); // testnet and regtest share these prefixes
  for (const other of networks.filter((each) => each !== network))
    expect(canonical(other, address)).toBe(isBase58OfTests && other === 'regtest' ? address : undefined);
});

test.each([
  ['a wrong checksum', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
  ['both cases', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4'],
  ['version 0 with the checksum of bech32m', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh'],
  ['version 1 with the checksum of bech32', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
  ['a character that bech32 has not', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4'],
  ['a program of no known kind', 'BC1SW50QGDZ25J'],
  ['an output that anybody can spend', 'bc1pfeessrawgf'],
  ['a changed base58 address', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3'],
  ['spaces around', ` ${P2WPKH}`],
  ['an address of Ethereum', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['nothing', ''],
])('%s is none', (_name, text) => {
  expect(canonical('mainnet', text)).toBeUndefined();
});
