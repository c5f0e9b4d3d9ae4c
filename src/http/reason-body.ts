// The body of a write that may say why it is done: absent, or an object with the reason. Decides nothing by it.
import Type from 'typebox';

const REASON_MAX_LENGTH = 500;

export const reasonField = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: REASON_MAX_LENGTH,
    description: 'Why, in words of your own: the record, its events and the audit log show it.',
  }),
);

export const reasonBody = Type.Union(
  [Type.Null(), Type.Object({ reason: reasonField }, { title: 'Reason', additionalProperties: false })],
  { title: 'ReasonBody', description: 'None, or the reason.', examples: [{ reason: 'The invoice was paid already.' }] },
);

export const reasonOf = (body: { reason?: string } | null | undefined): string | null => body?.reason ?? null;
