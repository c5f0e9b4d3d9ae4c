// What the policy makes of a withdrawal: through, held for approvals, or refused. The policy itself is in src/policies.

import type { Transaction } from '../../drizzle/database/connection.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { withdrawalDigest } from '../../drizzle/votes/approved-content.ts';
import { advanceWithdrawal } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import type { WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import { openApprovalRound } from '../approvals/open-approval-round.ts';
import { SHOWN_BYTES_MAX } from '../decoding/shown-bytes.ts';
import { ApiError } from '../http/errors.ts';
import { type Decided, type Decision, decide } from '../policies/decide.ts';
import { readEvmCall } from '../policies/evm-calls.ts';
import { readSolanaMessage } from '../policies/solana-calls.ts';
import { decodedOfRow } from './decoded-call.ts';
import type { Requester, WithdrawalIntent } from './withdrawal-intent.ts';

/**
 * Throws policy_denied with the policy's reasons. `feeBound`: what it may pay at most, which is what is judged. Before
 * the row is stored, as `decide` asks.
 */
export async function decideWithdrawal(
  tx: Transaction,
  { workspaceId, walletId, initiator }: Requester,
  { network, asset, feeAsset, amount, recipient, call }: WithdrawalIntent,
  { feeBound, production, seals }: { feeBound: bigint; production: boolean; seals: Seals },
): Promise<Decided> {
  const decision = await decide(tx, seals, {
    workspaceId,
    walletId,
    networks: [{ id: network.id, code: network.internalCode }],
    operation: 'withdrawal',
    initiator,
    production,
    fee: feeBound,
    ...(call === null
      ? {
          method: 'transfer',
          movements: [{ asset: { id: asset.id }, amountBaseUnits: amount, destination: recipient }],
          unknown: [],
        }
      : {
          method: 'contract_call',
          ...(network.isEvm
            ? readEvmCall({
                to: recipient,
                value: asset.id === feeAsset.id ? amount : 0n,
                data: call.data as `0x${string}`,
              })
            : readSolanaMessage(Buffer.from(call.data.slice(2), 'hex'))),
        }),
  });
  if (decision.action === 'deny')
    throw new ApiError('policy_denied', `The policy denies it: ${decision.reasons.join(' ')}`);
  return decision;
}

export async function applyDecision(
  tx: Transaction,
  seals: Seals,
  row: WithdrawalRow,
  decision: Decision,
): Promise<void> {
  const { id, workspaceId, walletId, requestedBy } = row;
  const policyReasons = [...decision.reasons];
  const why = policyReasons.join(' ');
  if (decision.action === 'allow') {
    const step = { details: `The policy lets it through: ${why}` };
    await advanceWithdrawal(tx, id, {
      from: 'pending',
      to: 'approved',
      fields: { subStatus: 'queued', policyReasons },
      ...step,
    });
    return;
  }
  const round = await openApprovalRound(tx, seals, {
    subject: 'withdrawal',
    subjectId: id,
    workspaceId,
    walletId,
    requestedBy,
    decision,
    digest: withdrawalDigest(row),
  });
  const until = round.expiresAt.toISOString();
  const step = { details: `It needs approvals, ${round.required} in all, until ${until}: ${why}` };
  await advanceWithdrawal(tx, id, {
    from: 'pending',
    to: 'pending_approval',
    fields: { subStatus: null, policyReasons },
    shown: decodedOfRow(seals, row, SHOWN_BYTES_MAX),
    ...step,
  });
}
