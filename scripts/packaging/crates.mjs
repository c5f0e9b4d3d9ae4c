// The crates that are compiled into the node program for this platform, as Cargo resolves them from Cargo.lock, and
// the licences that have to go with it. Crates that only its tests use are not among them.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/**
 * In the order of name and version. `dependsOn` has references of the same list; the first crate is ours.
 */
export function cratesOfNodeProgram(root) {
  const cargo = (...args) => execFileSync('cargo', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  const host = /^host: (.+)$/m.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }))[1];
  const manifestPath = join(root, 'mpc/Cargo.toml');
  const metadata = JSON.parse(
    cargo('metadata', '--format-version=1', '--locked', `--filter-platform=${host}`, '--manifest-path', manifestPath),
  );
  const packages = new Map(metadata.packages.map((crate) => [crate.id, crate]));
  const needs = new Map(
    metadata.resolve.nodes.map(({ id, deps }) => [id, deps.filter(isShipped).map(({ pkg }) => pkg)]),
  );
  const checksums = checksumsOf(readFileSync(join(root, 'mpc/Cargo.lock'), 'utf8'));
  const found = new Set([metadata.resolve.root]);
  for (const id of found) for (const needed of needs.get(id)) found.add(needed);
  const crates = [...found].map((id) => {
    const { name, version, license, manifest_path: path } = packages.get(id);
    const dependsOn = [...new Set(needs.get(id).map((needed) => referenceOf(packages.get(needed))))];
    const sha256 = checksums.get(`${name}@${version}`);
    return { name, version, licence: license, reference: referenceOf({ name, version }), sha256, dependsOn, path };
  });
  const [ours, ...others] = crates;
  return [ours, ...others.toSorted((one, other) => (one.reference < other.reference ? -1 : 1))];
}

function isShipped({ dep_kinds: kinds }) {
  return kinds.some(({ kind }) => kind !== 'dev');
}

function referenceOf({ name, version }) {
  return `pkg:cargo/${name}@${version}`;
}

function checksumsOf(lock) {
  const entries = lock.matchAll(/^name = "(.+)"\nversion = "(.+)"\nsource = ".+"\nchecksum = "(.+)"$/gm);
  return new Map([...entries].map(([, name, version, checksum]) => [`${name}@${version}`, checksum]));
}

/** Each text once, under the crates that have it. */
export function licencesOfCrates([, ...crates]) {
  const named = new Map();
  for (const { name, version, path } of crates)
    for (const file of readdirSync(dirname(path))
      .sort()
      .filter((file) => LICENCE_FILE.test(file))) {
      const text = readFileSync(join(dirname(path), file), 'utf8').trim();
      named.set(text, [...(named.get(text) ?? []), `${name} ${version} (${file})`]);
    }
  const line = '='.repeat(80);
  return [...named].map(([text, names]) => `${line}\n${names.join('\n')}\n${line}\n${text}\n\n`).join('');
}
