// Makes text of others safe to look at. Names, notes and reasons are a caller's: an escape sequence in one of them
// could move the cursor and write another amount over the one that is approved, and a sign that turns the direction of
// text could show another address.

/** Control, format (also those that turn the direction), lone surrogates, private use, and the ends of lines. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** On one line. */
export const visible = (text: string): string => text.replaceAll(INVISIBLE, escaped);

/** With the ends of lines and tabs that it has. */
export const visibleLines = (text: string): string =>
  text.replaceAll(INVISIBLE, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );

/** The same value on one line, in which nothing moves a cursor. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(INVISIBLE, (character) =>
    // Each half of a pair, as JSON wants it.
    Array.from({ length: character.length }, (_, at) => `\\u${hex4(character.charCodeAt(at))}`).join(''),
  );
}

const hex4 = (unit: number) => unit.toString(16).padStart(4, '0');
