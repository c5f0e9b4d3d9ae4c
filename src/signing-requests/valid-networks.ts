// The networks on which a signature may be valid, whatever network was named: what is signed says it, or any of its kind may be meant. Refuses bytes that say
// another chain than the named one.
import type { NetworkRow } from '../../drizzle/networks.ts';
import { readEvmBytes } from '../../payloads/evm-transaction.ts';
import type { NetworkCatalog } from '../catalog/networks.ts';
import { ApiError } from '../http/errors.ts';
import type { Hex, SigningContent } from './signing-content.ts';

/** The named network first, then every other that is enabled here. */
export async function validNetworks(
  networks: NetworkCatalog,
  named: NetworkRow,
  payload: SigningContent['payload'],
): Promise<[NetworkRow, ...NetworkRow[]]> {
  const isValid = validityOf(payload, named);
  const others = (await networks.list()).filter((row) => row.id !== named.id && !row.disabled && isValid(row));
  return [named, ...others];
}

function validityOf(payload: SigningContent['payload'], named: NetworkRow): (network: NetworkRow) => boolean {
  switch (payload.kind) {
    case 'evm_transaction':
      return onChain(readEvmBytes(payload.hex as Hex)?.chainId);
    case 'evm_typed_data': {
      const { chainId } = payload.typedData.domain as { chainId?: string };
      return onChain(chainId === undefined ? undefined : Number(chainId));
    }
    case 'evm_message':
      return onChain(undefined);
    case 'solana_transaction':
    case 'bitcoin_input':
      return ({ addressType }) => addressType === named.addressType;
    case 'raw_digest':
      return ({ curve }) => curve === named.curve;
  }
}

/** Without a chain: any EVM network. */
const onChain =
  (chainId: number | undefined) =>
  (network: NetworkRow): boolean =>
    network.isEvm && (chainId === undefined || network.chainId === chainId);

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
