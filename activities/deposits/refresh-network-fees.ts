// What a plain transfer costs on a network now, for the API to show. Asked every few seconds at most; a failure leaves
// the former numbers and stops nobody.
import { log } from '@temporalio/activity';
import { bitcoinNetworkOf } from '../../domain/catalog/bitcoin-networks.ts';
import type { NetworkFees } from '../../domain/networks/stored-fees.ts';
import { bitcoinCodecs } from '../../domain/payloads/bitcoin-codecs.ts';
import { type FeeLevel } from '../../domain/withdrawals/fee-levels.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import type { Chain } from '../chains/port/chain.ts';
import { ChainError } from '../chains/port/chain-error.ts';

const QUOTED_EVERY_MS = 5_000;

/** Well-formed, and nobody's: nothing is sent there. */
function nobodyOn({ addressType, internalCode }: NetworkRow): string {
  if (addressType === 'btc') {
    const codec = bitcoinCodecs[bitcoinNetworkOf(internalCode)];
    return codec.encode({ type: 'wpkh', hash: new Uint8Array(20) });
  }
  return addressType === 'sol'
    ? '1nc1nerator11111111111111111111111111111111'
    : '0x000000000000000000000000000000000000dEaD';
}

export class NetworkFeeQuotes {
  readonly #againAtMs = new Map<string, number>();

  /** Undefined while the last quote is young, or when there is none now. */
  async quote(chain: Chain, network: NetworkRow): Promise<NetworkFees | undefined> {
    const { id, internalCode } = network;
    const nowMs = Date.now();
    if (nowMs < (this.#againAtMs.get(id) ?? 0)) return undefined;
    this.#againAtMs.set(id, nowMs + QUOTED_EVERY_MS);
    try {
      const levelFee = (level: FeeLevel) => quoteLevel(chain, nobodyOn(network), level);
      const [low, medium, high] = await Promise.all([levelFee('low'), levelFee('medium'), levelFee('high')]);
      return { low, medium, high, quotedAt: new Date(nowMs).toISOString() };
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      log.warn('fees are not known now', { networkCode: internalCode, reason: error.message });
      return undefined;
    }
  }
}

async function quoteLevel(chain: Chain, address: string, level: FeeLevel) {
  const transfer = { from: address, to: address, asset: { contract: null, decimals: 0 }, amount: 0n };
  const { maxFee, parameters } = await chain.estimateFee(transfer, level);
  return { maxFee: maxFee.toString(), parameters };
}
