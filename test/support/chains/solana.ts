// A client of the sandbox's Solana for tests: an account with funds, and the steps from instructions to a final
// transaction.
import { generateKeyPairSync, sign } from 'node:crypto';
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  isSolanaError,
  lamports,
  pipe,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionSigner,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { expect } from 'vitest';
import type { Chain } from '../../../activities/chains/port/chain.ts';
import type { InboundTransfer } from '../../../activities/chains/port/movements.ts';
import { solanaAddress } from '../../../activities/chains/solana/key-address.ts';
import { watching } from './watching.ts';

export const SOL = 1_000_000_000n;

export type Lifetime = { blockhash: Blockhash; lastValidBlockHeight: bigint };
export type Signed = Awaited<ReturnType<typeof signFor>>;
/** What the tests read of a final transaction. */
export type Confirmed = {
  slot: bigint;
  blockTime: bigint | null;
  meta: {
    err: unknown;
    fee: bigint;
    preBalances: readonly bigint[];
    postBalances: readonly bigint[];
    preTokenBalances?: readonly unknown[];
    postTokenBalances?: readonly unknown[];
    innerInstructions?: readonly unknown[] | null;
  };
  transaction: { message: { accountKeys: readonly Address[] } };
};
export type SolanaClient = Awaited<ReturnType<typeof fundedSolanaClient>>;

export function signFor(payer: TransactionSigner, instructions: Instruction[], lifetime: Lifetime) {
  return signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    ),
  );
}

/** The node stays at its address when it is started again. */
export async function fundedSolanaClient(nodeAddress: string) {
  const rpc = createSolanaRpc(nodeAddress);
  const payer = await generateKeyPairSigner();
  await rpc.requestAirdrop(payer.address, lamports(100n * SOL)).send();

  const sign = async (...instructions: Instruction[]) =>
    signFor(payer, instructions, (await rpc.getLatestBlockhash().send()).value);
  const send = (transaction: Signed, skipPreflight = false) =>
    rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding: 'base64', skipPreflight }).send();
  /** Waits until the slot is over: then the transaction is final. */
  const confirm = async (signature: Signature): Promise<Confirmed> => {
    const status = async () => (await rpc.getSignatureStatuses([signature]).send()).value[0];
    await expect.poll(status, { timeout: 60_000 }).toMatchObject({ confirmationStatus: 'finalized' });
    const shown = await rpc.getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }).send();
    if (shown?.meta == null) throw new Error('a final transaction is not shown');
    return { ...shown, meta: shown.meta };
  };
  const execute = async (...instructions: Instruction[]): Promise<Confirmed & { signature: Signature }> => {
    const signature = await send(await sign(...instructions));
    return { signature, ...(await confirm(signature)) };
  };
  return { rpc, payer, sign, send, confirm, execute };
}

/** The cause that kit reads out of a refused transaction. */
export async function refusalOf(sending: Promise<unknown>): Promise<unknown> {
  const error = await sending.then(
    () => undefined,
    (refusal: unknown) => refusal,
  );
  if (!isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)) throw error;
  return error.cause;
}

/** A key as the cluster holds one: it signs the bytes of a payload. */
export function solanaKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const signPayload = (hex: string) => `0x${sign(null, Buffer.from(hex.slice(2), 'hex'), privateKey).toString('hex')}`;
  return { address: address(solanaAddress(bytes)), publicKey: bytes.toString('hex'), sign: signPayload };
}

export async function tokenAccountOf(owner: Address, mint: Address): Promise<Address> {
  return (await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0];
}

/** A mint of the payer's, who mints what is asked for. */
export async function makeMint(
  { rpc, payer, execute }: SolanaClient,
  decimals: number,
  programAddress: Address = TOKEN_PROGRAM_ADDRESS,
) {
  const newAccount = await generateKeyPairSigner();
  const mint = newAccount.address;
  await execute(
    getCreateAccountInstruction({
      payer,
      newAccount,
      lamports: await rpc.getMinimumBalanceForRentExemption(82n).send(),
      space: 82n,
      programAddress,
    }),
    getInitializeMint2Instruction({ mint, decimals, mintAuthority: payer.address }, { programAddress }),
  );
  const mintTo = async (owner: Address, amount: bigint) => {
    const token = await tokenAccountOf(owner, mint);
    return execute(
      getCreateAssociatedTokenIdempotentInstruction({ payer, ata: token, owner, mint }),
      getMintToInstruction({ mint, token, mintAuthority: payer, amount }),
    );
  };
  return { mint, mintTo };
}

/** At these addresses, of SOL and of these mints. */
export async function inboundTransfersIn(
  chain: Chain,
  slot: number | bigint,
  ours: readonly string[],
  mints: readonly string[] = [],
): Promise<InboundTransfer[]> {
  const block = await chain.block(Number(slot));
  if (block === undefined) throw new Error(`no block ${slot}`);
  return chain.inboundTransfers(block, watching(ours, mints));
}
