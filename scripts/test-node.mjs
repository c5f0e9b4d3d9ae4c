// `npm run test:node -- 24 [files]`: the tests on another Node.js than the one that runs this: all of `npm test`, or
// the files alone. Whatever a test starts runs on that one too. A whole version, such as 26.12.1, is one that is not
// supported yet.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { installNode, VERSIONS } from './node-versions.mjs';

const [line, ...files] = process.argv.slice(2);
const version = VERSIONS[line] ?? /^\d+\.\d+\.\d+$/.exec(line)?.[0];
if (version === undefined) {
  console.error(`usage: npm run test:node -- ${Object.keys(VERSIONS).join('|')}|VERSION [files]`);
  process.exit(1);
}
const programs = installNode(version);
const env = { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` };
const script = files.length === 0 ? ['scripts/test.mjs'] : ['node_modules/vitest/vitest.mjs', 'run', ...files];
console.log(`Node.js ${version}: ${script.join(' ')}`);
process.exitCode = spawnSync(join(programs, 'node'), script, { stdio: 'inherit', env }).status ?? 1;
