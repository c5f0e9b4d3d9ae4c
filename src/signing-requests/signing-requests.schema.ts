// The wire shapes of signing operations as they are answered, and of what asks for them.
import Type from 'typebox';
import { aliasStatuses, curves, payloadKinds, signingStatuses, signingStatusReasons } from '../../domain/statuses.ts';
import { approvalRecord, approvalVote } from '../approvals/approvals.schema.ts';
import { externalIdFilter } from '../http/external-id.schema.ts';
import { addressFilter, commaList, listQuery } from '../http/paging.ts';
import { walletId } from '../wallets/wallets.schema.ts';
import { signedPayload } from './payload.schema.ts';

const dateTime = Type.String({ format: 'date-time' });

/** What the record and events say of it. */
const fields = {
  id: Type.String({ format: 'uuid', description: 'The signing operation.' }),
  signing_id: Type.String({ format: 'uuid', description: 'The same as `id`.' }),
  operation_type: Type.Enum(['withdrawal', 'generic']),
  wallet_id: walletId,
  network_internal_code: Type.String({ description: 'Internal code of the network.' }),
  key_type: Type.Enum([...curves]),
  payload_kind: Type.Enum([...payloadKinds], {
    description: 'What the nodes are shown. Only a `raw_digest` is signed without being read.',
  }),
  external_id: Type.Optional(Type.String({ description: "The caller's own name for it." })),
  signing_hash: Type.String({
    description: '0x and 64 hex digits. Of the `solana_` kinds, which are signed unhashed, their SHA-256.',
  }),
  derivation_path: Type.String(),
  status: Type.Enum([...signingStatuses]),
  status_reason: Type.Optional(Type.Enum([...signingStatusReasons])),
  mpc_correlation_id: Type.Optional(Type.String({ description: 'Signing id and attempt, as the nodes know it.' })),
  error_code: Type.Optional(Type.String({ description: 'Stable, for programs.' })),
  error_reason: Type.Optional(Type.String({ description: 'The same in one plain sentence.' })),
  reason: Type.Optional(Type.String({ description: 'What who rejected or cancelled it gave as the reason.' })),
  signature: Type.Optional(
    Type.String({ description: '0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519.' }),
  ),
  public_key: Type.Optional(Type.String({ description: 'The derived child key, hex.' })),
  address: Type.Optional(Type.String({ description: 'Its address on the network.' })),
  signed_by_nodes: Type.Optional(
    Type.Array(Type.Integer(), {
      description: 'The nodes of its cluster that made the signature, ascending; absent where that was not kept.',
    }),
  ),
  created_at: dateTime,
  updated_at: dateTime,
  completed_at: Type.Optional(dateTime),
};
const withdrawalId = Type.String({ format: 'uuid', description: 'The withdrawal that it is for.' });

export const signingEventData = Type.Object({
  ...fields,
  withdrawal_id: Type.Optional(withdrawalId),
  payload: Type.Optional(signedPayload),
  workspace_id: Type.String({ format: 'uuid', description: 'Workspace id.' }),
});

export const signingRequest = Type.Object(
  {
    ...fields,
    withdrawal_id: Type.Union([withdrawalId, Type.Null()]),
    workflow_id: Type.Optional(
      Type.String({ description: 'The workflow in Temporal: its own, or the one that signs it with others.' }),
    ),
    payload: Type.Optional(signedPayload),
    may_be_signed: Type.Optional(
      Type.Boolean({
        description:
          'Of one that failed: whether a node may have made a signature all the same, which is not stored. Then take what was to be signed for signed.',
      }),
    ),
    approval: Type.Optional(approvalRecord),
  },
  { title: 'SigningRequest' },
);

export const signAnswer = Type.Object(
  {
    created: Type.Boolean({
      description: 'False when an earlier request with this idempotency key made the operation.',
    }),
    transaction_id: Type.String({ description: 'The signing id, under the name that SDK callers poll.' }),
    signing_request: signingRequest,
  },
  { title: 'AcceptedSigning' },
);

const refusedItem = Type.Object(
  { error: Type.Object({ code: Type.String(), message: Type.String() }, { title: 'Refusal' }) },
  { title: 'RefusedItem' },
);

export const batchAnswer = Type.Object(
  {
    results: Type.Array(Type.Union([signAnswer, refusedItem]), {
      description: 'One for each item, in the order of the items.',
    }),
  },
  { title: 'BatchResults' },
);

export const signingRequestsQuery = listQuery({
  status: commaList(Type.Enum([...signingStatuses]), 'Only operations with these statuses.'),
  wallet_id: commaList(walletId, 'Only operations of these wallets.'),
  network_id: commaList(Type.String({ format: 'uuid' }), 'Only operations on these networks, by catalogue id.'),
  external_id: externalIdFilter,
  address: addressFilter('Only operations that these addresses have signed; one that is not signed yet has none.'),
});

export const signingIdParams = Type.Object({ signing_id: Type.String({ format: 'uuid' }) });

export const aliasParams = Type.Object({ wallet_id: walletId, signing_id: Type.String({ format: 'uuid' }) });

export const aliasView = Type.Object(
  {
    transaction_id: Type.String(),
    status: Type.Enum([...aliasStatuses]),
    signature: Type.Union([Type.String(), Type.Null()]),
    approvals: Type.Array(approvalVote),
    created_at: dateTime,
    updated_at: dateTime,
  },
  { title: 'SigningAlias' },
);
