// The wire shapes of wallets.
import Type from 'typebox';
import { walletStatuses } from '../../drizzle/status.ts';
import { addressTypes } from '../../drizzle/wallets.ts';

export const walletId = Type.String({ format: 'uuid', description: 'Wallet id.' });

export const walletParams = Type.Object({ wallet_id: walletId });

export const createWalletBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    wallet_type: Type.Enum(['standard', 'mpc']),
    wallet_purpose: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false, examples: [{ name: 'Treasury', wallet_type: 'mpc' }] },
);

export const walletAccepted = Type.Object({ wallet_id: walletId, status: Type.Literal('creating') });

export const creationStatus = Type.Object({
  wallet_id: walletId,
  status: Type.Enum(['pending', 'success', 'error']),
  status_reason: Type.Optional(
    Type.String({ description: 'Why it is still pending: `cluster_not_ready` while an MPC node is away.' }),
  ),
  error_code: Type.Optional(Type.String()),
  error_reason: Type.Optional(Type.String()),
});

export const walletRecord = Type.Object(
  {
    id: walletId,
    wallet_id: walletId,
    workspace_id: Type.String(),
    name: Type.String(),
    wallet_type: Type.Enum(['standard', 'mpc']),
    wallet_purpose: Type.Optional(Type.String()),
    status: Type.Enum([...walletStatuses]),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Wallet' },
);

export const addressTypeQuery = Type.Object(
  {
    address_type: Type.Optional(Type.Enum([...addressTypes], { description: 'Chain family; `evm` when absent.' })),
  },
  { additionalProperties: false },
);

export const walletDetail = Type.Object({
  id: walletId,
  wallet_id: walletId,
  workspace_id: Type.String(),
  name: Type.String(),
  wallet_type: Type.String(),
  status: Type.String({ description: '`creating`, `active`, `failed`, `frozen` or `archived`.' }),
  address: Type.String({ description: 'Address of the asked chain family; empty until the wallet is active.' }),
});

export const walletAddress = Type.Object({
  wallet_id: walletId,
  asset_id: Type.String(),
  network_id: Type.String(),
  address: Type.String(),
  memo: Type.String(),
  qr_code: Type.String({ description: 'The address as a `data:image/png;base64,` URI.' }),
});
