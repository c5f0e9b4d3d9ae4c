// `npm run package`: one archive of what a host needs to run Countersign, for the platform on which it is made, with
// its checksum and a bill of materials, in build/package/. Two runs for one commit make the same bytes in any folder,
// by the same Node.js, npm and Rust. Reaches no network but the registries of npm and Cargo.
//   --to FOLDER            where the three files are put
//   --node-program FILE    takes a node program that was built before
//   --service-only FOLDER  lays out in FOLDER what the service's image has: no node program, no documents, no archive
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAll, processes } from './build.mjs';
import { packFolder } from './packaging/archive.mjs';
import { billOfMaterials } from './packaging/bill-of-materials.mjs';
import { cratesOfNodeProgram, licencesOfCrates } from './packaging/crates.mjs';
import { buildNodeProgram } from './packaging/node-program.mjs';
import { installProductionModules } from './packaging/production-modules.mjs';

/** What whoever installs it reads, and what the pages link to. */
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'CONTROLS.md',
  'DECISIONS.md',
  'RUNBOOK.md',
  'SECURITY.md',
  'docs',
  'deploy',
  'compose.yaml',
  'openapi.json',
  'bench/RESULTS.md',
  'mpc/README.md',
  'mpc/PROTOCOL.md',
  'mpc/RULES.md',
  'mpc/policies',
];

const root = resolve(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const platform = `${process.platform}-${process.arch}`;
const name = `countersign-${manifest.version}-${platform}`;
const { values: options } = parseArgs({
  options: { to: { type: 'string' }, 'node-program': { type: 'string' }, 'service-only': { type: 'string' } },
});
const commit = readCommit();

await buildAll();
if (options['service-only'] === undefined) packageAll(resolve(options.to ?? join(root, 'build/package')));
else layOutService(resolve(options['service-only']));

function packageAll(to) {
  const folder = join(to, name);
  layOutService(folder);
  for (const path of DOCUMENTS) cpSync(join(root, path), join(folder, path), { recursive: true });
  const program = join(folder, 'bin/mpc-node');
  mkdirSync(dirname(program));
  cpSync(options['node-program'] ?? buildNodeProgram(root, commit.id), program);
  const crates = cratesOfNodeProgram(root);
  mkdirSync(join(folder, 'licences'));
  writeFileSync(join(folder, 'licences/crates.txt'), licencesOfCrates(crates));

  const archive = `${name}.tar.gz`;
  const bill = `${name}.cdx.json`;
  const text = billOfMaterials({ root, date: commit.date, crates, nodeProgramSha256: sha256(program) });
  for (const path of [join(to, bill), join(folder, 'sbom.cdx.json')]) writeFileSync(path, text);
  packFolder(folder, join(to, archive), commit.date);
  rmSync(folder, { recursive: true });
  const sums = [archive, bill].map((file) => `${sha256(join(to, file))}  ${file}\n`);
  writeFileSync(join(to, 'SHA256SUMS'), sums.join(''));
  process.stdout.write(sums.join(''));
}

/** The programs with what they read beside themselves, and the packages that they import. */
function layOutService(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const programs = Object.keys(processes).filter((program) => !program.startsWith('local'));
  const files = programs.flatMap((program) => [`${program}.js`, `${program}.js.map`]);
  for (const file of [...files, 'workflow-bundle.js', 'migrations', 'logos', 'console'])
    cpSync(join(root, 'dist', file), join(folder, 'dist', file), { recursive: true });
  installProductionModules(root, folder);
  writeFileSync(join(folder, 'package.json'), jsonOf(productionManifest(programs)));
  const { id, date } = commit;
  writeFileSync(
    join(folder, 'build-info.json'),
    jsonOf({ version: manifest.version, commit: id, date: date.toISOString(), platform }),
  );
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/** Without what needs the sources. The programs are run by `npm run NAME` as from a clone. */
function productionManifest(programs) {
  const { name, version, description, license, type, engines, bin, dependencies } = manifest;
  const run = programs.map((program) => `node dist/${program}.js`);
  const scripts = Object.fromEntries(Object.entries(manifest.scripts).filter(([, script]) => run.includes(script)));
  return { name, version, description, license, private: true, type, engines, bin, scripts, dependencies };
}

/** Of what is built: all times in the archive are the commit's. Outside of a clone SOURCE_DATE_EPOCH has to say it. */
function readCommit() {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (!existsSync(join(root, '.git'))) {
    if (!epoch) throw new Error('This is no clone: set SOURCE_DATE_EPOCH to the seconds since 1970 of its commit.');
    return { id: process.env.SOURCE_COMMIT ?? 'unknown', date: new Date(Number(epoch) * 1000) };
  }
  const git = (...args) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
  const [id, seconds] = git('log', '-1', '--format=%H %ct').split(' ');
  const isChanged = git('status', '--porcelain') !== '';
  if (isChanged) console.log('There are changes that are not committed: the package has them.');
  return { id: isChanged ? `${id} and changes` : id, date: new Date(Number(epoch ?? seconds) * 1000) };
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function jsonOf(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
