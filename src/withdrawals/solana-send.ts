// Reads a Solana transaction that a caller has written himself, and that is to be signed and sent here: a withdrawal of
// the one asset that it moves. Only its blockhash is the workers' to choose.
import { base58 } from '@scure/base';
import { readInstructions } from '../../domain/payloads/solana-instructions.ts';
import { requiredSigners } from '../../domain/payloads/solana-message.ts';
import type { AssetRow } from '../../drizzle/networks/assets.ts';
import type { NetworkRow } from '../../drizzle/networks/networks.ts';
import { ApiError } from '../http/errors.ts';
import { orInvalidRequest } from '../http/payload-fields.ts';
import type { Movement } from '../policies/facts.ts';
import { readFee } from '../policies/read-fee.ts';
import { readSolanaMessage } from '../policies/solana-calls.ts';
import { assertAmountAtMost } from './amount-limits.ts';
import { inBaseUnits } from './amounts-in-errors.ts';
import { type Catalogs, requireFeeAsset } from './read-withdrawal.ts';
import type { WithdrawalIntent } from './withdrawal-intent.ts';

interface Asked {
  network: NetworkRow;
  /** The message of the transaction. */
  message: Uint8Array;
  notes: string | null;
  externalId: string | null;
}

export async function readSolanaSend(
  catalogs: Catalogs,
  { network, message, notes, externalId }: Asked,
): Promise<WithdrawalIntent> {
  const sender = onlySigner(message);
  const data = `0x${Buffer.from(message).toString('hex')}`;
  const bound = readFee({ kind: 'solana_transaction', hex: data });
  catalogs.networks.assertFeeWithinCap(network, bound, 'The transaction');
  if (bound.feeBaseUnits === undefined)
    throw new ApiError('invalid_request', 'What its compute budget sets cannot be read, so its fee is not known.');
  const feeAsset = await requireFeeAsset(catalogs, network);
  const { movements } = readSolanaMessage(message);
  const moved = await readMoved(catalogs, feeAsset, movements);
  assertAmountAtMost(moved.asset, moved.amount, 'What the transaction moves', inBaseUnits(network));
  const [movement, another] = movements;
  const paid = another === undefined ? (movement?.destination ?? movement?.tokenAccount) : undefined;
  const recipient = paid ?? firstProgram(message) ?? sender;
  return {
    ...moved,
    network,
    feeAsset,
    recipient,
    payee: recipient,
    call: { data },
    ownFee: bound.feeBaseUnits,
    notes,
    feeLevel: 'medium',
    maxFee: null,
    externalId,
    sender,
  };
}

/** With others the blockhash could not be another, which their signatures are of. */
function onlySigner(message: Uint8Array): string {
  const [payer, ...others] = orInvalidRequest(() => requiredSigners(message));
  if (payer !== undefined && others.length === 0) return base58.encode(payer);
  throw new ApiError(
    'invalid_request',
    'The transaction needs other signatures than the wallet’s: have it signed with meta.tx_method solana_signTransaction, and send it yourself.',
  );
}

/**
 * What is held and booked: the SOL that it moves, or the token of the catalogue. Several of these at once would be
 * counted and booked in part, and are refused.
 */
async function readMoved(
  { assets }: Catalogs,
  native: AssetRow,
  movements: readonly Movement[],
): Promise<Pick<WithdrawalIntent, 'asset' | 'amount'>> {
  const tokens = await assets.list({ networkId: native.networkId, isNative: false });
  const byContract = new Map(tokens.map(({ asset }) => [asset.contractAddress, asset]));
  const sums = new Map<AssetRow, bigint>();
  for (const { asset, amountBaseUnits } of movements) {
    if (asset === undefined || !('contract' in asset)) continue;
    const known = asset.contract === null ? native : byContract.get(asset.contract);
    if (known !== undefined) sums.set(known, (sums.get(known) ?? 0n) + (amountBaseUnits ?? 0n));
  }
  const [first, second] = sums;
  if (second !== undefined)
    throw new ApiError(
      'invalid_request',
      'The transaction moves several assets, of which a withdrawal has one: send one transaction for each, or have it signed with meta.tx_method solana_signTransaction.',
    );
  return first === undefined ? { asset: native, amount: 0n } : { asset: first[0], amount: first[1] };
}

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';

const firstProgram = (message: Uint8Array) =>
  readInstructions(message).find(({ program }) => program !== COMPUTE_BUDGET)?.program;
