// JSON-RPC methods that read accounts, tokens and rent.
import type { Address } from '@solana/kit';
import { type AccountOptions, readMint, readToken, showAccount, TOKEN_PROGRAMS, tokenAmount } from './accounts.ts';
import type { SolanaChain } from './chain.ts';
import { feeOf } from './fees.ts';
import { parseMessage, readBytes } from './message.ts';
import { type Methods, withContext } from './methods.ts';
import { readAddress, readEncoding, readList, readNumber, readOptions } from './parameters.ts';
import { invalidParams } from './rpc-error.ts';

const MAX_ACCOUNTS = 100;
/** The largest account that the runtime allows. */
const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;

export const stateMethods: Methods = {
  getBalance: (chain, [account]) => withContext(chain, chain.svm.getBalance(readAddress(account)) ?? 0n),
  getAccountInfo: (chain, [account, options]) =>
    withContext(chain, findAccount(chain, readAddress(account), accountOptions(options))),
  getMultipleAccounts: (chain, [accounts, options]) => {
    const show = accountOptions(options);
    return withContext(
      chain,
      readList(accounts, MAX_ACCOUNTS, readAddress).map((account) => findAccount(chain, account, show)),
    );
  },
  getTokenAccountBalance: (chain, [account]) => {
    const found = chain.svm.getAccount(readAddress(account));
    const token = found.exists ? readToken(found) : undefined;
    if (token === undefined) throw invalidParams('not a Token account');
    return withContext(chain, tokenAmount(token.amount, chain.decimalsOf(token.mint) ?? 0));
  },
  getTokenSupply: (chain, [mint]) => {
    const found = chain.svm.getAccount(readAddress(mint));
    const read = found.exists ? readMint(found) : undefined;
    if (read === undefined) throw invalidParams('not a Token mint');
    return withContext(chain, tokenAmount(read.supply, read.decimals));
  },
  getTokenAccountsByOwner: (chain, [owner, filter, options]) =>
    withContext(chain, findTokenAccounts(chain, readAddress(owner), tokenFilter(filter), accountOptions(options))),
  getMinimumBalanceForRentExemption: (chain, [bytes]) =>
    chain.svm.minimumBalanceForRentExemption(BigInt(readNumber(bytes, 0, MAX_ACCOUNT_BYTES))),
  getFeeForMessage: (chain, [message]) => {
    const parsed = parseMessage(readBytes(message, 'base64'));
    return withContext(chain, chain.slots.isRecent(parsed.lifetimeToken) ? feeOf(parsed) : null);
  },
  getRecentPrioritizationFees: (chain) => [{ slot: chain.slots.completed, prioritizationFee: 0 }],
};

function accountOptions(value: unknown): AccountOptions {
  const options = readOptions(value);
  if (options['dataSlice'] === undefined) return readEncoding(options);
  const { offset, length } = readOptions(options['dataSlice']);
  return { ...readEncoding(options), dataSlice: { offset: readNumber(offset), length: readNumber(length) } };
}

function findAccount(chain: SolanaChain, address: Address, options: AccountOptions): unknown {
  const account = chain.svm.getAccount(address);
  return account.exists ? showAccount(account, options, (mint) => chain.decimalsOf(mint)) : null;
}

type TokenFilter = { mint?: Address; programs: Iterable<Address> };

function tokenFilter(value: unknown): TokenFilter {
  const { mint, programId } = readOptions(value);
  if (mint !== undefined) return { mint: readAddress(mint), programs: TOKEN_PROGRAMS.keys() };
  return { programs: [readAddress(programId)] };
}

function findTokenAccounts(chain: SolanaChain, owner: Address, filter: TokenFilter, options: AccountOptions) {
  return [...filter.programs]
    .flatMap((program) => chain.svm.getProgramAccounts(program))
    .filter((account) => {
      const token = readToken(account);
      return token?.owner === owner && (filter.mint === undefined || token.mint === filter.mint);
    })
    .map((account) => ({
      pubkey: account.address,
      account: showAccount(account, options, (mint) => chain.decimalsOf(mint)),
    }));
}
