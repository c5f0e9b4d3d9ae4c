// A strict reader of CSV files, for tests of what this service writes. Knows nothing of what is in them.

/** Refuses whatever RFC 4180 does not allow: a lone quote, CR or LF, a last line without its end. */
export function parseCsv(file: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < file.length) {
    const at = cell.lastIndex;
    const [, quoted, plain, end] = cell.exec(file) ?? [];
    if (end === undefined) throw new Error(`no CSV at ${at}: ${file.slice(at, at + 80)}`);
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
