// The account that airdrops come from: its key is made once and kept with the chain. Sends nothing: it makes the signed
// transfer.
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getBase16Encoder,
  getTransactionEncoder,
  getUtf8Encoder,
  type KeyPairSigner,
  lamports,
  pipe,
  type ReadonlyUint8Array,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { v7 as uuid } from 'uuid';
import { readOrMakeSecret } from '../secret-file.ts';

export type Faucet = KeyPairSigner;
type Lifetime = { blockhash: Blockhash; lastValidBlockHeight: bigint };

const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

export function openFaucet(keyFile: string): Promise<Faucet> {
  return createKeyPairSignerFromPrivateKeyBytes(getBase16Encoder().encode(readOrMakeSecret(keyFile, 'hex')));
}

/** The memo tells two equal airdrops apart: the same transaction twice would be refused. */
export async function makeAirdrop(
  faucet: Faucet,
  recipient: Address,
  amount: bigint,
  lifetime: Lifetime,
): Promise<ReadonlyUint8Array> {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(faucet, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) =>
      appendTransactionMessageInstructions(
        [
          getTransferSolInstruction({ source: faucet, destination: recipient, amount: lamports(amount) }),
          { programAddress: MEMO_PROGRAM, data: getUtf8Encoder().encode(uuid()) },
        ],
        timed,
      ),
  );
  return getTransactionEncoder().encode(await signTransactionMessageWithSigners(message));
}
