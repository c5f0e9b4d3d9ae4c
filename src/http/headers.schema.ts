// Header shapes that several routes share. Header names are matched in lower case.
import Type from 'typebox';

export const idempotencyHeaders = Type.Object({
  'x-idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'A repeated key with the same request returns the original result and creates nothing.',
    }),
  ),
});
