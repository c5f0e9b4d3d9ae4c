// What a file of an export says of itself: beside it in the folder, and in the record of the export.
import { columnsOf } from './export-columns.ts';
import { type ExportContent, type ExportFormat, exportMediaTypes } from './export-contents.ts';
import { exportFileName } from './export-file-names.ts';

export interface ManifestSource {
  id: string;
  workspaceId: string;
  content: ExportContent;
  format: ExportFormat;
  walletIds: readonly string[] | null;
  fromAt: Date | null;
  toAt: Date | null;
}

export interface FileFacts {
  fileId: string;
  rows: number;
  bytes: number;
  sha256: string;
  snapshotAt: Date;
}

export type ExportManifest = ReturnType<typeof manifestOf>;

export const manifestOf = (source: ManifestSource, { fileId, rows, bytes, sha256, snapshotAt }: FileFacts) => ({
  export_id: source.id,
  workspace_id: source.workspaceId,
  content: source.content,
  wallet_ids: source.walletIds === null ? null : [...source.walletIds],
  from: source.fromAt?.toISOString() ?? null,
  to: source.toAt?.toISOString() ?? null,
  ...fileOf(source, { fileId, rows, bytes, sha256, snapshotAt }),
});

/** The part of it that is about the file alone. */
export const fileOf = (
  { id, content, format }: Pick<ManifestSource, 'id' | 'content' | 'format'>,
  { fileId, rows, bytes, sha256, snapshotAt }: FileFacts,
) => ({
  file_name: exportFileName({ exportId: id, fileId }, format),
  media_type: exportMediaTypes[format],
  rows,
  bytes,
  sha256,
  snapshot_at: snapshotAt.toISOString(),
  columns: columnsOf(content),
});
