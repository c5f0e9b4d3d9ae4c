// How much gas a transaction takes, by a trial run on the node. Knows no prices.
import { type Address, toHex } from 'viem';
import { ChainError } from '../port/chain-error.ts';
import { type Call, isCall, type Transfer } from '../port/transactions.ts';
import { callOf } from './build-transaction.ts';
import { type AskNode, NodeRefusal, readQuantity } from './node-client.ts';
import { readTokenBalance } from './token-balance.ts';

/** A contract may need more gas when its turn comes than in the trial run. */
const GAS_PERCENT = 130n;
/** What a transfer to a plain account takes, always (Yellow Paper, G_transaction). */
const PLAIN_TRANSFER_GAS = 21_000n;

/** A plain account takes any amount for the same gas, so that a sender who has nothing yet gets a quote as well. */
export async function estimateGas(ask: AskNode, what: Transfer | Call): Promise<bigint> {
  if (isCall(what) && what.gasLimit !== undefined) return what.gasLimit;
  const { to, value, ...more } = callOf(what);
  const isPlain = more.data === undefined && (await ask({ method: 'eth_getCode', params: [to, 'latest'] })) === '0x';
  const call = { from: what.from as Address, to, value: toHex(isPlain ? 0n : value), ...more };
  try {
    // Not beside what waits: it may be replaced by this very transaction, and what it paves the way for is then dearer.
    const gas = readQuantity(await ask({ method: 'eth_estimateGas', params: [call, 'latest'] }), 'gas estimate');
    return gas === PLAIN_TRANSFER_GAS ? gas : (gas * GAS_PERCENT + 99n) / 100n;
  } catch (error) {
    // Tokens say in words of their own, or in none, why they revert.
    if (error instanceof NodeRefusal && (await lacksAmount(ask, what)))
      throw new ChainError(`${what.from} has less than the amount`, 'insufficient_funds');
    throw error;
  }
}

async function lacksAmount(ask: AskNode, what: Transfer | Call): Promise<boolean> {
  const holder = what.from as Address;
  if (!isCall(what) && what.asset.contract !== null)
    return (await readTokenBalance(ask, what.asset.contract as Address, holder)) < what.amount;
  const balance = readQuantity(await ask({ method: 'eth_getBalance', params: [holder, 'latest'] }), 'balance');
  return balance < (isCall(what) ? what.value : what.amount);
}
