// The wire shapes of wallets.
import Type, { type Static } from 'typebox';
import { walletAssetStatuses, walletStatuses } from '../../domain/statuses.ts';
import { type AddressType, addressTypes } from '../../domain/wallets/address-types.ts';
import {
  METADATA_NAME_LENGTH_MAX,
  METADATA_NAMES_MAX,
  METADATA_VALUE_LENGTH_MAX,
} from '../../domain/wallets/wallet-metadata.ts';
import { walletPurposes } from '../../domain/wallets/wallet-purposes.ts';
import { walletTypes } from '../../domain/wallets/wallet-types.ts';
import { asset, assetId, networkId } from '../catalog/catalog.schema.ts';
import { externalId, externalIdFilter } from '../http/external-id.schema.ts';
import { shortTexts } from '../http/maps.schema.ts';
import { addressFilter, commaList, listQuery } from '../http/paging.ts';

export const walletId = Type.String({ format: 'uuid', description: 'Wallet id.' });

export const walletParams = Type.Object({ wallet_id: walletId });

const walletPurpose = Type.Enum([...walletPurposes], {
  description: 'What it is for. It changes nothing about what the wallet can do; policies do that.',
});

const metadata = shortTexts(
  `What you keep with it: at most ${METADATA_NAMES_MAX} texts of at most ${METADATA_VALUE_LENGTH_MAX} characters, by names of at most ${METADATA_NAME_LENGTH_MAX} letters, digits, \`_\`, \`.\` and \`-\`. Nothing here decides by it.`,
);

export const createWalletBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    wallet_type: Type.Enum([...walletTypes]),
    wallet_purpose: Type.Optional(walletPurpose),
    external_id: externalId('wallet'),
    metadata: Type.Optional(metadata),
  },
  { additionalProperties: false, examples: [{ name: 'Treasury', wallet_type: 'mpc' }] },
);

export const changeWalletBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    wallet_purpose: Type.Optional(Type.Union([walletPurpose, Type.Null()], { description: 'null takes it away.' })),
    metadata: Type.Optional(metadata),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ name: 'Treasury 2' }] },
);

export const attachAssetBody = Type.Object(
  { asset_id: assetId },
  { additionalProperties: false, examples: [{ asset_id: 'bfc0a64b-e218-5deb-9c64-4125afa39d1a' }] },
);

export const changeAssetBody = Type.Object(
  { status: Type.Enum(['active', 'disabled'], { description: 'Whether the wallet uses the asset.' }) },
  { additionalProperties: false, examples: [{ status: 'disabled' }] },
);

export const walletAssetParams = Type.Object({ wallet_id: walletId, asset_id: assetId });

/** What the request for a wallet answers, and what follows it. */
export const walletCreation = Type.Object(
  {
    wallet_id: walletId,
    status: Type.Enum(['pending', 'success', 'error'], { description: '`pending` in the answer to the request.' }),
    status_reason: Type.Optional(
      Type.String({
        description:
          'Why it is still pending: `cluster_not_ready` while an MPC node is away, `cluster_busy` while one is at a limit, such as of the keys of a day. It is tried for seven days.',
      }),
    ),
    error_code: Type.Optional(Type.String()),
    error_reason: Type.Optional(Type.String()),
  },
  { title: 'WalletCreation' },
);

/** What the record and events say of it. */
const fields = {
  id: walletId,
  wallet_id: walletId,
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
  name: Type.String(),
  wallet_type: Type.Enum([...walletTypes]),
  wallet_purpose: Type.Optional(
    Type.String({
      description: 'One of those that can be asked for; wallets of before there were these have any text.',
    }),
  ),
  external_id: Type.Optional(Type.String({ description: "The caller's own name for it." })),
  status: Type.Enum([...walletStatuses]),
  reason: Type.Optional(
    Type.String({ description: 'What who froze, unfroze or archived it last gave as the reason.' }),
  ),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
};

const address = Type.Optional(Type.String());
const walletAddresses = Type.Object(
  { evm: address, sol: address, btc: address, tron: address } satisfies Record<AddressType, unknown>,
  {
    title: 'WalletAddresses',
    description:
      'By chain family: none until the wallet is active, and none when it is archived. Of its events `wallet.created` has them.',
  },
);

