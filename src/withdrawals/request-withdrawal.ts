// Accepts withdrawals: what stands in the way is found before anything is stored; then row, held amount, the policy's
// decision and the workflow are one commit.
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { FeeCap } from '../../domain/withdrawals/fee-caps.ts';
import { workflowIdOf, workflowIdOfRow } from '../../domain/workflow-ids.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { InsufficientFunds, readLedgerBalance } from '../../drizzle/ledger/ledger.ts';
import { findNetworkState, type NetworkStateRow } from '../../drizzle/networks/network-states.ts';
import { insertUnknownMovements } from '../../drizzle/policies/unknown-movements.ts';
import type { Seals } from '../../drizzle/seals/seals.ts';
import { findWallet } from '../../drizzle/wallets/wallet-queries.ts';
import type { WalletAddressRow } from '../../drizzle/wallets/wallets.ts';
import { countCoins } from '../../drizzle/withdrawals/coin-count.ts';
import { insertWithdrawal } from '../../drizzle/withdrawals/withdrawal-steps.ts';
import { viewWithdrawal, type WithdrawalView } from '../../drizzle/withdrawals/withdrawal-views.ts';
import { findWithdrawal, findWithdrawalNamed, type WithdrawalRow } from '../../drizzle/withdrawals/withdrawals.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import { assertHasNode, freshFees, requireFees } from '../catalog/require-node.ts';
import { ApiError } from '../http/errors.ts';
import { externalIdTaken } from '../http/external-id-taken.ts';
import { assertAssetEnabled } from '../wallets/assert-asset-enabled.ts';
import { assertWalletMaySign } from '../wallets/assert-can-sign.ts';
import { receivingAddress } from '../wallets/receiving-address.ts';
import { requireFound } from '../wallets/require-wallet.ts';
import { acceptWrite, type WriteDependencies } from '../writes/accept-write.ts';
import type { WorkspaceQuotas } from '../writes/workspace-quotas.ts';
import { inBaseUnits, inUnits } from './amounts-in-errors.ts';
import { feeBoundOf } from './expected-fee.ts';
import { applyDecision, decideWithdrawal } from './policy-decision.ts';
import type { Catalogs } from './read-withdrawal.ts';
import { requireAmount } from './resolve-amount.ts';
import type { Requester, WithdrawalIntent } from './withdrawal-intent.ts';

export interface WithdrawalDependencies extends WriteDependencies, Catalogs {
  quotas: WorkspaceQuotas;
  /** Whether a workspace without a policy of its own has that of production. */
  production: boolean;
}

export async function requestWithdrawal(
  dependencies: WithdrawalDependencies,
  request: FastifyRequest,
  walletId: string,
  read: () => Promise<WithdrawalIntent>,
): Promise<{ created: boolean; result: WithdrawalView }> {
  const { db, networks, production } = dependencies;
  const { key } = request.caller;
  const { workspaceId, userId: initiator } = key;
  const id = uuidv7();
  // Read before the transaction, which must not wait for a second connection; refused inside it, since a repeat is
  // answered whatever has changed since.
  const [intent] = await Promise.allSettled([Promise.resolve().then(read)]);
  const state = intent.status === 'fulfilled' ? await findNetworkState(db, intent.value.network.id) : undefined;
  const accepted = acceptWrite(dependencies, request, {
    id,
    target: walletId,
    make: async (tx, start) => {
      if (intent.status === 'rejected') throw intent.reason;
      const { network } = intent.value;
      await assertWalletMaySign(tx, workspaceId, walletId);
      assertHasNode(network, state);
      await assertAssetEnabled(tx, walletId, intent.value.asset);
      const from = await sendingAddress(tx, dependencies.seals, { workspaceId, walletId }, intent.value);
      const asked = { id, workspaceId, walletId, initiator, from };
      const { resolved, feeBound, feeHeld } = await resolveIntent(tx, walletId, intent.value, {
        state,
        cap: networks.feeCapOf(network),
        isTold: key.scopes.includes('balances:read'),
      });
      const decision = await decideWithdrawal(tx, asked, resolved, {
        feeBound,
        production,
        seals: dependencies.seals,
      });
      await dependencies.quotas.admitOperations(tx, workspaceId);
      const row = await insert(
        { tx, seals: dependencies.seals, key },
        { ...toRow({ ...asked, feeBound }, resolved), approvalsRequired: decision.required },
        resolved,
        feeHeld,
      );
      await insertUnknownMovements(tx, [{ operationId: id, workspaceId, walletId, unknown: decision.unknown }]);
      start({
        workflow: 'withdraw',
        workflowId: workflowIdOfRow(row),
        input: { withdrawalId: id, workspaceId, walletId, networkCode: network.internalCode },
      });
      await applyDecision(tx, dependencies.seals, row, decision);
      return requireView(tx, workspaceId, id);
    },
    find: (tx, earlierId) => requireView(tx, workspaceId, earlierId),
  });
  return accepted.catch(async (error: unknown) => {
    if (!(error instanceof LacksFunds)) throw error;
    // What there is can be read once the transaction has ended; whoever may not read balances is not told it this way.
    const isTold = key.scopes.includes('balances:read');
    const { intent: refused } = error;
    throw insufficientFunds(
      refused,
      isTold ? await readLedgerBalance(db, walletId, refused.asset.id, 'available') : undefined,
    );
  });
}

