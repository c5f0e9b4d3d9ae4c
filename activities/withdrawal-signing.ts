// The signing operations of a withdrawal's transaction: their rows, and the tasks that the `sign` workflow takes.

import { sha256 } from '@noble/hashes/sha2.js';
import type { ChainTransactionRow } from '../drizzle/chain-transactions.ts';
import type { Transaction } from '../drizzle/database.ts';
import { insertSigningRequest } from '../drizzle/signing-requests.ts';
import type { WithdrawalContext } from '../drizzle/withdrawal-context.ts';
import type { Payload } from './mpc/cluster.ts';
import { digestOf } from './mpc/digest.ts';
import { decodePayload, type SigningPayload, type SigningTask } from './signing-requests.ts';

/** One row for each payload, under these ids. */
export async function insertSignings(
  tx: Transaction,
  { withdrawal, network }: WithdrawalContext,
  signingIds: readonly string[],
  payloads: readonly SigningPayload[],
): Promise<void> {
  for (const [index, payload] of payloads.entries())
    await insertSigningRequest(tx, {
      id: signingIds[index] ?? '',
      workspaceId: withdrawal.workspaceId,
      walletId: withdrawal.walletId,
      operationType: 'withdrawal',
      withdrawalId: withdrawal.id,
      networkInternalCode: network.internalCode,
      keyType: network.curve,
      signingHash: `0x${Buffer.from(hashOf(decodePayload(payload))).toString('hex')}`,
      unsignedTx: 'hex' in payload ? payload.hex : '0x',
      derivationPath: withdrawal.derivationPath,
      payloadKind: payload.kind,
    });
}

/** What stands for a payload in lists; of a Solana message, which is signed itself, its SHA-256. */
function hashOf(payload: Payload): Uint8Array {
  return payload.kind === 'solana_transaction' ? sha256(payload.message) : digestOf(payload);
}

/** What the `sign` workflows take. */
export function signingTasks(
  { withdrawal, network }: WithdrawalContext,
  { signingIds, payloads }: ChainTransactionRow,
): SigningTask[] {
  const { workspaceId, walletId } = withdrawal;
  const networkCode = network.internalCode;
  return (payloads as readonly SigningPayload[]).map(({ kind }, index) => {
    const signingId = signingIds[index] ?? '';
    return { signingId, workspaceId, walletId, networkCode, kind };
  });
}
