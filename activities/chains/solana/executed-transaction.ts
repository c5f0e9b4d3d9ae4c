// What a finalized Solana transaction changed, read from the balances before and after it: never from its instructions
// or its logs, which programs write as they like. Fails on what it cannot read whole.
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { ChainError } from '../port/chain-error.ts';

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

export interface TokenHolding {
  account: string;
  mint: string;
  owner: string;
  amount: bigint;
}

export interface Executed {
  txHash: string;
  succeeded: boolean;
  fee: bigint;
  /** In base58, by who signed. */
  signatures: ReadonlyMap<string, string>;
  /** The payer first. */
  lamports: readonly { account: string; before: bigint; after: bigint }[];
  /** Of the classic token program only. */
  tokensBefore: readonly TokenHolding[];
  tokensAfter: readonly TokenHolding[];
}

interface ShownToken {
  accountIndex: number;
  mint: string;
  owner?: string;
  programId?: string;
  uiTokenAmount: { amount: string };
}

/** As `getBlock` and `getTransaction` show it in JSON. */
interface Shown {
  transaction: { signatures: readonly string[]; message: { accountKeys: readonly string[] } };
  meta: {
    err: unknown;
    fee: bigint;
    preBalances: readonly bigint[];
    postBalances: readonly bigint[];
    preTokenBalances?: readonly ShownToken[];
    postTokenBalances?: readonly ShownToken[];
    loadedAddresses?: { writable: readonly string[]; readonly: readonly string[] };
  } | null;
}

export function readExecuted({ transaction, meta }: Shown): Executed {
  const [txHash] = transaction.signatures;
  if (meta === null || txHash === undefined) throw new ChainError('The Solana node shows a transaction in part.');
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  const accounts = [...transaction.message.accountKeys, ...writable, ...readonly];
  const { preBalances, postBalances, preTokenBalances, postTokenBalances } = meta;
  if (preBalances.length !== accounts.length || postBalances.length !== accounts.length)
    throw new ChainError('The Solana node shows balances that do not fit the accounts.');
  if (preTokenBalances === undefined || postTokenBalances === undefined)
    throw new ChainError('The Solana node shows no token balances.');
  return {
    txHash,
    succeeded: meta.err === null,
    fee: meta.fee,
    // Those who sign are the first accounts, in this order.
    signatures: new Map(transaction.signatures.map((signature, index) => [accounts[index] ?? '', signature])),
    lamports: accounts.map((account, index) => ({
      account,
      before: preBalances[index] ?? 0n,
      after: postBalances[index] ?? 0n,
    })),
    tokensBefore: readHoldings(preTokenBalances, accounts),
    tokensAfter: readHoldings(postTokenBalances, accounts),
  };
}

function readHoldings(shown: readonly ShownToken[], accounts: readonly string[]): TokenHolding[] {
  return shown.flatMap(({ accountIndex, mint, owner, programId, uiTokenAmount }) => {
    const account = accounts[accountIndex];
    if (account === undefined || owner === undefined || programId === undefined)
      throw new ChainError('The Solana node shows token balances without their owner or program.');
    return programId === TOKEN_PROGRAM_ADDRESS ? [{ account, mint, owner, amount: BigInt(uiTokenAmount.amount) }] : [];
  });
}

/** What a transfer of ours left in the token account that it created: its payer is poorer by it as by the fee. */
export function rentOfNewAccounts({ lamports, tokensBefore, tokensAfter }: Executed): bigint {
  const known = new Set(tokensBefore.map(({ account }) => account));
  let rent = 0n;
  for (const { account, mint, amount } of tokensAfter.filter((token) => !known.has(token.account))) {
    const { before = 0n, after = 0n } = lamports.find((each) => each.account === account) ?? {};
    rent += after - before - (mint === WRAPPED_SOL ? amount : 0n);
  }
  return rent;
}