/** Less is available than what is asked for. */
class LacksFunds extends Error {
  readonly intent: WithdrawalIntent;

  constructor(intent: WithdrawalIntent) {
    super('less is available than what is asked for');
    this.intent = intent;
  }
}

/** What it may pay at most, and the amount as a number: from here on nothing else is judged, stored or approved. */
export async function resolveIntent(
  tx: Transaction,
  walletId: string,
  intent: WithdrawalIntent,
  { state, cap, isTold }: { state: NetworkStateRow; cap: FeeCap; isTold: boolean },
): Promise<{ resolved: WithdrawalIntent; feeBound: bigint; feeHeld: bigint }> {
  const { asset, feeAsset, network, amountRule, maxFee } = intent;
  if (amountRule === undefined)
    return { resolved: intent, feeBound: feeBoundOf(intent, freshFees(state), cap), feeHeld: 0n };
  // Without a quote the bound would be the cap of the network, which is far more than anybody means to leave.
  if (asset.id === feeAsset.id && maxFee === null) requireFees(network, state);
  const coins = network.addressType === 'btc' ? await countCoins(tx, walletId, asset.id) : 0;
  const feeBound = feeBoundOf(intent, freshFees(state), cap, coins);
  const available = await readLedgerBalance(tx, walletId, asset.id, 'available');
  const { amount, feeHeld } = requireAmount(intent, { available, feeBound, isTold });
  return { resolved: { ...intent, amount }, feeBound, feeHeld };
}

async function sendingAddress(
  tx: Transaction,
  seals: Seals,
  { workspaceId, walletId }: { workspaceId: string; walletId: string },
  { network, payee, amount, call, sender }: WithdrawalIntent,
): Promise<WalletAddressRow> {
  const wallet = requireFound(await findWallet(tx, workspaceId, walletId));
  const from = await receivingAddress(tx, seals, wallet, network);
  if (sender !== undefined && sender !== from.address)
    throw new ApiError(
      'invalid_address',
      `Who sends it (from) is not the address of this wallet on ${network.internalCode}, which is ${from.address}: ask for the wallet that has it.`,
    );
  // A call of nothing to oneself is how others use a nonce up.
  if (from.address === payee && (call === null || amount > 0n)) {
    const name = call === null ? 'recipient_address' : 'Who receives it';
    throw new ApiError('invalid_address', `${name} is the wallet's own address: nothing would be sent.`);
  }
  return from;
}

async function insert(
  { tx, seals, key }: { tx: Transaction; seals: Seals; key: UsableKey },
  withdrawal: Parameters<typeof insertWithdrawal>[2],
  intent: WithdrawalIntent,
  feeHeld: bigint,
): Promise<WithdrawalRow> {
  const row = await insertWithdrawal(tx, seals, withdrawal, feeHeld).catch((error: unknown) => {
    throw error instanceof InsufficientFunds ? new LacksFunds(intent) : error;
  });
  if (row !== undefined) return row;
  const { workspaceId, externalId } = withdrawal;
  const holder = await findWithdrawalNamed(tx, workspaceId, externalId ?? '');
  throw externalIdTaken(key, 'withdrawal', externalId ?? '', holder);
}

function insufficientFunds(
  { network, asset, amount, call }: WithdrawalIntent,
  available: bigint | undefined,
): ApiError {
  const write = call === null ? inUnits : inBaseUnits(network);
  const asked = write(asset, amount);
  // A reorg may have taken back what was spent already.
  const least = available === undefined || available > 0n ? available : 0n;
  return new ApiError(
    'insufficient_funds',
    least === undefined
      ? `The wallet has less than ${asked} available: ask for less, or pay in first.`
      : `The wallet has ${write(asset, least)} available, and ${asked} is asked for: ask for less, or pay in first.`,
  );
}

/** With the fee that it was judged by, and that it may pay at most. */
interface Judged extends Requester {
  feeBound: bigint;
}

const toRow = ({ id, workspaceId, walletId, initiator, from, feeBound }: Judged, intent: WithdrawalIntent) => ({
  id,
  workflowId: workflowIdOf('withdraw', id),
  workspaceId,
  walletId,
  assetId: intent.asset.id,
  networkId: intent.network.id,
  feeAssetId: intent.feeAsset.id,
  method: intent.call === null ? ('transfer' as const) : ('contract_call' as const),
  amountBaseUnits: intent.amount,
  decimals: intent.asset.decimals,
  fromAddress: from.address,
  derivationPath: from.derivationPath,
  recipientAddress: intent.recipient,
  call: intent.call,
  notes: intent.notes,
  feeLevel: intent.feeLevel,
  maxFeeBaseUnits: intent.maxFee,
  feeBoundBaseUnits: feeBound,
  externalId: intent.externalId,
  requestedBy: initiator,
});

async function requireView(tx: Transaction, workspaceId: string, id: string): Promise<WithdrawalView> {
  const row = await findWithdrawal(tx, workspaceId, id);
  if (row === undefined) throw new Error('a withdrawal that was stored is not there');
  return viewWithdrawal(tx, row);
}
