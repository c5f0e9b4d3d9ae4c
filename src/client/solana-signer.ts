// An MPC wallet as a signer of @solana/kit (a TransactionPartialSigner), by shape alone: kit is not needed to use this
// client. Signs transactions only, since the service signs nothing on Solana that it cannot read.
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { CountersignClient } from './countersign-client.ts';
import type { WaitOptions } from './until-final.ts';

export interface SolanaSignerOptions<Address extends string> {
  client: CountersignClient;
  walletId: string;
  /** The network's internal code. */
  network: string;
  /** The wallet's address; of the derived key, with a derivation path. */
  address: Address;
  derivationPath?: string;
  wait?: WaitOptions;
}

/** As kit brands a signature. */
type SignatureBytes = Uint8Array & { readonly '__brand:@solana/kit': 'SignatureBytes' };

export interface SolanaSigner<Address extends string> {
  readonly address: Address;
  signTransactions(
    transactions: readonly { readonly messageBytes: ArrayLike<number> }[],
    config?: { abortSignal?: AbortSignal },
  ): Promise<readonly Readonly<Record<Address, SignatureBytes>>[]>;
}

export function toSolanaSigner<Address extends string>({
  client,
  walletId,
  network,
  address,
  derivationPath,
  wait,
}: SolanaSignerOptions<Address>): SolanaSigner<Address> {
  const sign = async (message: ArrayLike<number>, signal: AbortSignal | undefined) => {
    const abort = signal === undefined ? {} : { signal };
    const body = {
      network_internal_code: network,
      unsigned_tx: `0x${bytesToHex(Uint8Array.from(message))}`,
      ...(derivationPath === undefined ? {} : { derivation_path: derivationPath }),
    };
    const signed = await client.signTransaction(walletId, body, abort).wait({ ...wait, ...abort });
    if (signed.address !== address)
      throw new Error(`The wallet signs as ${signed.address}, and the signer was made for ${address}.`);
    return hexToBytes(signed.signature.slice(2)) as SignatureBytes;
  };
  return Object.freeze({
    address,
    signTransactions: (transactions, { abortSignal } = {}) =>
      Promise.all(
        transactions.map(async ({ messageBytes }) =>
          Object.freeze({ [address]: await sign(messageBytes, abortSignal) } as Record<Address, SignatureBytes>),
        ),
      ),
  } satisfies SolanaSigner<Address>);
}
