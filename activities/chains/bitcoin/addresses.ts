// Which script each address of one Bitcoin network stands for. Knows no node.
import { OutScript } from '@scure/btc-signer';
import type { BitcoinNetwork } from '../../../domain/catalog/bitcoin-networks.ts';
import { bitcoinCodecs } from '../../../domain/payloads/bitcoin-codecs.ts';
import { canonicalBitcoinAddress } from '../../../domain/payloads/canonical-address.ts';
import { bitcoinAddress } from './key-address.ts';

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

  /** P2WPKH, of a compressed key. Undefined for what is none. */
  ofPublicKey(hex: string): string | undefined {
    return /^0[23][0-9a-f]{64}$/.test(hex) ? bitcoinAddress(Buffer.from(hex, 'hex'), this.#network) : undefined;
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
