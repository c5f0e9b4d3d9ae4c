// What a transfer will cost at most on an EVM chain: its gas by a trial run, the price of gas by what the last blocks paid.
import { type Address, encodeFunctionData, parseAbi, serializeTransaction, toHex } from 'viem';
import type { FeeLevel, FeeQuote, Transfer } from './chain.ts';
import { type AskNode, readQuantity } from './evm-node.ts';
import { callOf } from './evm-transaction.ts';

/**
 * `rewardPercentile` of what the transactions of a block tipped; `baseFeePercent` of the next block's base fee, which rises by at most an eighth a block
 * (EIP-1559): the levels outlast 2, 6 and 9 full blocks. Of what is allowed, only what the block asks is paid.
 */
const levels: Record<FeeLevel, { rewardPercentile: number; baseFeePercent: bigint; gasPricePercent: bigint }> = {
  low: { rewardPercentile: 20, baseFeePercent: 130n, gasPricePercent: 100n },
  medium: { rewardPercentile: 50, baseFeePercent: 200n, gasPricePercent: 115n },
  high: { rewardPercentile: 80, baseFeePercent: 300n, gasPricePercent: 140n },
};
const HISTORY_BLOCKS = 20;
/** A contract may need more gas when its turn comes than in the trial run. */
const GAS_PERCENT = 130n;
/** What a transfer to a plain account takes, always (Yellow Paper, G_transaction). */
const PLAIN_TRANSFER_GAS = 21_000n;
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

type Prices = { gasPrice: bigint } | { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint };

export async function estimateEvmFee(ask: AskNode, transfer: Transfer, level: FeeLevel): Promise<FeeQuote> {
  const [gasLimit, prices, l1Fee] = await Promise.all([
    estimateGas(ask, transfer),
    estimatePrices(ask, level),
    estimateL1Fee(ask, transfer),
  ]);
  return quoteOf(level, gasLimit, l1Fee, prices);
}

/** The same quote with its prices raised, for a replacement: nodes take one that raises both by 10 % or more. */
export function bumpFee({ level, parameters }: FeeQuote, percent: number): FeeQuote {
  const { gasLimit = '', l1Fee = '0', ...prices } = parameters;
  const raised = Object.entries(prices).map(([name, price]) => [
    name,
    percentOf(BigInt(price), 100n + BigInt(percent)),
  ]);
  return quoteOf(level, BigInt(gasLimit), BigInt(l1Fee), Object.fromEntries(raised) as Prices);
}

function quoteOf(level: FeeLevel, gasLimit: bigint, l1Fee: bigint, prices: Prices): FeeQuote {
  const priceMax = 'gasPrice' in prices ? prices.gasPrice : prices.maxFeePerGas;
  const numbers = { gasLimit, ...prices, ...(l1Fee === 0n ? {} : { l1Fee }) };
  const texts = Object.entries(numbers).map(([name, number]) => [name, String(number)]);
  return { level, maxFee: gasLimit * priceMax + l1Fee, parameters: Object.fromEntries(texts) };
}

/** What a rollup of the OP stack charges for a place on the chain below, by its own contract; elsewhere nothing is at that address. */
async function estimateL1Fee(ask: AskNode, transfer: Transfer): Promise<bigint> {
  const sample = serializeTransaction({ ...callOf(transfer), ...SAMPLE });
  const data = encodeFunctionData({ abi: l1FeeOracleAbi, functionName: 'getL1Fee', args: [sample] });
  const answer = await ask({ method: 'eth_call', params: [{ to: L1_FEE_ORACLE, data }, 'latest'] });
  return answer === '0x' ? 0n : percentOf(readQuantity(answer, 'L1 fee'), L1_FEE_PERCENT);
}

/** A plain account takes any amount for the same gas, so that a sender who has nothing yet gets a quote as well. */
async function estimateGas(ask: AskNode, transfer: Transfer): Promise<bigint> {
  const { to, value, data } = callOf(transfer);
  const isPlain = data === undefined && (await ask({ method: 'eth_getCode', params: [to, 'latest'] })) === '0x';
  const call = {
    from: transfer.from as Address,
    to,
    value: toHex(isPlain ? 0n : value),
    ...(data === undefined ? {} : { data }),
  };
  const gas = readQuantity(await ask({ method: 'eth_estimateGas', params: [call] }), 'gas estimate');
  return gas === PLAIN_TRANSFER_GAS ? gas : percentOf(gas, GAS_PERCENT);
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
