// Which script each address of one Bitcoin network stands for. Knows no node.
import { OutScript } from '@scure/btc-signer';
import type { BitcoinNetwork } from '../../drizzle/bitcoin-networks.ts';
import { bitcoinCodecs } from '../../payloads/bitcoin-codecs.ts';
import { canonicalBitcoinAddress } from '../../payloads/canonical-address.ts';

type Codec = (typeof bitcoinCodecs)[BitcoinNetwork];

export class BitcoinAddresses {
  readonly #network: BitcoinNetwork;
  readonly #codec: Codec;

  constructor(network: BitcoinNetwork) {
    this.#network = network;
    this.#codec = bitcoinCodecs[network];
  }

  canonical(text: string): string | undefined {
    return canonicalBitcoinAddress(text, this.#network);
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
