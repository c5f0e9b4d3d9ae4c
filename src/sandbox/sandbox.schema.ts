// The wire shapes of what only the sandbox has.
import Type from 'typebox';
import { workflowIdOf } from '../../domain/workflow-ids.ts';
import { assetId, networkId } from '../catalog/catalog.schema.ts';
import { walletId } from '../wallets/wallets.schema.ts';

export const faucetBody = Type.Object(
  {
    wallet_id: walletId,
    asset_id: assetId,
    amount: Type.String({
      maxLength: 79,
      pattern: '^(0|[1-9][0-9]*)(\\.[0-9]+)?$',
      description: "In the asset's unit: at most 100 ETH, 1000 SOL, 10 BTC or 1000000 USDC.",
    }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        wallet_id: '01890000-0000-7000-8000-000000000000',
        asset_id: '2b982c13-41a5-5942-8eaf-8e1bb1c5168b',
        amount: '1.5',
      },
    ],
  },
);

export const faucetPayment = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: `Its workflow in Temporal is \`${workflowIdOf('fundFromFaucet', '{id}')}\`.`,
    }),
    wallet_id: walletId,
    asset_id: assetId,
    amount: Type.String(),
    address: Type.String({ description: "The wallet's address, which is paid." }),
  },
  { title: 'FaucetPayment' },
);

export const mineBody = Type.Object(
  { network_id: networkId, blocks: Type.Integer({ minimum: 1, maximum: 100 }) },
  { additionalProperties: false, examples: [{ network_id: '6e657477-6f72-4000-8000-000000000001', blocks: 3 }] },
);

export const mining = Type.Object(
  {
    id: Type.String({
      format: 'uuid',
      description: `Its workflow in Temporal is \`${workflowIdOf('mineBlocks', '{id}')}\`.`,
    }),
    network_id: networkId,
    blocks: Type.Integer(),
  },
  { title: 'Mining' },
);
