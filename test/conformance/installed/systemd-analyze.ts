// Finds `systemd-analyze` of systemd 250 or newer, which judges a unit where no systemd runs: on the PATH, else among
// Debian's packages, which are unpacked into a folder of the project and installed nowhere.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../../../src/local/processes/programs.ts';

const execute = promisify(execFile);
/** From this one on it judges a file instead of a unit of the system. */
const OLDEST = 250;

export interface Program {
  command: string;
  environment: NodeJS.ProcessEnv;
}

/** `directory` is the project's .local, where the unpacked packages are kept. */
export async function findSystemdAnalyze(directory: string): Promise<Program> {
  const installed = findOnPath('systemd-analyze');
  if (installed !== undefined) {
    const program = { command: installed, environment: {} };
    if (await isNewEnough(program)) return program;
  }
  const folder = join(directory, 'systemd');
  const unpacked = unpackedProgram(folder) ?? (await unpack(folder));
  if (await isNewEnough(unpacked)) return unpacked;
  throw new Error(`The units are judged by systemd-analyze ${OLDEST} or newer: put one on the PATH.`);
}

/** `systemd 252 (252.38-1~deb12u1)` */
async function isNewEnough({ command, environment }: Program): Promise<boolean> {
  const { stdout } = await execute(command, ['--version'], { env: { ...process.env, ...environment } });
  return Number(/^systemd (\d+)/.exec(stdout)?.[1]) >= OLDEST;
}

function unpackedProgram(folder: string): Program | undefined {
  const command = ['usr/bin', 'bin'].map((place) => join(folder, place, 'systemd-analyze')).find(existsSync);
  if (command === undefined) return undefined;
  const isLibrary = (name: string) => /\.so(\.|$)/.test(name);
  const folders = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => isLibrary(name))
    .map(({ parentPath }) => parentPath);
  return { command, environment: { LD_LIBRARY_PATH: [...new Set(folders)].join(delimiter) } };
}

/** What the machine has already is not fetched, so that it finds that in its usual place. */
async function unpack(folder: string): Promise<Program> {
  if (findOnPath('apt-get') === undefined)
    throw new Error('There is no systemd-analyze on the PATH and no apt-get to fetch it with: install systemd.');
  const [lists, cache] = [join(folder, 'apt/lists'), join(folder, 'apt/cache')];
  for (const place of [lists, join(cache, 'archives')]) mkdirSync(join(place, 'partial'), { recursive: true });
  const settings = [
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${cache}`,
    'Debug::NoLocking=true',
    'APT::Sandbox::User=',
  ];
  const apt = (...args: string[]) => execute('apt-get', [...settings.flatMap((one) => ['-o', one]), ...args]);
  await apt('update', '--quiet');
  await apt('install', '--yes', '--quiet', '--download-only', '--reinstall', '--no-install-recommends', 'systemd');
  for (const name of readdirSync(join(cache, 'archives')).filter((each) => each.endsWith('.deb')))
    await execute('dpkg-deb', ['--extract', join(cache, 'archives', name), folder]);
  rmSync(join(folder, 'apt'), { recursive: true });
  const program = unpackedProgram(folder);
  if (program === undefined) throw new Error('The packages of apt-get hold no systemd-analyze: install systemd.');
  return program;
}
