// Reads a transaction that a caller has written itself, and that is to be signed and broadcast here: a withdrawal of
// the value that it carries. What it leaves open (nonce, gas, prices) the workers fill in.

import type { FeeBound } from '../../domain/withdrawals/fee-caps.ts';
import type { StoredCall } from '../../domain/withdrawals/stored-call.ts';
import type { AssetRow } from '../../drizzle/networks/assets.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { assertEvm, chooseNetwork } from '../catalog/choose-network.ts';
import { requireAddress } from '../catalog/require-address.ts';
import { ApiError } from '../http/errors.ts';
import { assertFits, type Hex, sizeOf } from '../http/payload-fields.ts';
import { readEvmCall } from '../policies/evm-calls.ts';
import { assertAmountAtMost } from './amount-limits.ts';
import { inBaseUnits } from './amounts-in-errors.ts';
import type { ContractCallBody } from './contract-call.schema.ts';
import { type Catalogs, readMaxFee, requireFeeAsset } from './read-withdrawal.ts';
import type { WithdrawalIntent } from './withdrawal-intent.ts';

type CallBody = ContractCallBody['transaction'];
type Quantity = CallBody['chainId'];

/**
 * What every transaction takes, and each byte, access-list address and storage key more (Yellow Paper, appendix G;
 * EIP-2028, EIP-2930).
 */
const BASE_GAS = 21_000n;
const [ZERO_BYTE_GAS, BYTE_GAS, ADDRESS_GAS, STORAGE_KEY_GAS] = [4n, 16n, 2_400n, 1_900n];
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
  const recipient = requireAddress(network, 'to', transaction.to);
  const call = toStoredCall(network, transaction);
  catalogs.networks.assertFeeWithinCap(network, boundOf(call), 'The transaction');
  const moved = await readMoved(catalogs, native, {
    to: recipient,
    value: BigInt(transaction.value ?? 0),
    data: call.data as Hex,
  });
  const name = moved.asset.isNative ? 'value' : 'What data transfers';
  assertAmountAtMost(moved.asset, moved.amount, name, inBaseUnits(network));
  return {
    ...moved,
    network,
    feeAsset: native,
    recipient,
    call,
    notes: body.notes ?? null,
    feeLevel: body.fee_level ?? 'medium',
    maxFee: readMaxFee(native, body.max_fee),
    externalId: body.external_id ?? null,
  };
}

/** What is held and booked: the value, or the token that the call is a plain transfer of, when the catalogue has it. */
async function readMoved(
  { assets }: Catalogs,
  native: AssetRow,
  call: { to: string; value: bigint; data: Hex },
): Promise<Pick<WithdrawalIntent, 'asset' | 'amount' | 'payee'>> {
  const moved = tokenTransferOf(call);
  if (moved !== undefined) {
    const { contract, ...transfer } = moved;
    const tokens = await assets.list({ networkId: native.networkId, isNative: false });
    const token = tokens.find(({ asset }) => asset.isWhitelisted && asset.contractAddress === contract);
    if (token !== undefined) return { asset: token.asset, ...transfer };
  }
  return { asset: native, amount: call.value, payee: call.to };
}

/** A call that moves a token and does nothing else. */
function tokenTransferOf(call: { to: string; value: bigint; data: Hex }) {
  const { movements, call: read } = readEvmCall(call);
  const [movement] = movements;
  if (read.kind !== 'transfer' || movement?.asset === undefined || !('contract' in movement.asset)) return undefined;
  const { contract } = movement.asset;
  const { amountBaseUnits: amount, destination: payee } = movement;
  return contract === null || amount === undefined || payee === undefined ? undefined : { contract, amount, payee };
}

function toStoredCall(network: NetworkRow, transaction: CallBody): StoredCall {
  const { data = '0x', nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, accessList } = transaction;
  assertFits('data', sizeOf(data as Hex));
  const prices = {
    ...text('gasLimit', gasLimit, GAS_MAX),
    ...text('maxFeePerGas', maxFeePerGas, WEI_PER_GAS_MAX),
    ...text('maxPriorityFeePerGas', maxPriorityFeePerGas, WEI_PER_GAS_MAX),
  };
  assertGasCovers(transaction, prices.gasLimit);
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

/** What its own fields let it pay; what they leave open is bounded when the workers quote it. */
function boundOf({ gasLimit, maxFeePerGas, maxPriorityFeePerGas }: StoredCall): FeeBound {
  const text = maxFeePerGas ?? maxPriorityFeePerGas;
  const price = text === undefined ? undefined : BigInt(text);
  const feeBaseUnits = gasLimit === undefined || price === undefined ? undefined : BigInt(gasLimit) * price;
  return { price, feeBaseUnits };
}

/** With less no node ever takes it, and its nonce would hold up all that come after it. */
function assertGasCovers({ data = '0x', accessList = [] }: CallBody, gasLimit: string | undefined): void {
  if (gasLimit === undefined) return;
  const bytes = Buffer.from(data.slice(2), 'hex');
  const zeros = BigInt(bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0));
  const keys = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
  const least =
    BASE_GAS +
    ZERO_BYTE_GAS * zeros +
    BYTE_GAS * (BigInt(bytes.length) - zeros) +
    ADDRESS_GAS * BigInt(accessList.length) +
    STORAGE_KEY_GAS * BigInt(keys);
  if (BigInt(gasLimit) < least)
    throw new ApiError(
      'invalid_request',
      `gasLimit must be at least ${least}: the transaction takes that before it does anything.`,
    );
}

const readEntry = (network: NetworkRow, { address, storageKeys }: { address: string; storageKeys: string[] }) => ({
  address: requireAddress(network, 'accessList.address', address),
  storageKeys: storageKeys.map((key) => key.toLowerCase()),
});

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
