// Writes what the last `npm test`, `npm run test:full` and `npm run test:release` measured into test/seconds.json.
// Moves no file from one suite to another: that is decided by hand, in that file. Run it after they have run on an
// idle machine, and `npm run format` after it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const FILE = 'test/seconds.json';
/** A file that takes less is not listed, unless it is in the full suite too. */
const LISTED_FROM_SECONDS = 5;

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const measured = (path) => (existsSync(path) ? read(path) : {});
const longestFirst = (entries) => Object.fromEntries(entries.sort(([, one], [, other]) => other - one));

const before = read(FILE);
const essential = measured('build/test-seconds.json');
const listed = Object.entries({ ...before.essential, ...essential }).filter(
  ([path, seconds]) => existsSync(path) && (seconds >= LISTED_FROM_SECONDS || path in before.full),
);
const day = new Date().toISOString().slice(0, 10);
const after = {
  ...before,
  measured: `${day}, ${availableParallelism()} cores`,
  essential: longestFirst(listed),
  full: again('full'),
  release: again('release'),
};
writeFileSync(FILE, `${JSON.stringify(after, null, 2)}\n`);

/** The files that stand in this suite, with what was measured now where they have run. */
function again(suite) {
  const now = measured(`build/test-${suite}-seconds.json`);
  const files = Object.keys(before[suite]).filter((path) => existsSync(path));
  return longestFirst(files.map((path) => [path, now[path] ?? before[suite][path]]));
}