export const walletRecord = Type.Object(
  {
    ...fields,
    metadata,
    addresses: walletAddresses,
    cluster: Type.String({
      description: 'Whose nodes hold its keys: `main`, unless the service has several clusters.',
    }),
  },
  { title: 'Wallet' },
);

export const walletEventData = Type.Object({
  ...fields,
  error_code: Type.Optional(Type.String({ description: 'Stable, for programs.' })),
  error_reason: Type.Optional(Type.String({ description: 'The same in one plain sentence.' })),
  addresses: Type.Optional(walletAddresses),
});

export const walletsQuery = listQuery({
  status: commaList(Type.Enum([...walletStatuses]), 'Only wallets with these statuses.'),
  wallet_type: commaList(Type.Enum([...walletTypes]), 'Only wallets of these types.'),
  external_id: externalIdFilter,
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Only wallets of this name, whole and in any case.' }),
  ),
  metadata: Type.Optional(
    Type.String({
      maxLength: METADATA_NAME_LENGTH_MAX + 1 + METADATA_VALUE_LENGTH_MAX,
      pattern: `^[A-Za-z0-9_.-]{1,${METADATA_NAME_LENGTH_MAX}}:`,
      description: 'Only wallets with this in their metadata, as `name:value`, both whole.',
      examples: ['customer:42'],
    }),
  ),
  address: addressFilter('Only the wallets that have these addresses.'),
});

const addressType = Type.Enum([...addressTypes], { description: 'Chain family; `evm` when nothing is asked for.' });

export const addressTypeQuery = Type.Object(
  { address_type: Type.Optional(addressType) },
  { additionalProperties: false },
);

export const depositAddressQuery = Type.Object(
  {
    address_type: Type.Optional(addressType),
    asset_id: Type.Optional(assetId),
    network_id: Type.Optional(networkId),
    qr_code: Type.Optional(Type.Boolean({ description: 'Whether the answer has the QR code; false when absent.' })),
  },
  { additionalProperties: false },
);
export type AddressQuery = Static<typeof depositAddressQuery>;

export const walletDetail = Type.Object(
  {
    id: walletId,
    wallet_id: walletId,
    workspace_id: Type.String(),
    name: Type.String(),
    wallet_type: Type.String(),
    status: Type.String({ description: '`creating`, `active`, `failed`, `frozen` or `archived`.' }),
    address_type: Type.Enum([...addressTypes], { description: 'The chain family that was asked for.' }),
    address: Type.String({
      description: 'Address of the asked chain family; empty until the wallet is active, and when it is archived.',
    }),
  },
  { title: 'WalletDetail' },
);

export const walletAddress = Type.Object(
  {
    wallet_id: walletId,
    asset_id: Type.String({
      description: 'The asset that was asked for, else the native one of the network; empty with `network_id`.',
    }),
    network_id: Type.String({
      description:
        'The network that was asked for, or that of the asset; else the first one of the family on which this deployment sees deposits, main networks first. Empty when there is none.',
    }),
    address: Type.String(),
    memo: Type.String({ description: 'Empty: no network here needs one.' }),
    qr_code: Type.String({
      description:
        'The address as a `data:image/png;base64,` URI. From `deposit-address` only with `qr_code=true`, else empty.',
    }),
  },
  { title: 'DepositAddress' },
);

export const walletAsset = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    wallet_id: walletId,
    asset_id: assetId,
    asset,
    network_id: networkId,
    address_type: Type.Enum([...addressTypes]),
    address: Type.String({
      description: 'Where the wallet receives it; empty unless it is `active`, and when the wallet is archived.',
    }),
    deposit_address: Type.String({ description: 'The same as `address`.' }),
    derivation_path: Type.String(),
    status: Type.Enum([...walletAssetStatuses], {
      description:
        '`pending` while this deployment does not see deposits of its network (see its `capabilities`). What is `disabled` is booked when it arrives, has no address and cannot be withdrawn.',
    }),
    hidden: Type.Boolean({ description: 'Whether it is `disabled`.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'WalletAsset' },
);
