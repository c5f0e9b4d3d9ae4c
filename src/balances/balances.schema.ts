// The wire shapes of balances.
import Type from 'typebox';
import { assetId, networkId } from '../catalog/catalog.schema.ts';
import { commaList, listQuery } from '../http/paging.ts';
import { walletId } from '../wallets/wallets.schema.ts';

const amount = (description: string) => Type.String({ description, examples: ['1.5'] });

export const balance = Type.Object(
  {
    wallet_id: walletId,
    asset_id: assetId,
    network_id: networkId,
    symbol: Type.String({ examples: ['ETH'] }),
    total: amount("Decimal number in the asset's unit: `available` and `held` together."),
    available: amount(
      'What a withdrawal can take. Below zero where the chain took back a deposit that was spent already, or took more than was known to be there.',
    ),
    held: amount('For withdrawals under way and their fees.'),
    pending_in: amount('Seen on the chain and not final yet; not part of `total`.'),
    pending_out: amount(
      'What transactions that were signed for a caller, who broadcasts them himself, may take at most, fees included, and as far as it is known. Still part of `available`: nobody knows whether he does. It goes when a block has them, which takes what they moved from `available`, or when they can land no more.',
    ),
    as_of_block: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The newest block whose movements are in it; null while no node of the network is read.',
    }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Balance' },
);

const { limit, cursor } = listQuery({}).properties;
const properties = {
  limit,
  cursor,
  asset_id: commaList(assetId, 'Only of these assets.'),
  network_id: commaList(networkId, 'Only on these networks.'),
};

export const walletBalancesQuery = Type.Object(properties, { additionalProperties: false, explode: false });

export const balancesQuery = Type.Object(
  { ...properties, wallet_id: commaList(walletId, 'Only of these wallets.') },
  { additionalProperties: false, explode: false },
);
