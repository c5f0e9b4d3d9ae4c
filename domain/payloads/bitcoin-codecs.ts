// Bitcoin's addresses as scripts and back, for each kind of network. Says nothing about who can spend what.
import { Address, NETWORK, TEST_NETWORK } from '@scure/btc-signer';

/** Base58 prefixes are the same on all networks but the main one; a regtest address of that form is a testnet's too. */
export const bitcoinCodecs = {
  mainnet: Address(NETWORK),
  testnet: Address(TEST_NETWORK),
  regtest: Address({ ...TEST_NETWORK, bech32: 'bcrt' }),
};

export type BitcoinNetwork = keyof typeof bitcoinCodecs;
