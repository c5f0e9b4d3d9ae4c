// What a transaction will cost at most on an EVM chain: its gas by a trial run, the price of gas by what the last
// blocks paid.
import { encodeFunctionData, parseAbi, serializeTransaction, toHex } from 'viem';
import { type FeeLevel } from '../../../domain/withdrawals/fee-levels.ts';
import { ImpossibleTransfer } from '../port/chain-error.ts';
import { type Call, type FeeQuote, isCall, type Transfer } from '../port/transactions.ts';
import { callOf } from './build-transaction.ts';
import { estimateGas } from './gas-estimate.ts';
import { type AskNode, readQuantity } from './node-client.ts';

/**
 * `rewardPercentile` of what the transactions of a block tipped; `baseFeePercent` of the next block's base fee, which
 * rises by at most an eighth a block (EIP-1559): the levels outlast 2, 6 and 9 full blocks. Of what is allowed, only
 * what the block asks is paid.
 */
const levels: Record<FeeLevel, { rewardPercentile: number; baseFeePercent: bigint; gasPricePercent: bigint }> = {
  low: { rewardPercentile: 20, baseFeePercent: 130n, gasPricePercent: 100n },
  medium: { rewardPercentile: 50, baseFeePercent: 200n, gasPricePercent: 115n },
  high: { rewardPercentile: 80, baseFeePercent: 300n, gasPricePercent: 140n },
};
const HISTORY_BLOCKS = 20;
/** Nodes take a replacement that raises both prices by so much (geth's txpool.pricebump). */
const RAISE_PERCENT_MIN = 10;
const l1FeeOracleAbi = parseAbi(['function getL1Fee(bytes) view returns (uint256)']);
const L1_FEE_ORACLE = '0x420000000000000000000000000000000000000F';
/** The price of the chain below moves until the transaction's turn comes. */
const L1_FEE_PERCENT = 200n;
/** Numbers as long as those of a real transaction: that fee goes by the bytes. */
const SAMPLE = {
  type: 'eip1559',
  chainId: 2 ** 31,
  nonce: 2 ** 31,
  gas: 2n ** 31n,
  maxFeePerGas: 2n ** 40n,
  maxPriorityFeePerGas: 2n ** 40n,
} as const;

type DynamicPrices = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };
type Prices = { gasPrice: bigint } | DynamicPrices;

export async function estimateEvmFee(ask: AskNode, what: Transfer | Call, level: FeeLevel): Promise<FeeQuote> {
  const [gasLimit, prices, l1Fee] = await Promise.all([
    estimateGas(ask, what),
    pricesOf(ask, what, level),
    estimateL1Fee(ask, what),
  ]);
  return quoteOf(level, gasLimit, l1Fee, prices);
}

/** The same quote with its prices raised, and not its gas. */
export function raiseEvmFee(quote: FeeQuote, percent: number): FeeQuote {
  if (!Number.isSafeInteger(percent) || percent < RAISE_PERCENT_MIN)
    throw new Error(`a replacement pays at least ${RAISE_PERCENT_MIN} whole percent more`);
  const { gasLimit, l1Fee, prices } = readQuote(quote);
  const raised = Object.entries(prices).map(([name, price]) => {
    const more = percentOf(price, 100n + BigInt(percent));
    return [name, more > price ? more : more + 1n]; // a tip of 0
  });
  return quoteOf(quote.level, gasLimit, l1Fee, Object.fromEntries(raised) as Prices);
}

/** With the gas of the first quote and the lower price of both. */
export function lowerEvmFee(quote: FeeQuote, other: FeeQuote): FeeQuote {
  const [one, another] = [readQuote(quote), readQuote(other)];
  const l1Fee = another.l1Fee < one.l1Fee ? another.l1Fee : one.l1Fee;
  return quoteOf(quote.level, one.gasLimit, l1Fee, lowerPrices(one.prices, another.prices));
}

function lowerPrices(one: Prices, another: Prices): Prices {
  if ('gasPrice' in one || 'gasPrice' in another) return priceMaxOf(another) < priceMaxOf(one) ? another : one;
  const lower = (left: bigint, right: bigint) => (left < right ? left : right);
  return {
    maxFeePerGas: lower(one.maxFeePerGas, another.maxFeePerGas),
    maxPriorityFeePerGas: lower(one.maxPriorityFeePerGas, another.maxPriorityFeePerGas),
  };
}

function readQuote({ parameters }: FeeQuote): { gasLimit: bigint; l1Fee: bigint; prices: Prices } {
  const { gasLimit = '', l1Fee = '0', ...prices } = parameters;
  const numbers = Object.entries(prices).map(([name, price]) => [name, BigInt(price)]);
  return { gasLimit: BigInt(gasLimit), l1Fee: BigInt(l1Fee), prices: Object.fromEntries(numbers) as Prices };
}

