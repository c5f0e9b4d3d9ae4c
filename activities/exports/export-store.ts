// Where the files of exports are kept, as the activity that writes them sees it: a folder (export-folder.ts) or a
// bucket (export-bucket.ts). A file comes to be there whole or not at all. Knows nothing of what is in one.
import type { ExportFileIds } from '../../domain/exports/export-file-names.ts';

/** What is written whole, and has no name yet. */
export interface WrittenPart {
  byteCount: number;
  /** Hex. */
  sha256: string;
  /** Gives it its name, for good. */
  publish(): Promise<void>;
}

export interface Writing {
  /** Hears how much is written so far. */
  onBytes?: (bytes: number) => void;
  signal?: AbortSignal;
}

export interface ExportStore {
  /** Throws a failure that says so when there is no such place. */
  assertThere(): Promise<void>;
  /** Writes a part as fast as its pieces come. Never over what is there. */
  writePart(name: string, pieces: AsyncIterable<Buffer>, writing?: Writing): Promise<WrittenPart>;
  /** Erases every file of the export, and what attempts have begun. What is gone already is no matter. */
  erase(exportId: string): Promise<void>;
  /** The same of one attempt. */
  eraseAttempt(ids: ExportFileIds): Promise<void>;
}
