// The migrations up to the last one of a former version, in a folder of their own: what a database of that version is
// made of.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface FormerMigrations {
  folder: string;
  remove: () => void;
}

/** `last`: the name of its file, without the ending. */
export function formerMigrations(last: string): FormerMigrations {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-former-'));
  cpSync(resolve('drizzle/migrations'), folder, { recursive: true });
  const journal = join(folder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string }[] };
  const count = entries.findIndex(({ tag }) => tag === last) + 1;
  if (count === 0) throw new Error(`there is no migration ${last}`);
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
