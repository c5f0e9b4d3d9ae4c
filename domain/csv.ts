// One line of a CSV file as RFC 4180 writes it, safe to open in a spreadsheet. Knows nothing of what is in it.

/** What a spreadsheet takes for the beginning of a formula, in the full-width forms too (OWASP, CSV injection). */
export const FORMULA_STARTS = '=+-@\t\r\n\uff1d\uff0b\uff0d\uff20';
const NEEDS_QUOTES = /[",\r\n]/;

export const csvLine = (cells: readonly string[]): string => `${cells.map(toCell).join(',')}\r\n`;

/** A leading apostrophe makes a spreadsheet show the text and run nothing. */
function toCell(text: string): string {
  const safe = text !== '' && FORMULA_STARTS.includes(text.charAt(0)) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
