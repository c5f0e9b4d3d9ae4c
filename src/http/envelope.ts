// The one shape of every JSON answer: {success, message, code, data}.
import Type, { type TSchema } from 'typebox';

export const success = <Data>(data: Data) => ({
  success: true as const,
  message: 'success' as const,
  code: 0 as const,
  data,
});

export const failure = (code: string, message: string) => ({ success: false as const, message, code, data: null });

export const envelopeOf = <Schema extends TSchema>(data: Schema) =>
  Type.Object({
    success: Type.Literal(true),
    message: Type.Literal('success'),
    code: Type.Literal(0),
    data,
  });

export const errorEnvelope = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String({ description: 'One sentence that says what to change.' }),
    code: Type.String({ description: 'A stable code for programs.' }),
    data: Type.Null(),
  },
  { title: 'Error' },
);

/** The error answers of a route, for its response schema. */
export const errors = <Status extends number>(...statuses: Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, errorEnvelope])) as Record<Status, typeof errorEnvelope>;
