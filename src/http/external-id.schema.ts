// The caller's own name for what he asks for: its form, and the filter of a list by such names. Which lists have it is
// for their resources to say.
import Type from 'typebox';
import { commaList } from './paging.ts';

const NAME = '^[\\x21-\\x7e]{1,128}$';

/** `what`: of what it is taken once. */
export const externalId = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: NAME,
      description: `The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second ${what} with it is a 409 \`external_id_taken\`, whose message has the id of the first.`,
    }),
  );

export const externalIdFilter = commaList(
  Type.String({ pattern: NAME }),
  "Only those with these names of the caller's. A name that has commas is found by itself.",
);

/** What a filter means: each name between the commas, and the whole, since a name may have commas. */
export function namesIn(list: readonly string[] | undefined): string[] | undefined {
  return list === undefined ? undefined : [...new Set([...list, list.join(',')])];
}
