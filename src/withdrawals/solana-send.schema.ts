// The wire shape of a Solana transaction that is signed, sent and followed here.
import Type, { type Static } from 'typebox';
import { callerChoices } from './withdrawals.schema.ts';

const { notes, external_id } = callerChoices;

export const solanaSendBody = Type.Object(
  {
    method: Type.Literal('solana_signAndSendTransaction'),
    transaction: Type.String({
      minLength: 4,
      maxLength: 4096,
      description:
        'The serialized transaction in base64, of which the wallet pays the fee and is the only signer. Its blockhash is replaced by the newest when it is sent, also after approvals, and again should it expire.',
    }),
    from: Type.Optional(
      Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
        description: "The wallet's own address, when it is said.",
      }),
    ),
    network_internal_code: Type.Optional(
      Type.String({ minLength: 1, description: 'Which Solana network, where the deployment has several.' }),
    ),
    notes,
    external_id,
  },
  // A transaction names the wallet that signs it, so there is no example that holds for any.
  { title: 'SolanaSendBody', additionalProperties: false },
);
export type SolanaSendBody = Static<typeof solanaSendBody>;
