// What the files of exports are called: by ids that the service has given, and never by anything that a caller or a row
// says. Whoever changes a row may name another id, and finds no file of another export under it: a name has both.
import type { ExportFormat } from './export-contents.ts';

export interface ExportFileIds {
  exportId: string;
  /** Of the attempt that wrote the file: each has its own, so that none writes into another's. */
  fileId: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const endings: Readonly<Record<ExportFormat, string>> = { csv: '.csv', jsonl: '.jsonl', parquet: '.parquet' };

/** Throws for what is no id, so that no name leads out of its folder. */
function stemOf({ exportId, fileId }: ExportFileIds): string {
  for (const id of [exportId, fileId]) if (!UUID.test(id)) throw new Error('a file of an export is named by ids alone');
  return `${exportId}.${fileId}`;
}

export function exportFileName(ids: ExportFileIds, format: ExportFormat): string {
  const ending = Object.hasOwn(endings, format) ? endings[format] : undefined;
  if (ending === undefined) throw new Error('an export has no such format');
  return stemOf(ids) + ending;
}

export const manifestFileName = (ids: ExportFileIds): string => `${stemOf(ids)}.manifest.json`;

/** What is being written, until it is whole. */
export const partFileName = (name: string): string => `${name}.part`;

const ANY_NAME = new RegExp(
  `^(${UUID.source.slice(1, -1)})\\.(${UUID.source.slice(1, -1)})\\.(csv|jsonl|parquet|manifest\\.json)(\\.part)?$`,
);

/** Undefined for a file that is none of ours, which is left alone. */
export function readExportFileName(name: string): (ExportFileIds & { isPart: boolean }) | undefined {
  const [, exportId, fileId, , part] = ANY_NAME.exec(name) ?? [];
  if (exportId === undefined || fileId === undefined) return undefined;
  return { exportId, fileId, isPart: part !== undefined };
}
