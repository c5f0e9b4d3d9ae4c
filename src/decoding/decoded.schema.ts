// The wire shape of what something does that is to be signed or sent, as those who approve it are shown it. What is not
// known is absent, also in events.
import Type, { type Static } from 'typebox';
import { callKinds } from '../../domain/statuses.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** What moves. A simulation writes null where what is decoded leaves out. */
const knownOfMovement = {
  asset_id: textOrNull('Of an asset of the catalogue.'),
  amount: textOrNull("In the asset's unit."),
  amount_base_units: textOrNull('Whole base units.'),
  destination: textOrNull('Who receives it.'),
};
const moreOfMovement = {
  symbol: text('Of the asset, where it is decoded.'),
  contract: text('The contract or mint that stands for the asset; absent also for the native currency.'),
  token_account: text('On Solana: the account that receives a token.'),
  in_address_book: Type.Optional(Type.Boolean({ description: 'Of a simulation, when a rule asks.' })),
};
const description = 'What is absent or null is not known, and may be anything.';

export const decodedMovement = Type.Object(
  { ...Type.Partial(Type.Object(knownOfMovement)).properties, ...moreOfMovement },
  { title: 'DecodedMovement', description },
);

export const simulatedMovement = Type.Object(
  { ...knownOfMovement, ...moreOfMovement },
  { title: 'SimulatedMovement', description },
);

export const decodedContent = Type.Object(
  {
    kind: Type.Optional(
      Type.Enum([...callKinds], { description: 'As `calls` of a policy names it. A message has none.' }),
    ),
    summary: text('One plain clause: what it was found to do.'),
    to: text('Whom an EVM call is to, also the one that a Safe is to make; absent where a contract is created.'),
    value: text('What the call carries, in the native currency of the network.'),
    method: text('The function that it calls, where it is a known one.'),
    arguments: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Of the method, in their order: numbers are decimal, bytes 0x hex, lists and structs JSON text. The types stand in `method`.',
      }),
    ),
    instructions: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Of a Solana transaction: the program of each, and what is read of it.',
      }),
    ),
    movements: Type.Array(decodedMovement, { description: 'All that is seen to move.' }),
    max_fee: text('What a transaction may pay at most, in the native currency; absent where it is not known.'),
    unknown: Type.Array(Type.String(), { description: 'What of it was not understood: it may move anything besides.' }),
    networks: Type.Array(Type.String(), {
      description:
        'Internal codes of the networks that are enabled here and on which it is valid, the named one first.',
    }),
  },
  {
    title: 'DecodedContent',
    description: 'What it does, read from the bytes that are signed and from nothing that its caller says of it.',
  },
);

export type DecodedContent = Static<typeof decodedContent>;
