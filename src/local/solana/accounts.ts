// Accounts as Solana's JSON-RPC shows them: raw, or parsed when they are a token account or a mint. Reads bytes,
// changes none.
import {
  type Address,
  address,
  type EncodedAccount,
  getBase58Decoder,
  getBase64Decoder,
  type Option,
  type ReadonlyUint8Array,
  unwrapOption,
} from '@solana/kit';
import {
  AccountState,
  getMintDecoder,
  getTokenDecoder,
  TOKEN_PROGRAM_ADDRESS,
  type Token,
} from '@solana-program/token';
import { invalidParams } from './rpc-error.ts';

export const TOKEN_PROGRAMS: ReadonlyMap<Address, string> = new Map<Address, string>([
  [TOKEN_PROGRAM_ADDRESS, 'spl-token'],
  [address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'), 'spl-token-2022'],
]);
const TOKEN_BYTES = 165;
const MINT_BYTES = 82;
/** Token-2022 writes after the longest plain account which of both an account with extensions is. */
const EXTENDED = { mint: 1, token: 2 };

export type AccountOptions = { encoding?: string; dataSlice?: { offset: number; length: number } };
type DecimalsOf = (mint: Address) => number | undefined;

export function showAccount(account: EncodedAccount, options: AccountOptions, decimalsOf: DecimalsOf): unknown {
  const { lamports, programAddress: owner, executable, space } = account;
  return { lamports, owner, executable, rentEpoch: 0, space, data: showData(account, options, decimalsOf) };
}

function showData(account: EncodedAccount, { encoding, dataSlice }: AccountOptions, decimalsOf: DecimalsOf): unknown {
  const bytes = dataSlice ? account.data.slice(dataSlice.offset, dataSlice.offset + dataSlice.length) : account.data;
  if (encoding === undefined || encoding === 'binary') return getBase58Decoder().decode(bytes);
  if (encoding === 'base58') return [getBase58Decoder().decode(bytes), 'base58'];
  const parsed = encoding === 'jsonParsed' ? parseAccount(account, decimalsOf) : undefined;
  if (parsed !== undefined) return parsed;
  if (encoding === 'base64' || encoding === 'jsonParsed') return [getBase64Decoder().decode(bytes), 'base64'];
  throw invalidParams(`this sandbox has no account encoding ${encoding}`);
}

/** Undefined unless it is the initialised account of a token. */
export function readToken(account: EncodedAccount): Token | undefined {
  if (!hasLayout(account, TOKEN_BYTES, EXTENDED.token)) return undefined;
  const token = getTokenDecoder().decode(account.data.slice(0, TOKEN_BYTES));
  return token.state === AccountState.Uninitialized ? undefined : token;
}

export function readMint(account: EncodedAccount) {
  if (!hasLayout(account, MINT_BYTES, EXTENDED.mint)) return undefined;
  const mint = getMintDecoder().decode(account.data.slice(0, MINT_BYTES));
  return mint.isInitialized ? mint : undefined;
}

function hasLayout({ programAddress, data }: EncodedAccount, bytes: number, extended: number): boolean {
  if (!TOKEN_PROGRAMS.has(programAddress)) return false;
  return data.length === bytes || (data.length > TOKEN_BYTES && data[TOKEN_BYTES] === extended);
}

function parseAccount(account: EncodedAccount, decimalsOf: DecimalsOf): unknown {
  const program = TOKEN_PROGRAMS.get(account.programAddress);
  const token = readToken(account);
  const decimals = token && decimalsOf(token.mint);
  if (token !== undefined && decimals !== undefined)
    return { program, parsed: { type: 'account', info: tokenInfo(token, decimals) }, space: account.space };
  const mint = readMint(account);
  if (mint === undefined) return undefined;
  const { decimals: mintDecimals, isInitialized, supply } = mint;
  const info = {
    decimals: mintDecimals,
    isInitialized,
    supply: supply.toString(),
    mintAuthority: unwrapOption(mint.mintAuthority),
    freezeAuthority: unwrapOption(mint.freezeAuthority),
  };
  return { program, parsed: { type: 'mint', info }, space: account.space };
}

function tokenInfo(token: Token, decimals: number): unknown {
  const isSome = (option: Option<unknown>) => option.__option === 'Some';
  return {
    mint: token.mint,
    owner: token.owner,
    state: token.state === AccountState.Frozen ? 'frozen' : 'initialized',
    isNative: isSome(token.isNative),
    tokenAmount: tokenAmount(token.amount, decimals),
    ...(isSome(token.delegate) && {
      delegate: unwrapOption(token.delegate),
      delegatedAmount: tokenAmount(token.delegatedAmount, decimals),
    }),
    ...(isSome(token.closeAuthority) && { closeAuthority: unwrapOption(token.closeAuthority) }),
  };
}

export function tokenAmount(amount: bigint, decimals: number) {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const uiAmountString = fraction === '' ? whole : `${whole}.${fraction}`;
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}

/** The addresses that a lookup table holds: they follow its header of 56 bytes. */
export function readLookupTable(data: ReadonlyUint8Array, indexes: readonly number[]): Address[] {
  const at = (index: number) => data.slice(56 + 32 * index, 88 + 32 * index);
  return indexes
    .map(at)
    .filter((bytes) => bytes.length === 32)
    .map((bytes) => address(getBase58Decoder().decode(bytes)));
}
