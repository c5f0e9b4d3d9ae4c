// Writes what the last `npm test` and `npm run test:full` measured into test/seconds.json. Moves no file from one suite
// to the other: that is decided by hand, in that file. Run it after both have run on an idle machine, and `npm run
// format` after it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const FILE = 'test/seconds.json';
/** A file that takes less is not listed, unless it is in the full suite too. */
const LISTED_FROM_SECONDS = 5;

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const measured = (path) => (existsSync(path) ? read(path) : {});
const longestFirst = (entries) => Object.fromEntries(entries.sort(([, one], [, other]) => other - one));

const before = read(FILE);
const [essential, full] = [measured('build/test-seconds.json'), measured('build/test-full-seconds.json')];
const listed = Object.entries({ ...before.essential, ...essential }).filter(
  ([path, seconds]) => existsSync(path) && (seconds >= LISTED_FROM_SECONDS || path in before.full),
);
const inFull = Object.keys(before.full)
  .filter((path) => existsSync(path))
  .map((path) => [path, full[path] ?? before.full[path]]);
const day = new Date().toISOString().slice(0, 10);
const after = {
  ...before,
  measured: `${day}, ${availableParallelism()} cores`,
  essential: longestFirst(listed),
  full: longestFirst(inFull),
};
writeFileSync(FILE, `${JSON.stringify(after, null, 2)}\n`);
