// Refuses a Solana message, or an off-chain one, that does not ask for the signature of the key that would sign it: of
// no use to anyone, and refused by the nodes only when they are to sign. Derives no key: the API knows the address of
// the default path, and leaves the other paths to the nodes.
import { base58 } from '@scure/base';
import { requiredSigners } from '../../domain/payloads/solana-message.ts';
import { isOffchain, readOffchain } from '../../domain/payloads/solana-offchain.ts';
import type { SigningPayload } from '../../domain/signing/signing-payload.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { findSealedAddress } from '../../drizzle/wallets/wallet-keys.ts';
import { ApiError } from '../http/errors.ts';

interface PlannedSignature {
  row: { derivationPath: string };
  payload: SigningPayload;
  /** Whose signature the caller wants. */
  sender?: string | undefined;
}

/**
 * Says why an operation of the wallet cannot be signed; undefined when nothing is known against it. Reads the address
 * once, when one operation needs it.
 */
export function missingSignerCheck(
  tx: Transaction,
  seals: Seals,
  wallet: { workspaceId: string; id: string },
): (planned: PlannedSignature) => Promise<ApiError | undefined> {
  let reading: ReturnType<typeof findSealedAddress> | undefined;
  return async ({ row, payload, sender }) => {
    const signers = signersOf(payload);
    if (signers === undefined) return undefined;
    reading ??= findSealedAddress(tx, seals, wallet, 'sol');
    const own = await reading;
    if (sender !== undefined && sender !== own?.address)
      return new ApiError(
        'invalid_address',
        `from is not the address of this wallet on Solana, which is ${own?.address ?? 'not there yet'}: leave it out, or ask for the wallet that has it.`,
      );
    if (own?.derivationPath !== row.derivationPath) return undefined;
    if (signers.includes(own.address)) return undefined;
    return new ApiError(
      'invalid_request',
      `${payload.kind === 'solana_message' ? 'message' : 'unsigned_tx'} does not ask for the signature of ${own.address}, with which ${own.derivationPath} of the wallet signs: make it a signer.`,
    );
  };
}

/** Whose signatures it asks for; undefined for what names nobody. */
function signersOf(payload: SigningPayload): readonly string[] | undefined {
  if (payload.kind !== 'solana_transaction' && payload.kind !== 'solana_message') return undefined;
  const bytes = Buffer.from(payload.hex.slice(2), 'hex');
  if (payload.kind === 'solana_transaction') return requiredSigners(bytes).map((key) => base58.encode(key));
  return isOffchain(bytes) ? readOffchain(bytes).signers : undefined;
}
