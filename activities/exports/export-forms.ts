// In which form the rows of an export stand in its file: the text that PostgreSQL has written, with its lines ended and
// counted, or Parquet that a thread makes of it. Writes nothing.
import { csvLine } from '../../domain/csv.ts';
import { columnsOf } from '../../domain/exports/export-columns.ts';
import type { ExportContent, ExportFormat } from '../../domain/exports/export-contents.ts';
import type { Snapshot } from '../../drizzle/database/text-stream.ts';
import { csvQuery, type ExportRange, jsonQuery } from '../../drizzle/exports/export-queries.ts';
import { CsvLines, type LineForm, PlainLines } from './exported-lines.ts';
import { InParquet } from './in-parquet.ts';

/** Of a text that comes in pieces, cut anywhere. */
export interface ExportForm {
  /** So far. */
  readonly rows: number;
  /** What of the file can be written after this text. */
  take(text: Buffer): AsyncIterable<Buffer> | readonly Buffer[];
  /** The rest of the file. Throws when the text does not end with a whole row. */
  end(): AsyncIterable<Buffer> | readonly Buffer[];
  close(): Promise<void>;
}

export const formOf = ({ content, format }: Exported, signal: AbortSignal): ExportForm =>
  format === 'parquet' ? new InParquet(content, signal) : new InLines(lineForms[format]());

const lineForms: Readonly<Record<Exclude<ExportFormat, 'parquet'>, () => LineForm>> = {
  csv: () => new CsvLines(),
  jsonl: () => new PlainLines(),
};

class InLines implements ExportForm {
  readonly #lines: LineForm;

  constructor(lines: LineForm) {
    this.#lines = lines;
  }

  get rows(): number {
    return this.#lines.rows;
  }

  take(text: Buffer): Buffer[] {
    return [this.#lines.take(text)];
  }

  end(): Buffer[] {
    this.#lines.end();
    return [];
  }

  async close(): Promise<void> {}
}

interface Exported {
  content: ExportContent;
  format: ExportFormat;
}

/** What stands before the first row. */
export const headOf = ({ content, format }: Exported): string =>
  format === 'csv' ? csvLine(columnsOf(content).map(({ name }) => name)) : '';

/** The rows as PostgreSQL writes them: those that become Parquet are objects of JSON first. */
export function textOf(snapshot: Snapshot, { content, format }: Exported, range: ExportRange): AsyncIterable<Buffer> {
  return format === 'csv'
    ? snapshot.copy(csvQuery(content, range), 'csv')
    : snapshot.copy(jsonQuery(content, range), 'lines');
}
