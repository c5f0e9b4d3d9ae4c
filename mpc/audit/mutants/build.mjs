// A copy of mpc/ with all mutants in one build. cargo-mutants says which there are. One that does not compile beside
// the others is taken out again, by what the compiler says, and is told as one to be built alone.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODULE, replaced, weave } from './weave.mjs';

/** What of a check or a build is on record. */
const OUTPUT_BYTES_MAX = 1 << 28;
/** Those whose names a mutant changes come with it; each round takes out what the compiler could see so far. */
const ROUNDS_MAX = 20;

/**
 * Numbered from 1, each with the function that it is in, the outer one of nested ones, and with those that a test has
 * to reach to notice it: that one, or for what is in none, as in a constant, any of the file. `groups` have lists of
 * files by name.
 */
export function listMutants(cargoMutants, folder, groups) {
  const all = Object.entries(groups).flatMap(([group, { files }]) =>
    listed(cargoMutants, folder, files).map((mutant) => ({ group, ...mutant })),
  );
  const functions = [];
  for (const { file, function: inside } of all) {
    const known = functions.find((other) => other.file === file && contains(other.span, inside?.span));
    if (inside !== null && known === undefined) functions.push({ id: functions.length, file, span: inside.span });
  }
  return all.map(({ group, file, function: inside, span, replacement, name }, index) => {
    const inFile = functions.filter((other) => other.file === file);
    const outer = inFile.findLast((other) => contains(other.span, inside?.span));
    const reachedBy = (outer === undefined ? inFile : [outer]).map(({ id }) => id);
    return { id: index + 1, group, file, function: outer, span, replacement, name, reachedBy };
  });
}

const isBefore = (one, other) => one.line < other.line || (one.line === other.line && one.column <= other.column);
const contains = (outer, inner) =>
  inner !== undefined && isBefore(outer.start, inner.start) && isBefore(inner.end, outer.end);

function listed(cargoMutants, folder, files) {
  const selected = files.flatMap((file) => ['--file', file]);
  const options = { encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX };
  return JSON.parse(execFileSync(cargoMutants, ['mutants', '--list', '--json', '--dir', folder, ...selected], options));
}

/** Answers which mutants are in the build of `copy`, and which are not. */
export function weaveAll(source, copy, target, mutants) {
  rmSync(copy, { recursive: true, force: true });
  cpSync(source, copy, { recursive: true, filter: (path) => !/(^|\/)target$/.test(path) });
  writeFileSync(join(copy, 'src/mutation.rs'), MODULE);
  writeFileSync(join(copy, 'src/lib.rs'), `${readFileSync(join(source, 'src/lib.rs'), 'utf8')}\npub mod mutation;\n`);
  const alone = new Set(mutants.filter((mutant) => mutant.function === undefined).map(({ id }) => id));
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const lines = new Map();
    for (const file of new Set(mutants.map((mutant) => mutant.file))) {
      const together = mutants.filter((mutant) => mutant.file === file && !alone.has(mutant.id));
      const woven = weave(readFileSync(join(source, file), 'utf8'), together);
      writeFileSync(join(copy, file), woven.text);
      lines.set(file, woven.lines);
    }
    const wrong = notCompiling(copy, target, lines);
    console.log(`round ${round}: ${mutants.length - alone.size} mutants in one build, ${wrong.size} do not compile so`);
    if (wrong.size === 0) return { together: mutants.filter(({ id }) => !alone.has(id)), alone };
    for (const id of wrong) alone.add(id);
  }
  throw new Error(`After ${ROUNDS_MAX} rounds the mutants do not compile.`);
}

/** Writes the one mutant into the copy, whose other files are woven, and answers how to take it out again. */
export function putAlone(source, copy, mutant) {
  const path = join(copy, mutant.file);
  const before = readFileSync(path);
  writeFileSync(path, replaced(readFileSync(join(source, mutant.file), 'utf8'), mutant));
  return () => writeFileSync(path, before);
}

export const compiles = (copy, target) => cargo(['check', '--lib'], copy, target).status === 0;

/** The test programs, or null when they do not compile. */
export function buildTests(copy, target, programs) {
  const selected = ['--lib', ...programs.flatMap((program) => ['--test', program])];
  const { status, messages } = cargo(['test', '--no-run', ...selected], copy, target);
  if (status !== 0) return null;
  return messages.filter(({ profile, executable }) => profile?.test && executable).map(({ executable }) => executable);
}

function notCompiling(copy, target, lines) {
  const { status, messages } = cargo(['check', '--lib'], copy, target);
  const wrong = new Set();
  for (const { message } of messages.filter(({ reason }) => reason === 'compiler-message')) {
    if (message.level !== 'error' || message.spans.length === 0) continue;
    const owners = message.spans.map((span) => ownerOf(lines, span)).filter((owner) => owner !== undefined);
    if (owners.length === 0) throw new Error(`The compiler does not say which mutant is meant:\n${message.rendered}`);
    wrong.add(owners[0]);
  }
  if (status !== 0 && wrong.size === 0) throw new Error('The copy does not compile, and no mutant is the reason.');
  return wrong;
}

function ownerOf(lines, { file_name: file, line_start: first, line_end: last }) {
  return lines.get(file)?.find((mutant) => mutant.first <= first && last <= mutant.last)?.id;
}

function cargo(command, copy, target) {
  const options = ['--locked', '--profile', 'mutants', '--message-format', 'json'];
  const { status, stdout } = spawnSync('cargo', [...command, ...options], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, CARGO_TARGET_DIR: target, RUSTFLAGS: '-Awarnings' },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const messages = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  return { status, messages };
}
