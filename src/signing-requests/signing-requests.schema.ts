// The wire shapes of signing operations.
import Type, { type Static } from 'typebox';
import { curves, signingStatuses } from '../../drizzle/status.ts';
import { walletId } from '../wallets/wallets.schema.ts';

const keyType = Type.Enum([...curves], { description: 'Curve of the key; `secp256k1` when absent.' });
const alias = (of: string) => Type.Optional(Type.String({ minLength: 1, description: `Alias of ${of}.` }));

export const signBody = Type.Object(
  {
    network_internal_code: Type.Optional(
      Type.String({ minLength: 1, description: 'Required, under this name or its alias.' }),
    ),
    networkInternalCode: alias('network_internal_code'),
    key_type: Type.Optional(keyType),
    keyType: Type.Optional(keyType),
    signing_hash: Type.Optional(
      Type.String({ minLength: 1, description: '32-byte digest in hex. Required, under this name or an alias.' }),
    ),
    signingHash: alias('signing_hash'),
    hash: alias('signing_hash'),
    transaction_hash: alias('signing_hash'),
    transactionHash: alias('signing_hash'),
    unsigned_tx: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'What the digest is of, in hex: kept for audit. Defaults to signing_hash.',
      }),
    ),
    unsignedTx: alias('unsigned_tx'),
    raw_transaction: alias('unsigned_tx'),
    rawTransaction: alias('unsigned_tx'),
    tx: alias('unsigned_tx'),
    derivation_path: Type.Optional(
      Type.String({ minLength: 1, description: 'Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.' }),
    ),
    derivationPath: alias('derivation_path'),
    derivation_path_components: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 10 })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        network_internal_code: 'ETHEREUM_SANDBOX',
        signing_hash: '0x9b1cd4c5a3a9c4a4b7be0ef1fd5d7c7fc0d5a5e0e7a7a3c0f3f6ad6c4b8b7a11',
      },
    ],
  },
);

export type SignBody = Static<typeof signBody>;

const dateTime = Type.String({ format: 'date-time' });

export const signingRequest = Type.Object(
  {
    id: Type.String(),
    signing_id: Type.String(),
    operation_type: Type.Enum(['withdrawal', 'generic']),
    withdrawal_id: Type.Union([Type.String(), Type.Null()]),
    wallet_id: walletId,
    network_internal_code: Type.String(),
    key_type: Type.Enum([...curves]),
    signing_hash: Type.String({ description: '0x and 64 hex digits.' }),
    derivation_path: Type.String(),
    status: Type.Enum([...signingStatuses]),
    status_reason: Type.Optional(Type.String()),
    mpc_correlation_id: Type.Optional(Type.String({ description: 'Signing id and attempt, as the nodes know it.' })),
    error_code: Type.Optional(Type.String()),
    error_reason: Type.Optional(Type.String()),
    signature: Type.Optional(
      Type.String({ description: '0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519.' }),
    ),
    public_key: Type.Optional(Type.String({ description: 'The derived child key, hex.' })),
    address: Type.Optional(Type.String({ description: 'Its address on the network.' })),
    created_at: dateTime,
    updated_at: dateTime,
    completed_at: Type.Optional(dateTime),
  },
  { title: 'SigningRequest' },
);

export const signAnswer = Type.Object({
  created: Type.Boolean({ description: 'False when an earlier request with this idempotency key made the operation.' }),
  transaction_id: Type.String({ description: 'The signing id, under the name that SDK callers poll.' }),
  signing_request: signingRequest,
});

export const signingIdParams = Type.Object({ signing_id: Type.String({ format: 'uuid' }) });

export const aliasParams = Type.Object({ wallet_id: walletId, signing_id: Type.String({ format: 'uuid' }) });

export const aliasStatuses = ['pending', 'pending_approval', 'confirmed', 'failed', 'rejected'] as const;

export const aliasView = Type.Object({
  transaction_id: Type.String(),
  status: Type.Enum([...aliasStatuses]),
  signature: Type.Union([Type.String(), Type.Null()]),
  approvals: Type.Array(Type.Object({ user_id: Type.String(), status: Type.String() })),
  created_at: dateTime,
  updated_at: dateTime,
});
