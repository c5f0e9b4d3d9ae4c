// One line of a CSV file as RFC 4180 writes it, safe to open in a spreadsheet. Knows nothing of what is in it.

/** What a spreadsheet takes for a formula, in its full-width forms too (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",\r\n]/;

export const csvLine = (cells: readonly string[]): string => `${cells.map(toCell).join(',')}\r\n`;

/** A leading apostrophe makes a spreadsheet show the text and run nothing. */
function toCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
