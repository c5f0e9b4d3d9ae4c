// Rows as a table, and one record as a list of its fields, for people. Knows no resource.
import { visible } from './visible-text.ts';

/** Its title, what it shows of a row, and whether it is of numbers. */
export type Column<Row> = readonly [title: string, of: (row: Row) => unknown, align?: 'right'];

const GAP = '  ';

export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = rows.map((row) => columns.map(([, of]) => cell(of(row))));
  const widths = columns.map(([title], at) =>
    Math.max(lengthOf(title), ...cells.map((row) => lengthOf(row[at] ?? ''))),
  );
  const lineOf = (row: readonly string[]) =>
    row
      .map((text, at) => {
        const rest = ' '.repeat(Math.max(0, (widths[at] ?? 0) - lengthOf(text)));
        return columns[at]?.[2] === 'right' ? rest + text : text + rest;
      })
      .join(GAP)
      .trimEnd();
  return [columns.map(([title]) => title), ...cells].map((row) => `${lineOf(row)}\n`).join('');
}

/** Every field on a line of its own; what lies inside another is named by both, as in `approval.digest`. */
export function fields(record: unknown): string {
  const lines = [...leavesOf(record, '')];
  const width = Math.max(0, ...lines.map(([name]) => lengthOf(name)));
  return lines.map(([name, value]) => `${name.padEnd(width)}${GAP}${value}\n`).join('');
}

function* leavesOf(value: unknown, name: string): Generator<[string, string]> {
  if (Array.isArray(value) && value.every(isScalar)) yield [visible(name), value.map(cell).join(', ')];
  else if (Array.isArray(value) && value.every(isNamedType))
    yield [visible(name), value.map((column) => `${cell(column.name)} (${cell(column.type)})`).join(', ')];
  else if (typeof value === 'object' && value !== null)
    for (const [inner, of] of Object.entries(value)) yield* leavesOf(of, name === '' ? inner : `${name}.${inner}`);
  else if (value !== undefined) yield [visible(name), cell(value)];
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

/** As a file's columns are told: dozens of them, which are no fields of their own. */
const isNamedType = (value: unknown): value is { name: string; type: string } =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'name,type';

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return visible(value);
  if (typeof value === 'object') return visible(JSON.stringify(value));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const signs = new Intl.Segmenter();
const lengthOf = (text: string) => Array.from(signs.segment(text)).length;
