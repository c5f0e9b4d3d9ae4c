// Builds each client as its users get it, installs that apart from its sources, and says how its driver is run there.
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { installPythonTool } from '../../support/processes/python-tool.ts';
import type { Program } from './driver.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const drivers = join(import.meta.dirname, 'drivers');
const requirements = join(root, 'clients/python/requirements.txt');

export interface ClientPackage {
  name: string;
  /** What this machine lacks. */
  missing: string | undefined;
  prepare: () => Promise<Prepared>;
}

export interface Prepared {
  driver: Program;
  /** Each takes the file of credentials as its last argument. */
  examples: readonly Program[];
}

const folders: string[] = [];

function emptyFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${name}-`));
  folders.push(folder);
  return folder;
}

/** What was built and installed. */
export function removePackages(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export const clientPackages: readonly ClientPackage[] = [
  { name: '@countersign/client', missing: undefined, prepare: prepareTypeScript },
  { name: 'countersign for Python', missing: lackOfPython(), prepare: () => preparePython() },
  { name: 'countersign for Python, asynchronous', missing: lackOfPython(), prepare: () => preparePython('async') },
  { name: 'countersign for Go', missing: lackOf('go', ['version']), prepare: prepareGo },
];

/** The packed file, installed in a project that has nothing else. */
export async function installTypeScript(): Promise<{ project: string; packed: string; folder: string }> {
  const [folder, project] = [emptyFolder('package'), emptyFolder('project')];
  await execute(process.execPath, [join(root, 'clients/typescript/build.mjs'), folder]);
  const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', project], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const packed = join(project, filename);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  await execute('npm', ['install', '--silent', packed], { cwd: project });
  return { project, packed, folder };
}

async function prepareTypeScript(): Promise<Prepared> {
  const { project } = await installTypeScript();
  const program = (args: string[]) => ({ command: process.execPath, args, cwd: project });
  copyFileSync(join(drivers, 'typescript.mjs'), join(project, 'driver.mjs'));
  const examples = examplesOf('clients/typescript/examples');
  for (const { path, name } of examples) copyFileSync(path, join(project, name));
  return { driver: program(['driver.mjs']), examples: examples.map(({ name }) => program([name])) };
}

function examplesOf(folder: string): { path: string; name: string }[] {
  return readdirSync(join(root, folder)).map((name) => ({ path: join(root, folder, name), name }));
}

/** The wheel, installed apart from everything else; `python` has what it depends on, and mypy. */
export async function installPython(): Promise<{ python: string; site: string; wheel: string }> {
  const installed = await installPythonTool('python', requirements);
  if ('missing' in installed) throw new Error(installed.missing);
  const python = installed.program;
  const [wheels, site] = [emptyFolder('wheel'), emptyFolder('site')];
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-deps'];
  const source = join(root, 'clients/python');
  await execute(python, ['-m', 'pip', 'wheel', ...quietly, '--no-build-isolation', '--wheel-dir', wheels, source]);
  const wheel = join(wheels, readdirSync(wheels)[0] ?? '');
  await execute(python, ['-m', 'pip', 'install', ...quietly, '--target', site, wheel]);
  return { python, site, wheel };
}

async function preparePython(...args: string[]): Promise<Prepared> {
  const { python, site } = await installPython();
  const program = (given: string[]) => ({ command: python, args: given, cwd: site });
  copyFileSync(join(drivers, 'python.py'), join(site, 'driver.py'));
  const examples = examplesOf('clients/python/examples');
  for (const { path, name } of examples) copyFileSync(path, join(site, name));
  return { driver: program(['driver.py', ...args]), examples: examples.map(({ name }) => program([name])) };
}

async function prepareGo(): Promise<Prepared> {
  const programs = emptyFolder('go');
  await execute('go', ['build', '-o', join(programs, 'driver'), '.'], { cwd: join(drivers, 'go') });
  await execute('go', ['build', '-o', programs, './examples/...'], { cwd: join(root, 'clients/go') });
  const program = (name: string) => ({ command: join(programs, name), args: [], cwd: programs });
  return { driver: program('driver'), examples: examplesOf('clients/go/examples').map(({ name }) => program(name)) };
}

function lackOf(command: string, args: string[]): string | undefined {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return undefined;
  } catch {
    return `there is no ${command} on the PATH`;
  }
}

function lackOfPython(): string | undefined {
  const python = process.env['PYTHON'] ?? 'python3';
  const lack = lackOf(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']);
  return lack === undefined ? undefined : `${python} is not there, or older than 3.11`;
}
