// A client of the sandbox's Solana for tests: an account with funds, and the steps from instructions to a final transaction.
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createSolanaRpc,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type TransactionSigner,
} from '@solana/kit';
import { expect } from 'vitest';

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
    await expect.poll(status, { timeout: 5_000 }).toMatchObject({ confirmationStatus: 'finalized' });
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
