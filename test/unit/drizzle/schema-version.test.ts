// Goal: a program knows which tables it needs and says what to do where the database has others, and what a migration
// does holds up nobody for long. Method: the number in the code against the journal of the migrations, each sentence,
// and the statements of the migrations since there is a version.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeMisfit, SCHEMA_VERSION } from '../../../drizzle/database/schema-version.ts';

const migrations = readdirSync('drizzle/migrations').filter((name) => name.endsWith('.sql'));

test('the version of the program is the number of its newest migration', () => {
  const { entries } = JSON.parse(readFileSync('drizzle/migrations/meta/_journal.json', 'utf8'));
  expect(SCHEMA_VERSION).toBe(entries.length - 1);
  expect(migrations.toSorted().at(-1)).toMatch(new RegExp(`^00${SCHEMA_VERSION}_`));
});

test('older tables, and newer ones on which this program may not run, are refused with what to do', () => {
  expect(describeMisfit(undefined, 35)).toMatch(
    /have no version; this program needs version 35: run `npm run migrate`/,
  );
  expect(describeMisfit({ version: 34, oldestProgram: 30 }, 35)).toMatch(/are of version 34; this program needs/);
  expect(describeMisfit({ version: 40, oldestProgram: 36 }, 35)).toMatch(
    /This program is of version 35, .* of version 40, on which no program before version 36 may run: start the version/,
  );
  for (const version of [35, 40]) expect(describeMisfit({ version, oldestProgram: 35 }, 35)).toBeUndefined();
});

test('no migration indexes a column that it adds to a table with rows: the index would be built while others wait', () => {
  const since = migrations.filter((name) => Number(name.slice(0, 4)) > 35);
  for (const name of since) {
    const text = readFileSync(`drizzle/migrations/${name}`, 'utf8');
    for (const [, table, column] of text.matchAll(/ALTER TABLE "(\w+)" ADD COLUMN "(\w+)"/g))
      expect(text, name).not.toMatch(new RegExp(`INDEX "\\w+" ON "${table}".*"${column}"`));
  }
});
