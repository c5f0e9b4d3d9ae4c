// How much a transaction may pay in fees at most on each network: the defaults, an operator's own (FEE_CAPS), and the
// comparison. The API and the workers hold a fee to the same cap.
import { formatAmount, parseAmount } from '../money.ts';
import type { AddressType } from '../wallets/address-types.ts';

export interface FeeCap {
  /** The whole fee, in base units of the network's native currency. */
  feeBaseUnits: bigint;
  /** The price: wei for a unit of gas, satoshis for a virtual byte, millionths of a lamport for a compute unit. */
  price: bigint;
}

/** In the units that people use: the native currency; and gwei, sat/vB or microlamports. */
export interface FeeCapTexts {
  fee: string;
  price?: string | undefined;
}

/** An operator's own caps, by the internal codes of networks. What is not named has its default. */
export type FeeCapSettings = Readonly<Record<string, FeeCapTexts>>;

interface CappedNetwork {
  internalCode: string;
  addressType: AddressType;
  nativeCurrency: string;
}

/**
 * By native currency. Each whole fee is what a large contract call costs on a very expensive day, and a few hundred
 * dollars at most; each price is several times the highest that was asked for longer than a few minutes.
 */
const defaults: Readonly<Record<string, { fee: string; price: string }>> = {
  ETH: { fee: '0.1', price: '1000' },
  POL: { fee: '50', price: '20000' },
  BNB: { fee: '0.1', price: '100' },
  tBNB: { fee: '0.1', price: '100' },
  AVAX: { fee: '2', price: '2000' },
  SOL: { fee: '0.1', price: '50000000' },
  BTC: { fee: '0.01', price: '2000' },
  TRX: { fee: '200', price: '1000' },
};
/** Of EVM networks with a currency of their own. */
const otherDefault = { fee: '10', price: '10000' };

const decimals = {
  evm: { native: 18, price: 9 },
  sol: { native: 9, price: 0 },
  btc: { native: 8, price: 0 },
  tron: { native: 6, price: 0 },
} as const;
const priceUnits = { evm: 'gwei', sol: 'microlamports', btc: 'sat/vB', tron: 'sun' } as const;

export function feeCapOf(network: CappedNetwork, settings: FeeCapSettings = {}): FeeCap {
  const usual = defaults[network.nativeCurrency] ?? otherDefault;
  const { fee, price = usual.price } = settings[network.internalCode] ?? usual;
  const { native, price: priceDecimals } = decimals[network.addressType];
  return { feeBaseUnits: parseAmount(fee, native), price: parseAmount(price, priceDecimals) };
}

/** What a transaction would pay at most. */
export interface FeeBound {
  feeBaseUnits?: bigint | undefined;
  /** In the unit of `FeeCap`. */
  price?: bigint | undefined;
}

/** One clause that says which cap is exceeded and by what; undefined when none is. */
export function aboveFeeCap(
  network: CappedNetwork,
  { feeBaseUnits, price }: FeeBound,
  settings?: FeeCapSettings,
): string | undefined {
  const cap = feeCapOf(network, settings);
  const { addressType, nativeCurrency, internalCode } = network;
  const { native, price: priceDecimals } = decimals[addressType];
  if (price !== undefined && price > cap.price) {
    const [asked, most] = [price, cap.price].map((each) => formatAmount(each, priceDecimals));
    // A transaction names its price in wei, and people in gwei.
    const unit = addressType === 'evm' ? `gwei (${price} wei)` : priceUnits[addressType];
    return `a price of ${asked} ${unit} is above the cap of ${most} on ${internalCode}`;
  }
  if (feeBaseUnits === undefined || feeBaseUnits <= cap.feeBaseUnits) return undefined;
  const [asked, most] = [feeBaseUnits, cap.feeBaseUnits].map((each) => formatAmount(each, native));
  return `a fee of up to ${asked} ${nativeCurrency} is above the cap of ${most} on ${internalCode}`;
}
