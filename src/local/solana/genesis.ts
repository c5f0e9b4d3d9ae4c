// The accounts that the sandbox's Solana begins with: the faucet of airdrops, the treasury, and the dollar, whose whole
// supply is the treasury's. They are set before the journal is run again, and so are the same in every run.
import { type Address, address, lamports, none, some } from '@solana/kit';
import {
  AccountState,
  findAssociatedTokenPda,
  getMintEncoder,
  getMintSize,
  getTokenEncoder,
  getTokenSize,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import type { LiteSVM } from 'litesvm';
import { DOLLAR_DECIMALS, DOLLAR_SUPPLY, dollars, treasuries } from '../../../domain/catalog/sandbox.ts';

const RICH_LAMPORTS = lamports(500_000_000n * 1_000_000_000n);
const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
const TREASURY = address(treasuries.SOL_SANDBOX.address);
const DOLLAR = address(dollars.SOL_SANDBOX);

export type Genesis = (svm: LiteSVM, faucet: Address) => void;

export async function makeGenesis(): Promise<Genesis> {
  const [treasuryToken] = await findAssociatedTokenPda({
    owner: TREASURY,
    mint: DOLLAR,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  });
  const mint = getMintEncoder().encode({
    mintAuthority: some(TREASURY),
    supply: DOLLAR_SUPPLY,
    decimals: DOLLAR_DECIMALS,
    isInitialized: true,
    freezeAuthority: none(),
  });
  const token = getTokenEncoder().encode({
    mint: DOLLAR,
    owner: TREASURY,
    amount: DOLLAR_SUPPLY,
    delegate: none(),
    state: AccountState.Initialized,
    isNative: none(),
    delegatedAmount: 0n,
    closeAuthority: none(),
  });
  return (svm, faucet) => {
    const plain = { data: new Uint8Array(), space: 0n, executable: false, programAddress: SYSTEM_PROGRAM };
    for (const rich of [faucet, TREASURY]) svm.setAccount({ address: rich, lamports: RICH_LAMPORTS, ...plain });
    const sized = (sizeBytes: number) => {
      const space = BigInt(sizeBytes);
      return { lamports: lamports(svm.minimumBalanceForRentExemption(space)), space };
    };
    const owned = { executable: false, programAddress: TOKEN_PROGRAM_ADDRESS };
    svm.setAccount({ address: DOLLAR, data: Uint8Array.from(mint), ...sized(getMintSize()), ...owned });
    svm.setAccount({ address: treasuryToken, data: Uint8Array.from(token), ...sized(getTokenSize()), ...owned });
  };
}
