// SPL tokens of the classic token program as accounts hold them. Of a wallet only its associated token account counts:
// it is the one that transfers are paid from. Refuses Token-2022, whose mints may take fees, freeze by default or run
// programs of their own.
import { type Address, type MaybeEncodedAccount, parseBase64RpcAccount } from '@solana/kit';
import {
  AccountState,
  decodeMint,
  decodeToken,
  findAssociatedTokenPda,
  getMintSize,
  getTokenSize,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { ImpossibleTransfer } from '../port/chain-error.ts';
import type { AskSolana } from './rpc.ts';

/** Who owns the programs, their code and the chain's own variables: what is sent there is nobody's. */
const nobodys: ReadonlySet<string> = new Set([
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Sysvar1111111111111111111111111111111111111',
]);

export async function tokenAccountOf(owner: Address, mint: Address): Promise<Address> {
  const [account] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS });
  return account;
}

export async function tokenBalance(ask: AskSolana, owner: Address, mint: Address): Promise<bigint> {
  const [mintAccount, account] = await readAccounts(ask, 'finalized', [mint, await tokenAccountOf(owner, mint)]);
  decimalsOf(mintAccount, mint);
  const token = readToken(account);
  return token?.owner === owner && token.mint === mint ? token.amount : 0n;
}

/**
 * Whether the recipient has a token account already. Throws `ImpossibleTransfer` when the transfer would be lost or
 * cannot work.
 */
export async function inspectRecipient(
  ask: AskSolana,
  { to, mint, decimals }: { to: Address; mint: Address | null; decimals: number },
): Promise<{ hasTokenAccount: boolean }> {
  const asked = mint === null ? [to] : [to, mint, await tokenAccountOf(to, mint)];
  const [recipient, mintAccount, account] = await readAccounts(ask, 'confirmed', asked);
  // Whoever pastes a token account for its owner would lock the funds in it.
  if (recipient?.exists && recipient.programAddress === TOKEN_PROGRAM_ADDRESS)
    throw new ImpossibleTransfer(`${to} is an account of the token program and not a wallet.`);
  if (recipient?.exists && (recipient.executable || nobodys.has(recipient.programAddress)))
    throw new ImpossibleTransfer(`${to} is a program or a part of the chain and not a wallet.`);
  if (mint === null) return { hasTokenAccount: false };
  if (decimalsOf(mintAccount, mint) !== decimals) throw new ImpossibleTransfer(`The mint ${mint} has other decimals.`);
  const token = readToken(account);
  if (token === undefined) return { hasTokenAccount: false };
  if (token.owner !== to || token.mint !== mint || token.state !== AccountState.Initialized)
    throw new ImpossibleTransfer(
      `The token account of ${to} for the mint ${mint} is frozen or no longer belongs to it.`,
    );
  return { hasTokenAccount: true };
}

function decimalsOf(account: MaybeEncodedAccount | undefined, mint: Address): number {
  const isMint = isOfTokenProgram(account) && account.data.length === getMintSize();
  const found = isMint ? decodeMint(account).data : undefined;
  if (!found?.isInitialized)
    throw new ImpossibleTransfer(`${mint} is no mint of the classic token program, the only one supported.`);
  return found.decimals;
}

function readToken(account: MaybeEncodedAccount | undefined) {
  if (!isOfTokenProgram(account) || account.data.length !== getTokenSize()) return undefined;
  const { data } = decodeToken(account);
  return data.state === AccountState.Uninitialized ? undefined : data;
}

function isOfTokenProgram(
  account: MaybeEncodedAccount | undefined,
): account is Extract<MaybeEncodedAccount, { exists: true }> {
  return account?.exists === true && account.programAddress === TOKEN_PROGRAM_ADDRESS;
}

async function readAccounts(ask: AskSolana, commitment: 'confirmed' | 'finalized', addresses: Address[]) {
  const { value } = await ask((rpc) => rpc.getMultipleAccounts(addresses, { encoding: 'base64', commitment }));
  return addresses.map((address, index) => parseBase64RpcAccount(address, value[index] ?? null));
}