const priceMaxOf = (prices: Prices): bigint => ('gasPrice' in prices ? prices.gasPrice : prices.maxFeePerGas);

function quoteOf(level: FeeLevel, gasLimit: bigint, l1Fee: bigint, prices: Prices): FeeQuote {
  const numbers = { gasLimit, ...prices, ...(l1Fee === 0n ? {} : { l1Fee }) };
  const texts = Object.entries(numbers).map(([name, number]) => [name, String(number)]);
  return { level, maxFee: gasLimit * priceMaxOf(prices) + l1Fee, parameters: Object.fromEntries(texts) };
}

/**
 * What a rollup of the OP stack charges for a place on the chain below, by its own contract; elsewhere nothing is at
 * that address.
 */
async function estimateL1Fee(ask: AskNode, what: Transfer | Call): Promise<bigint> {
  const sample = serializeTransaction({ ...callOf(what), ...SAMPLE });
  const data = encodeFunctionData({ abi: l1FeeOracleAbi, functionName: 'getL1Fee', args: [sample] });
  const answer = await ask({ method: 'eth_call', params: [{ to: L1_FEE_ORACLE, data }, 'latest'] });
  return answer === '0x' ? 0n : percentOf(readQuantity(answer, 'L1 fee'), L1_FEE_PERCENT);
}

/** What a call says itself is used as it is; a tip that is estimated stays below a maximum that is given. */
async function pricesOf(ask: AskNode, what: Transfer | Call, level: FeeLevel): Promise<Prices> {
  const given: Partial<DynamicPrices> = isCall(what) ? what : {};
  const { maxFeePerGas, maxPriorityFeePerGas } = given;
  if (maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined)
    return checked({ maxFeePerGas, maxPriorityFeePerGas });
  const estimated = await estimatePrices(ask, level);
  if (maxFeePerGas === undefined && maxPriorityFeePerGas === undefined) return estimated;
  if ('gasPrice' in estimated) throw new ImpossibleTransfer('this chain has a gas price, and no maxFeePerGas');
  const { maxFeePerGas: usualMax, maxPriorityFeePerGas: usualTip } = estimated;
  if (maxFeePerGas !== undefined)
    return { maxFeePerGas, maxPriorityFeePerGas: usualTip < maxFeePerGas ? usualTip : maxFeePerGas };
  const tip = maxPriorityFeePerGas ?? usualTip;
  return checked({ maxFeePerGas: usualMax - usualTip + tip, maxPriorityFeePerGas: tip });
}

function checked(prices: DynamicPrices): DynamicPrices {
  const { maxFeePerGas, maxPriorityFeePerGas } = prices;
  if (maxPriorityFeePerGas < 0n || maxPriorityFeePerGas > maxFeePerGas)
    throw new ImpossibleTransfer('maxPriorityFeePerGas is from 0 to maxFeePerGas');
  return prices;
}

async function estimatePrices(ask: AskNode, level: FeeLevel): Promise<Prices> {
  const { rewardPercentile, baseFeePercent, gasPricePercent } = levels[level];
  const newest = await ask({ method: 'eth_getBlockByNumber', params: ['latest', false] });
  if (newest?.baseFeePerGas == null) {
    const gasPrice = readQuantity(await ask({ method: 'eth_gasPrice' }), 'gas price');
    return { gasPrice: percentOf(gasPrice, gasPricePercent) };
  }
  const history = await ask({
    method: 'eth_feeHistory',
    params: [toHex(HISTORY_BLOCKS), 'latest', [rewardPercentile]],
  });
  const nextBaseFee = readQuantity(history.baseFeePerGas.at(-1), 'base fee');
  const tips = (history.reward ?? [])
    .filter((_, index) => Number(history.gasUsedRatio[index]) > 0)
    .map(([tip]) => readQuantity(tip, 'priority fee'))
    .sort((left, right) => (left < right ? -1 : 1));
  const usualTip = tips[Math.floor(tips.length / 2)] ?? 0n;
  const maxPriorityFeePerGas =
    usualTip > 0n ? usualTip : readQuantity(await ask({ method: 'eth_maxPriorityFeePerGas' }), 'priority fee');
  return {
    maxFeePerGas: percentOf(nextBaseFee, baseFeePercent) + maxPriorityFeePerGas,
    maxPriorityFeePerGas,
  };
}

/** Rounded up. */
const percentOf = (amount: bigint, percent: bigint) => (amount * percent + 99n) / 100n;
