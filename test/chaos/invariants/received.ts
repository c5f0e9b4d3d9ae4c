// What an address got on a chain of the sandbox, asked of its node directly.

import { dollars } from '../../../domain/catalog/sandbox.ts';
import { parseAmount } from '../../../domain/money.ts';
import { type Ask, askNode } from '../../../src/local/json-rpc.ts';
import type { ChainUrls } from '../topology/topology.ts';

/** Base units. `symbol` is the asset's. */
export type ReadReceived = (networkCode: string, symbol: string, address: string) => Promise<bigint>;

/** The selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';
const TRANSACTIONS_MAX = 100;

export function readerOfReceived(chains: ChainUrls): ReadReceived {
  const ethereum = askNode(chains.ETHEREUM_SANDBOX);
  const solana = askNode(chains.SOL_SANDBOX);
  const bitcoin = askNode(chains.BTC_SANDBOX);
  return async (networkCode, symbol, address) => {
    if (networkCode === 'BTC_SANDBOX') return bitcoinReceived(bitcoin, address);
    if (networkCode === 'SOL_SANDBOX') return solanaReceived(solana, symbol, address);
    if (symbol === 'ETH') return BigInt((await ethereum('eth_getBalance', address, 'latest')) as string);
    const data = BALANCE_OF + address.slice(2).toLowerCase().padStart(64, '0');
    return BigInt((await ethereum('eth_call', { to: dollars.ETHEREUM_SANDBOX, data }, 'latest')) as string);
  };
}

type TokenAccounts = { value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[] };

async function solanaReceived(ask: Ask, symbol: string, address: string): Promise<bigint> {
  if (symbol === 'SOL') return BigInt(((await ask('getBalance', address)) as { value: number }).value);
  const mint = { mint: dollars.SOL_SANDBOX };
  const found = (await ask('getTokenAccountsByOwner', address, mint, { encoding: 'jsonParsed' })) as TokenAccounts;
  return found.value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

type BitcoinTransaction = {
  confirmations?: number;
  vout: { value: number; scriptPubKey: { addresses?: string[]; address?: string } }[];
};

async function bitcoinReceived(ask: Ask, address: string): Promise<bigint> {
  const found = (await ask('searchrawtransactions', address, 1, 0, TRANSACTIONS_MAX).catch((error: Error) => {
    if (error.message.includes('No information available')) return [];
    throw error;
  })) as BitcoinTransaction[];
  const pays = ({ scriptPubKey }: BitcoinTransaction['vout'][number]) =>
    scriptPubKey.addresses?.includes(address) || scriptPubKey.address === address;
  const amounts = found
    .filter(({ confirmations = 0 }) => confirmations > 0)
    .flatMap(({ vout }) => vout.filter(pays).map(({ value }) => parseAmount(value.toFixed(8), 8)));
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
