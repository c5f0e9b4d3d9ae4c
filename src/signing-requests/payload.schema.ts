// The wire shape of what a signing operation has signed, as those who read or approve it are shown it.
import Type, { type Static } from 'typebox';
import { payloadKinds } from '../../domain/statuses.ts';
import { decodedContent } from '../decoding/decoded.schema.ts';
import { typedData } from './bodies/sign-bodies.schema.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

export const signedPayload = Type.Object(
  {
    kind: Type.Enum([...payloadKinds], {
      description: 'What the nodes are shown. Only a `raw_digest` is signed without being read.',
    }),
    message: text('The bytes of a message, 0x hex: on EVM networks without the prefix of EIP-191.'),
    text: text('The message as text, where it is text. What is signed are the bytes.'),
    application_domain: text('Of a message in the off-chain envelope of Solana: which application asks, base58.'),
    signers: Type.Optional(Type.Array(Type.String(), { description: 'Whose signatures such an envelope asks for.' })),
    typed_data: Type.Optional(typedData),
    transaction: text('The unsigned transaction, 0x hex: as it is hashed on EVM networks; the message on Solana.'),
    unsigned_tx: text('What came with a raw digest: nobody has signed it, and it may be anything.'),
    matches_digest: Type.Optional(
      Type.Boolean({
        description:
          'Whether `signing_hash` is the hash of `transaction` or `unsigned_tx`: keccak256 on EVM networks, SHA-256 on Tron and Solana, twice SHA-256 on Bitcoin. ' +
          'When it is false, take nothing that `unsigned_tx` says for what is signed.',
      }),
    ),
    shortened: Type.Optional(
      Type.Boolean({
        description: 'True where what is signed is longer than 4 KiB and left out: read the operation itself.',
      }),
    ),
    decoded: decodedContent,
  },
  {
    title: 'SignedPayload',
    description:
      'What is signed. Absent where the stored operation is no longer what was asked for, which nobody can approve.',
  },
);

export type SignedPayload = Static<typeof signedPayload>;
