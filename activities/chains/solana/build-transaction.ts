// Makes transfers of SOL and SPL tokens: what they cost, their message, and the transaction that its signature makes of
// it. Sends nothing.
import { randomInt } from 'node:crypto';
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSolanaErrorFromTransactionError,
  type Instruction,
  lamports,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTokenSize,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { canonicalSolanaAddress } from '../../../domain/payloads/canonical-address.ts';
import { type FeeLevel } from '../../../domain/withdrawals/fee-levels.ts';
import { ChainError, ImpossibleTransfer } from '../port/chain-error.ts';
import type { FeeQuote, Transfer, UnsignedTransaction } from '../port/transactions.ts';
import { readFee, unitPrice } from './fees.ts';
import { isBelowRent, lacksFunds } from './insufficient-funds.ts';
import type { AskSolana } from './rpc.ts';
import { inspectRecipient, tokenAccountOf, tokenBalance } from './token-accounts.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICROLAMPORTS = 1_000_000n;
/** Three instructions of programs that are part of the runtime, 150 units each. */
const SOL_UNITS = 1_000;
/** Creating an account takes 1,500 units for each try at its address, of which there is no bound but luck. */
const TOKEN_UNITS = 90_000;
type TrialError = Parameters<typeof getSolanaErrorFromTransactionError>[0];
const DATA_BYTES = { least: 32 * 1024 * 1024, most: 64 * 1024 * 1024 };

export async function estimateSolanaFee(ask: AskSolana, transfer: Transfer, level: FeeLevel): Promise<FeeQuote> {
  const { to, mint, decimals } = partiesOf(transfer);
  const { hasTokenAccount } = await inspectRecipient(ask, { to, mint, decimals });
  const needsRent = mint !== null && !hasTokenAccount;
  const rent = needsRent
    ? await ask((rpc) => rpc.getMinimumBalanceForRentExemption(BigInt(getTokenSize()), { commitment: 'finalized' }))
    : 0n;
  const units = BigInt(mint === null ? SOL_UNITS : TOKEN_UNITS);
  const price = await unitPrice(
    ask,
    level,
    [transfer.from, transfer.to].map((each) => address(each)),
  );
  const priority = (price * units + MICROLAMPORTS - 1n) / MICROLAMPORTS;
  return {
    level,
    maxFee: LAMPORTS_PER_SIGNATURE + priority + rent,
    parameters: { units: `${units}`, microLamportsPerUnit: `${price}`, rent: `${rent}` },
  };
}

/**
 * Refuses what would fail if it were sent now, so that it is never signed. The blockhash is a finalized one: what has
 * expired for the finalized chain can then never have been valid on a branch that the node did not know yet.
 */
export async function buildSolanaTransfer(
  ask: AskSolana,
  transfer: Transfer,
  quote: FeeQuote,
): Promise<UnsignedTransaction> {
  const fee = readFee(quote);
  const { from, to, mint, decimals } = partiesOf(transfer);
  await inspectRecipient(ask, { to, mint, decimals });
  const instructions = await instructionsFor(transfer, fee.rent > 0n);
  const { value: lifetime } = await ask((rpc) => rpc.getLatestBlockhash({ commitment: 'finalized' }));
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(from, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => setTransactionMessageComputeUnitLimit(fee.units, timed),
    (limited) => setTransactionMessageComputeUnitPrice(fee.microLamportsPerUnit, limited),
    // Two equal transfers with one blockhash would be one transaction, paid once. The limit is far above the need and
    // costs nothing.
    (priced) => setTransactionMessageLoadedAccountsDataSizeLimit(randomInt(DATA_BYTES.least, DATA_BYTES.most), priced),
    (distinct) => appendTransactionMessageInstructions(instructions, distinct),
    compileTransaction,
  );
  const wire = getBase64EncodedWireTransaction(transaction);
  const { value: simulated } = await ask((rpc) =>
    rpc.simulateTransaction(wire, { encoding: 'base64', commitment: 'confirmed' }),
  );
  if (simulated.err !== null) throw await refusalOf(ask, transfer, simulated.err);
  const unsigned = `0x${Buffer.from(transaction.messageBytes).toString('hex')}`;
  const payloads = [{ kind: 'solana_transaction', hex: unsigned }] as const;
  return { unsigned, payloads, validUntil: Number(lifetime.lastValidBlockHeight) };
}

async function instructionsFor(transfer: Transfer, createsAccount: boolean): Promise<Instruction[]> {
  const { from, to, mint, decimals } = partiesOf(transfer);
  const signer = createNoopSigner(from);
  const { amount } = transfer;
  if (mint === null) return [getTransferSolInstruction({ source: signer, destination: to, amount: lamports(amount) })];
  const [source, destination] = [await tokenAccountOf(from, mint), await tokenAccountOf(to, mint)];
  const pay = getTransferCheckedInstruction({ source, mint, destination, authority: signer, amount, decimals });
  if (!createsAccount) return [pay]; // The quote holds no rent: a recipient who closes the account meanwhile gets none.
  return [getCreateAssociatedTokenIdempotentInstruction({ payer: signer, ata: destination, owner: to, mint }), pay];
}

function partiesOf({ from, to, asset }: Transfer): {
  from: Address;
  to: Address;
  mint: Address | null;
  decimals: number;
} {
  const mint = asset.contract === null ? null : readAddress(asset.contract);
  return { from: readAddress(from), to: readAddress(to), mint, decimals: asset.decimals };
}

function readAddress(text: string): Address {
  const canonical = canonicalSolanaAddress(text);
  if (canonical === undefined) throw new ImpossibleTransfer('A transfer names what is no address on Solana.');
  return address(canonical);
}

/** Why the trial failed: for good, for want of funds, or for what may be otherwise later. */
async function refusalOf(ask: AskSolana, transfer: Transfer, error: TrialError): Promise<Error> {
  const { from, mint } = partiesOf(transfer);
  const refusal = getSolanaErrorFromTransactionError(error);
  if (mint === null && isBelowRent(refusal))
    return new ImpossibleTransfer(`${transfer.to} holds nothing yet, and the amount is below the rent of an account.`);
  // A token account that is not there yet is refused in other words than one with too little.
  const isPoor = lacksFunds(refusal) || (mint !== null && (await tokenBalance(ask, from, mint)) < transfer.amount);
  const message = `The transfer would fail now: ${describe(error)}`;
  return new ChainError(message, isPoor ? 'insufficient_funds' : undefined);
}

function describe(error: unknown): string {
  return JSON.stringify(error, (_name, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
}
