// The wire shapes of trying a policy.
import Type, { type Static, type TProperties } from 'typebox';
import { approveWithKinds } from '../../domain/votes/vote-rules.ts';
import { assetId } from '../catalog/catalog.schema.ts';
import { simulatedMovement } from '../decoding/decoded.schema.ts';
import { policyDocument, uuid } from '../policies/policies.schema.ts';
import { batchItem } from '../signing-requests/bodies/sign-bodies.schema.ts';
import { walletId } from '../wallets/wallets.schema.ts';
import { withdrawalBody } from '../withdrawals/withdrawals.schema.ts';

const strict = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const simulateBody = strict(
  {
    withdrawal: Type.Optional(
      strict({
        wallet_id: walletId,
        asset_id: assetId,
        amount: withdrawalBody.properties.amount,
        subtract_fee: withdrawalBody.properties.subtract_fee,
        fee_level: withdrawalBody.properties.fee_level,
        max_fee: withdrawalBody.properties.max_fee,
        recipient_address: Type.String({ minLength: 1, maxLength: 256 }),
      }),
    ),
    signing: Type.Optional(strict({ wallet_id: walletId, item: batchItem })),
    initiator: Type.Optional(uuid),
    document: Type.Optional(policyDocument),
  },
  {
    description:
      'One of `withdrawal` and `signing`, whose `item` is as in `signBatch`. `initiator` is the user who would ask, that of the calling key when absent. ' +
      'With a `document` that is tried, else the policy in force. `max` and `subtract_fee` look at what the wallet has: they need `balances:read`.',
    examples: [
      {
        signing: {
          wallet_id: '01900000-0000-7000-8000-000000000000',
          item: { type: 'message', network_internal_code: 'ETHEREUM_SANDBOX', message: 'Hello, Bob!' },
        },
      },
    ],
  },
);

export type SimulateBody = Static<typeof simulateBody>;

export const simulation = Type.Object(
  {
    action: Type.Enum(['allow', 'deny', 'require_approvals']),
    rule: Type.String({ description: 'The name of the rule that decides, or `default`.' }),
    reasons: Type.Array(Type.String()),
    approvals: Type.Integer({ description: 'How many would be needed.' }),
    approvers: Type.Array(Type.String(), { description: 'Empty for any key with the scope.' }),
    approve_with: Type.Optional(Type.Enum([...approveWithKinds], { description: 'What every approval takes.' })),
    expires_in_seconds: Type.Integer(),
    networks: Type.Array(Type.String(), {
      description: 'Internal codes: it is judged for each on which it may be valid, and the strictest outcome counts.',
    }),
    movements: Type.Array(simulatedMovement, {
      description: 'All that moves, as it would be on the first of the networks.',
    }),
    unknown: Type.Array(Type.String(), { description: 'What of it was not understood: it may move anything besides.' }),
    considered: Type.Array(
      Type.Object({
        rule: Type.String(),
        applies: Type.Boolean(),
        because: Type.Array(Type.String()),
      }),
      { description: 'Every rule that was looked at, in order.' },
    ),
  },
  { title: 'PolicySimulation' },
);
