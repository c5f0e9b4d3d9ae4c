// Explains what the policy would make of an operation, with every rule that was looked at. Stores nothing and starts
// nothing.
import { scopesAllow } from '../../domain/scopes.ts';
import type { Transaction } from '../../drizzle/database/connection.ts';
import { findNetworkState, type NetworkStateRow } from '../../drizzle/networks/network-states.ts';
import { findWallet } from '../../drizzle/wallets/wallet-queries.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import type { AssetCatalog } from '../catalog/assets.ts';
import { assertHasNode, freshFees } from '../catalog/require-node.ts';
import { ApiError } from '../http/errors.ts';
import { assertDocument } from '../policies/assert-document.ts';
import { type Explanation, explain } from '../policies/decide.ts';
import type { PolicyIntent } from '../policies/facts.ts';
import { signingIntent } from '../policies/signing-intent.ts';
import { readByType } from '../signing-requests/request-batch.ts';
import type { SigningDependencies } from '../signing-requests/request-signature.ts';
import { requireFound } from '../wallets/require-wallet.ts';
import { feeBoundOf } from '../withdrawals/expected-fee.ts';
import { readWithdrawal } from '../withdrawals/read-withdrawal.ts';
import { resolveIntent } from '../withdrawals/request-withdrawal.ts';
import type { WithdrawalIntent } from '../withdrawals/withdrawal-intent.ts';
import type { SimulateBody } from './simulate.schema.ts';

export type SimulateDependencies = SigningDependencies & { assets: AssetCatalog };

export async function simulate(
  dependencies: SimulateDependencies,
  key: UsableKey,
  body: SimulateBody,
): Promise<Explanation> {
  const read = await readIntent(dependencies, key, body);
  return dependencies.db.transaction(async (tx) => {
    if (body.document !== undefined) await assertDocument(tx, key.workspaceId, body.document);
    const intent = 'asked' in read ? await withdrawalIntent(tx, dependencies, key, read) : read;
    return explain(tx, dependencies.seals, intent, body.document);
  });
}

/** A withdrawal that was read, and of which `max` may not be a number yet. */
interface ReadWithdrawal {
  asked: Pick<PolicyIntent, 'workspaceId' | 'walletId' | 'initiator' | 'production'>;
  withdrawal: WithdrawalIntent;
  state: NetworkStateRow | undefined;
}

async function readIntent(
  dependencies: SimulateDependencies,
  key: UsableKey,
  { withdrawal, signing, initiator = key.userId }: SimulateBody,
): Promise<PolicyIntent | ReadWithdrawal> {
  if ((withdrawal === undefined) === (signing === undefined))
    throw new ApiError('invalid_request', 'Send one of withdrawal and signing.');
  const walletId = (withdrawal ?? signing)?.wallet_id.toLowerCase() ?? '';
  assertWalletAllowed(key, walletId);
  const asked = { workspaceId: key.workspaceId, walletId, initiator, production: dependencies.production };
  if (withdrawal !== undefined) {
    const { wallet_id: _, ...request } = withdrawal;
    const intent = await readWithdrawal(dependencies, request);
    return { asked, withdrawal: intent, state: await findNetworkState(dependencies.db, intent.network.id) };
  }
  if (signing === undefined) throw new Error('nothing is to be simulated');
  const { validOn, content } = await readByType(
    { ...dependencies, workspaceId: key.workspaceId, walletId },
    signing.item,
  );
  return signingIntent(asked, validOn, content.payload);
}

/** As a withdrawal is judged: by the number that its amount comes to, and by what its fee may take. */
async function withdrawalIntent(
  tx: Transaction,
  { networks }: SimulateDependencies,
  key: UsableKey,
  { asked, withdrawal, state }: ReadWithdrawal,
): Promise<PolicyIntent> {
  const { network, asset, recipient, amountRule } = withdrawal;
  const cap = networks.feeCapOf(network);
  const judged = {
    ...asked,
    operation: 'withdrawal' as const,
    networks: [{ id: network.id, code: network.internalCode }] as const,
    method: 'transfer' as const,
    unknown: [],
  };
  const movedBy = (amountBaseUnits: bigint) => [{ asset: { id: asset.id }, amountBaseUnits, destination: recipient }];
  if (amountRule === undefined) {
    const fees = state === undefined ? null : freshFees(state);
    return { ...judged, movements: movedBy(withdrawal.amount), fee: feeBoundOf(withdrawal, fees, cap) };
  }
  // The number tells what the wallet has.
  if (!scopesAllow(key.scopes, 'balances:read'))
    throw new ApiError(
      'insufficient_scope',
      'This key lacks the scope balances:read, which max and subtract_fee take.',
    );
  requireFound(await findWallet(tx, asked.workspaceId, asked.walletId));
  assertHasNode(network, state);
  const { resolved, feeBound } = await resolveIntent(tx, asked.walletId, withdrawal, { state, cap, isTold: true });
  return { ...judged, movements: movedBy(resolved.amount), fee: feeBound };
}
