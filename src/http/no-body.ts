// The body of a write that takes none: absent, or an object without fields. Anything else is refused, as unknown fields
// are everywhere.
import Type from 'typebox';

export const noBody = Type.Union([Type.Null(), Type.Object({}, { additionalProperties: false })], {
  description: 'None, or an object without fields.',
});
