// Reads a transaction as ethers has it: a contract call without an envelope, of the wallet's own address.
import { chooseOnlyNetwork } from '../catalog/choose-network.ts';
import { requireFamilyAddress } from '../catalog/require-address.ts';
import { ApiError } from '../http/errors.ts';
import { readContractCall } from './contract-call.ts';
import { type EvmSendBody, withoutNulls } from './evm-send.schema.ts';
import type { Catalogs } from './read-withdrawal.ts';
import type { WithdrawalIntent } from './withdrawal-intent.ts';

export async function readEvmSend(catalogs: Catalogs, body: EvmSendBody): Promise<WithdrawalIntent> {
  const { from, to, chainId, external_id, ...rest } = withoutNulls(body);
  if (to === undefined)
    throw new ApiError(
      'invalid_request',
      'body.to is missing: contracts are not created this way, so name a recipient.',
    );
  const chain = chainId ?? (await chooseOnlyNetwork(catalogs.networks, 'evm', 'chainId')).chainId;
  if (chain === null) throw new Error('an EVM network of the catalogue has no chain id');
  const intent = await readContractCall(catalogs, {
    transaction: { ...rest, to, chainId: chain },
    ...(external_id === undefined ? {} : { external_id }),
  });
  return from === undefined ? intent : { ...intent, sender: requireFamilyAddress('evm', 'body.from', from) };
}
