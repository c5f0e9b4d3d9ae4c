// The networks on which a signature may be valid, whatever network was named: what is signed says it, or any of its
// kind may be meant. Refuses bytes that say another chain than the named one.

import { readEvmBytes } from '../../domain/payloads/evm-transaction.ts';
import type { SigningContent } from '../../domain/signing/signing-content.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { ApiError } from '../http/errors.ts';
import type { Hex } from '../http/payload-fields.ts';
import { chainOf } from '../policies/chain-of.ts';

/** The named network first, then every other that is enabled here. */
export const validNetworks = async (networks: NetworkCatalog, named: NetworkRow, payload: SigningContent['payload']) =>
  validAmong(await networks.list(), named, payload);

export function validAmong(
  networks: readonly NetworkRow[],
  named: NetworkRow,
  payload: SigningContent['payload'],
): [NetworkRow, ...NetworkRow[]] {
  const { family, chainId } = chainOf(payload);
  const isValid = (row: NetworkRow) =>
    row.curve === named.curve &&
    (family === undefined || (family === 'evm' ? row.isEvm : row.addressType === family)) &&
    (chainId === undefined || row.chainId === chainId);
  return [named, ...networks.filter((row) => row.id !== named.id && !row.disabled && isValid(row))];
}

/** Of a transaction that can be read; what cannot be read says nothing. */
export function assertOwnChain(network: NetworkRow, unsignedTx: Hex): void {
  const transaction = readEvmBytes(unsignedTx);
  if (transaction === undefined) return;
  const { chainId } = transaction;
  if (network.isEvm && chainId !== undefined && chainId === network.chainId) return;
  const said = chainId === undefined ? 'no chain in particular' : `chain ${chainId}`;
  const own = network.isEvm ? `chain ${network.chainId}` : 'no EVM network';
  throw new ApiError('invalid_request', `unsigned_tx is for ${said}, and ${network.internalCode} is ${own}.`);
}
