// Adds up what several suites have left behind: names what failed, and says the sum in one line. Ends with 1 when
// anything failed, or a suite left nothing.
import { existsSync, readFileSync } from 'node:fs';

const results = process.argv.slice(2).map((file) => {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  console.log(`${file} is not there: its suite did not end.`);
  return { passed: 0, failed: 1, names: [] };
});
for (const text of results.flatMap(({ names }) => names)) console.log(`FAILED  ${text}`);
const sum = (name) => results.reduce((total, result) => total + result[name], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
