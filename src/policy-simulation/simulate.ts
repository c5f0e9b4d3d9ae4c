// Explains what the policy would make of an operation, with every rule that was looked at. Stores nothing and starts
// nothing.
import { findNetworkState } from '../../drizzle/networks/network-states.ts';
import { assertWalletAllowed } from '../authentication/authenticate.ts';
import type { UsableKey } from '../authentication/key-ring.ts';
import type { AssetCatalog } from '../catalog/assets.ts';
import { freshFees } from '../catalog/require-node.ts';
import { ApiError } from '../http/errors.ts';
import { assertDocument } from '../policies/assert-document.ts';
import { type Explanation, explain } from '../policies/decide.ts';
import type { PolicyIntent } from '../policies/facts.ts';
import { signingIntent } from '../policies/signing-intent.ts';
import { readByType } from '../signing-requests/request-batch.ts';
import type { SigningDependencies } from '../signing-requests/request-signature.ts';
import { feeBoundOf } from '../withdrawals/expected-fee.ts';
import { readWithdrawal } from '../withdrawals/read-withdrawal.ts';
import type { SimulateBody } from './simulate.schema.ts';

export type SimulateDependencies = SigningDependencies & { assets: AssetCatalog };

export async function simulate(
  dependencies: SimulateDependencies,
  key: UsableKey,
  body: SimulateBody,
): Promise<Explanation> {
  const intent = await readIntent(dependencies, key, body);
  return dependencies.db.transaction(async (tx) => {
    if (body.document !== undefined) await assertDocument(tx, key.workspaceId, body.document);
    return explain(tx, dependencies.seals, intent, body.document);
  });
}

async function readIntent(
  dependencies: SimulateDependencies,
  key: UsableKey,
  { withdrawal, signing, initiator = key.userId }: SimulateBody,
): Promise<PolicyIntent> {
  if ((withdrawal === undefined) === (signing === undefined))
    throw new ApiError('invalid_request', 'Send one of withdrawal and signing.');
  const walletId = (withdrawal ?? signing)?.wallet_id.toLowerCase() ?? '';
  assertWalletAllowed(key, walletId);
  const asked = { workspaceId: key.workspaceId, walletId, initiator, production: dependencies.production };
  if (withdrawal !== undefined) {
    const { wallet_id: _, ...request } = withdrawal;
    const intent = await readWithdrawal(dependencies, request);
    const { network, asset, amount, recipient } = intent;
    const state = await findNetworkState(dependencies.db, network.id);
    const fees = state === undefined ? null : freshFees(state);
    return {
      ...asked,
      operation: 'withdrawal',
      networks: [{ id: network.id, code: network.internalCode }],
      method: 'transfer',
      movements: [{ asset: { id: asset.id }, amountBaseUnits: amount, destination: recipient }],
      unknown: [],
      fee: feeBoundOf(intent, fees, dependencies.networks.feeCapOf(network)),
    };
  }
  if (signing === undefined) throw new Error('nothing is to be simulated');
  const { validOn, content } = await readByType(
    { ...dependencies, workspaceId: key.workspaceId, walletId },
    signing.item,
  );
  return signingIntent(asked, validOn, content.payload);
}
