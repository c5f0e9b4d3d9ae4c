// The wire shapes of what Solana's SDK callers send: a transaction to sign, one to sign and send, and a message.
import Type, { type Static } from 'typebox';
import { externalId } from '../../http/external-id.schema.ts';

const base64 = (description: string) => Type.String({ minLength: 4, maxLength: 4096, description });
const from = Type.Optional(
  Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
    description: "The wallet's own address, when it is said.",
  }),
);
const chainId = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^(0|[1-9][0-9]{0,15})$' })], {
  description: 'That of Solana in the numbering of SDK callers (1399811149), or 0: it names no network.',
});
const network = Type.Optional(
  Type.String({ minLength: 1, description: 'Which Solana network, where the deployment has several.' }),
);
// A transaction names the wallet that signs it, so there is no example that holds for any.
const SERIALIZED = 'The serialized transaction, signatures before its message, in base64.';
export const solanaSignBody = Type.Object(
  {
    data: base64(SERIALIZED),
    from,
    meta: Type.Object(
      { tx_method: Type.Literal('solana_signTransaction') },
      { title: 'SolanaSignMeta', additionalProperties: false },
    ),
    chainId: Type.Optional(chainId),
    network_internal_code: network,
    external_id: externalId('request'),
  },
  { title: 'SolanaSignBody', additionalProperties: false },
);
export type SolanaSignBody = Static<typeof solanaSignBody>;

export const solanaMessageBody = Type.Object(
  {
    method: Type.Literal('solana_signMessage'),
    message: Type.String({
      minLength: 1,
      description:
        'Text, which is signed as it is; at most 64 KiB. Base64 of text is taken for that text, unless `encoding` says otherwise, and base64 of an off-chain envelope for that envelope. Nothing else is signed: other bytes could be a transaction.',
    }),
    encoding: Type.Optional(
      Type.Enum(['utf8', 'base64'], { description: 'What `message` is, for what could be read in both ways.' }),
    ),
    chain_id: Type.Optional(chainId),
    network_internal_code: network,
    external_id: externalId('request'),
  },
  { title: 'SolanaMessageBody', additionalProperties: false },
);
export type SolanaMessageBody = Static<typeof solanaMessageBody>;
