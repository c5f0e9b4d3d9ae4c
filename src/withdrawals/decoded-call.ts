// The decoded form of a transaction that a caller wrote and that is completed, signed and sent here: made of the row
// alone, and only of what its seal vouches for while it can still be approved or sent. Of a plain transfer the record
// itself says all.
import type { Hex } from 'viem';
import { networkSeed } from '../../domain/catalog/networks.ts';
import { isFinal, withdrawalArrows } from '../../domain/statuses.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { sealedWithdrawals, type WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { type CallToSend, decodeCall } from '../decoding/decode.ts';
import type { DecodedContent } from '../decoding/decoded.schema.ts';

/**
 * Of a call of more than `bytesMax` without its arguments. Undefined for what is no call, and for a row that was
 * changed since it was accepted.
 */
export function decodedOfRow(
  seals: Seals,
  row: WithdrawalRow,
  bytesMax = Number.POSITIVE_INFINITY,
): DecodedContent | undefined {
  if (row.call === null) return undefined;
  if (!isFinal(withdrawalArrows, row.status) && !sealedWithdrawals.counts(seals, row)) return undefined;
  const network = networkSeed.find(({ id }) => id === row.networkId);
  if (network === undefined) return undefined;
  const call = network.isEvm ? onEvm(row, row.call.data as Hex) : onSolana(row.call.data);
  const decoded = decodeCall(call, row.feeBoundBaseUnits ?? undefined, [network.internalCode]);
  if ((row.call.data.length - 2) / 2 <= bytesMax) return decoded;
  const { arguments: _arguments, ...rest } = decoded;
  return rest;
}

/** Its amount is that of a token where the call is a plain transfer of one. */
const onEvm = (row: WithdrawalRow, data: Hex): CallToSend => ({
  evmCall: { to: row.recipientAddress, value: row.assetId === row.feeAssetId ? row.amountBaseUnits : 0n, data },
});

const onSolana = (data: string): CallToSend => ({ solanaMessage: Buffer.from(data.slice(2), 'hex') });
