// The wire shapes of what the workers know of a network now.
import Type from 'typebox';
import { shortTexts } from '../http/maps.schema.ts';
import { networkId } from './catalog.schema.ts';

const levelFee = Type.Object(
  {
    max_fee: Type.String({
      description: 'What a plain transfer of the native currency costs at most, in that currency.',
      examples: ['0.000042'],
    }),
    parameters: shortTexts(
      "The chain's own numbers behind it, for example `gasLimit` and `maxFeePerGas` (wei), `microLamportsPerUnit`, or `rate` (satoshis per virtual byte).",
    ),
  },
  { title: 'NetworkFee' },
);

export const networkFees = Type.Object(
  {
    network_id: networkId,
    fee_asset_id: Type.String({ format: 'uuid', description: 'The native asset, in which fees are paid.' }),
    low: levelFee,
    medium: levelFee,
    high: levelFee,
    quoted_at: Type.String({ format: 'date-time', description: 'When the node was asked.' }),
  },
  { title: 'NetworkFees' },
);

/** What is asked for, and what the answer repeats. */
export const rescan = Type.Object(
  {
    tx_hash: Type.String({
      minLength: 1,
      maxLength: 128,
      description: "As the network's explorers show it: 64 hex digits, after `0x` on EVM networks; base58 on Solana.",
    }),
    network_id: networkId,
  },
  {
    title: 'TransactionRescan',
    additionalProperties: false,
    examples: [{ tx_hash: `0x${'5a'.repeat(32)}`, network_id: '6e657477-6f72-4000-8000-000000000001' }],
  },
);
