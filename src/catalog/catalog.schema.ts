// The wire shapes of the catalogue.
import Type from 'typebox';
import { addressTypes } from '../../domain/wallets/address-types.ts';
import { assetTypes } from '../../drizzle/networks/assets.ts';
import { sliceProperties } from '../http/paging.ts';

export const networkId = Type.String({
  format: 'uuid',
  description: 'Network id.',
  examples: ['6e657477-6f72-4000-8000-000000000004'],
});
export const assetId = Type.String({
  format: 'uuid',
  description: 'Catalogue id of an asset; not a contract address.',
  examples: ['bfc0a64b-e218-5deb-9c64-4125afa39d1a'],
});

const logoUrl = Type.String({
  description: 'Path of the logo under the base address of the service; empty when there is none.',
  examples: ['/logos/eth.svg'],
});

export const network = Type.Object(
  {
    id: networkId,
    name: Type.String({ examples: ['Ethereum'] }),
    native_currency: Type.String({ examples: ['ETH'] }),
    internal_code: Type.String({ examples: ['ETHEREUM_MAINNET'] }),
    logo_url: logoUrl,
    is_evm: Type.Boolean(),
    is_testnet: Type.Boolean(),
    disabled: Type.Boolean({ description: 'The deployment does not use this network: nothing is signed for it.' }),
    chain_id: Type.Union([Type.Integer(), Type.Null()], { description: 'EIP-155 id; null when it is no EVM chain.' }),
    confirmation_blocks: Type.Integer(),
    capabilities: Type.Object(
      { sign: Type.Boolean(), deposit: Type.Boolean(), withdraw: Type.Boolean() },
      {
        title: 'NetworkCapabilities',
        description:
          'What this deployment does on it now. Signing needs no node. What arrives is seen, and withdrawals are sent, only by a node that an operator has connected, and not at all where the service has no adapter of the chain (Tron).',
      },
    ),
  },
  { title: 'Network' },
);

export const asset = Type.Object(
  {
    id: assetId,
    name: Type.String({ examples: ['USD Coin'] }),
    symbol: Type.String({ examples: ['USDC'] }),
    address: Type.String({ description: 'The same as `contract_address`.' }),
    contract_address: Type.String({
      description: 'EIP-55 on EVM chains, the mint on Solana; empty for a native asset.',
    }),
    asset_type: Type.Enum([...assetTypes]),
    address_type: Type.Enum([...addressTypes], { description: 'Chain family of the addresses that receive it.' }),
    network_id: networkId,
    logo_url: logoUrl,
    decimals: Type.Integer(),
    is_native: Type.Boolean(),
    is_whitelisted: Type.Boolean(),
    network,
    price_usd: Type.Union([Type.String(), Type.Null()], {
      description: 'Decimal string, for display only; null when the deployment has no price, and on test networks.',
    }),
  },
  { title: 'Asset' },
);

export const assetQuery = Type.Object(
  {
    symbol: Type.Optional(Type.String({ minLength: 1, maxLength: 50, description: 'The whole symbol, in any case.' })),
    network_id: Type.Optional(networkId),
    is_native: Type.Optional(Type.Boolean()),
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Part of the name or of the symbol, in any case.' }),
    ),
    ...sliceProperties,
  },
  { additionalProperties: false },
);

export const networkQuery = Type.Object(
  {
    is_testnet: Type.Optional(Type.Boolean({ description: 'Only test networks, or only others.' })),
    ...sliceProperties,
  },
  { additionalProperties: false },
);
