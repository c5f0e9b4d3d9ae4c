// Which texts are addresses of one Bitcoin network, and which script each stands for. Knows no node.
import { Address, NETWORK, OutScript, TEST_NETWORK } from '@scure/btc-signer';
import { type BitcoinNetwork, bitcoinPrefixes } from '../../drizzle/bitcoin-networks.ts';

type Codec = ReturnType<typeof Address>;

/** Base58 prefixes are the same on all networks but the main one; a regtest address of that form is a testnet's too. */
export class BitcoinAddresses {
  readonly #codec: Codec;

  constructor(network: BitcoinNetwork) {
    this.#codec = Address({
      ...(network === 'mainnet' ? NETWORK : TEST_NETWORK),
      bech32: bitcoinPrefixes[network],
    });
  }

  /** P2PKH, P2SH, P2WPKH, P2WSH and P2TR; bech32 in lower case (BIP-173). Not pay-to-anchor, which anybody can spend. */
  canonical(text: string): string | undefined {
    try {
      const decoded = this.#codec.decode(text);
      return decoded.type === 'p2a' ? undefined : this.#codec.encode(decoded);
    } catch {
      return undefined;
    }
  }

  scriptOf(address: string): Uint8Array {
    return OutScript.encode(this.#codec.decode(address));
  }

  /** Undefined for a script that has no address. */
  ofScript(hex: string): string | undefined {
    try {
      return this.#codec.encode(OutScript.decode(Buffer.from(hex, 'hex')) as Parameters<Codec['encode']>[0]);
    } catch {
      return undefined;
    }
  }
}
