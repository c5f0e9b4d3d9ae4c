// Reads a transaction that a caller has written itself, and that is to be signed and broadcast here: a withdrawal of the value that it carries. What it leaves
// open (nonce, gas, prices) the workers fill in.
import { bitcoinNetworkOf } from '../../drizzle/bitcoin-networks.ts';
import type { NetworkRow } from '../../drizzle/networks.ts';
import { canonicalAddress } from '../../payloads/canonical-address.ts';
import { ApiError } from '../http/errors.ts';
import { assertEvm, chooseNetwork } from '../signing-requests/choose-network.ts';
import { assertFits, type Hex, sizeOf } from '../signing-requests/signing-content.ts';
import { assertAmountAtMost } from './amount-limits.ts';
import type { ContractCallBody } from './contract-call.schema.ts';
import { type Catalogs, readMaxFee, requireFeeAsset } from './read-withdrawal.ts';
import type { StoredCall, WithdrawalIntent } from './withdrawal-intent.ts';

type CallBody = ContractCallBody['transaction'];
type Quantity = CallBody['chainId'];

/** Beyond what any chain takes: they catch amounts in the wrong unit (control A6). */
const GAS_MAX = 1_000_000_000n;
const WEI_PER_GAS_MAX = 10n ** 14n;

export async function readContractCall(catalogs: Catalogs, body: ContractCallBody): Promise<WithdrawalIntent> {
  const { transaction, network_internal_code: code } = body;
  const chainId = readQuantity('chainId', transaction.chainId, BigInt(Number.MAX_SAFE_INTEGER));
  const network = await chooseNetwork(catalogs.networks, {
    chain_id: Number(chainId),
    ...(code === undefined ? {} : { network_internal_code: code }),
  });
  assertEvm(network, 'A transaction object');
  const native = await requireFeeAsset(catalogs, network);
  const amount = BigInt(transaction.value ?? 0);
  assertAmountAtMost(native, amount);
  return {
    network,
    asset: native,
    feeAsset: native,
    amount,
    recipient: requireAddress(network, 'to', transaction.to),
    call: toStoredCall(network, transaction),
    notes: body.notes ?? null,
    feeLevel: body.fee_level ?? 'medium',
    maxFee: readMaxFee(native, body.max_fee),
    externalId: body.external_id ?? null,
  };
}

function toStoredCall(network: NetworkRow, transaction: CallBody): StoredCall {
  const { data = '0x', nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, accessList } = transaction;
  assertFits('data', sizeOf(data as Hex));
  const prices = {
    ...text('gasLimit', gasLimit, GAS_MAX),
    ...text('maxFeePerGas', maxFeePerGas, WEI_PER_GAS_MAX),
    ...text('maxPriorityFeePerGas', maxPriorityFeePerGas, WEI_PER_GAS_MAX),
  };
  const { maxFeePerGas: most, maxPriorityFeePerGas: tip } = prices;
  if (most !== undefined && tip !== undefined && BigInt(tip) > BigInt(most))
    throw new ApiError('invalid_request', 'maxPriorityFeePerGas must be at most maxFeePerGas.');
  return {
    data: data.toLowerCase(),
    ...prices,
    ...(nonce === undefined ? {} : { nonce: Number(readQuantity('nonce', nonce, BigInt(Number.MAX_SAFE_INTEGER))) }),
    ...(accessList === undefined ? {} : { accessList: accessList.map((entry) => readEntry(network, entry)) }),
  };
}

const readEntry = (network: NetworkRow, { address, storageKeys }: { address: string; storageKeys: string[] }) => ({
  address: requireAddress(network, 'accessList.address', address),
  storageKeys: storageKeys.map((key) => key.toLowerCase()),
});

function requireAddress(network: NetworkRow, name: string, text: string): string {
  const address = canonicalAddress(network.addressType, text, bitcoinNetworkOf(network.internalCode));
  if (address !== undefined) return address;
  throw new ApiError('invalid_address', `${name} is no address on ${network.internalCode}, or its checksum is wrong.`);
}

function text<Name extends string>(name: Name, quantity: Quantity | undefined, most: bigint) {
  return (quantity === undefined ? {} : { [name]: readQuantity(name, quantity, most).toString() }) as {
    [key in Name]?: string;
  };
}

function readQuantity(name: string, quantity: Quantity, most: bigint): bigint {
  const value = BigInt(quantity);
  if (value > most) throw new ApiError('invalid_request', `${name} must be at most ${most}: check its unit.`);
  return value;
}
