// Header shapes that several routes share. Header names are matched in lower case.
import Type from 'typebox';

export const idempotencyHeaders = Type.Object({
  'x-idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: '^[!-~]*$',
      description:
        "Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own.",
    }),
  ),
});

export const preferHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({
      description:
        '`wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up.',
    }),
  ),
});

/** Of an answer that may have waited; spread into its response schema. */
export const waitedHeaders = {
  'Preference-Applied': Type.String({ description: '`wait` when the answer waited, or would have.' }),
};
