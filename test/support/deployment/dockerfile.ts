// Runs the steps of a Dockerfile without a container engine: each stage is a folder, COPY copies into it, and RUN runs
// the very command there, with the programs of this machine in place of the base image's. It knows the instructions
// that our Dockerfiles have, and refuses others.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

export type Instruction = { name: string; rest: string };
export type Stage = { image: string; as: string; instructions: Instruction[] };
/** What a container is started with. */
export type Image = {
  /** The root of its file system. */
  folder: string;
  base: string;
  workdir: string;
  user: string;
  environment: Record<string, string>;
  command: string[];
  entrypoint: string[];
  healthcheck: string[];
};
type Build = {
  /** The folder that is sent to the engine, without what .dockerignore names. */
  context: string;
  /** Where the stages are made. */
  folder: string;
  environment: Record<string, string | undefined>;
  /** Of a build: `--build-arg`. */
  args?: Record<string, string>;
  /** Before the first RUN of a stage, as a cache of the engine would. */
  prepare?: (root: string) => void;
};

export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  const stages: Stage[] = [];
  for (const line of lines.filter((each) => each.trim() !== '')) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    const [, image, as = ''] = (name === 'FROM' && /^(\S+)(?: AS (\S+))?$/.exec(rest)) || [];
    if (image !== undefined) stages.push({ image, as, instructions: [] });
    else if (stages.length === 0) throw new Error(`${line} stands before the first FROM.`);
    else stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

export function buildImage(dockerfile: string, build: Build): Image {
  const images = new Map<string, Image>();
  let last: Image | undefined;
  for (const [index, { image: base, as, instructions }] of parseDockerfile(
    readFileSync(dockerfile, 'utf8'),
  ).entries()) {
    const folder = join(build.folder, as || String(index));
    mkdirSync(folder, { recursive: true });
    last = { folder, base, workdir: '/', user: '', environment: {}, command: [], entrypoint: [], healthcheck: [] };
    const args: Record<string, string> = {};
    for (const instruction of instructions) carryOut(instruction, { image: last, args, images, build });
    images.set(as, last);
  }
  if (last === undefined) throw new Error(`${dockerfile} makes no image.`);
  return last;
}

type Step = { image: Image; args: Record<string, string>; images: Map<string, Image>; build: Build };

function carryOut({ name, rest }: Instruction, { image, args, images, build }: Step): void {
  const [key = '', value = ''] = rest.split(/=(.*)/s);
  switch (name) {
    case 'ARG':
      args[key] = build.args?.[key] ?? value;
      return;
    case 'ENV':
      image.environment[key] = value;
      return;
    case 'WORKDIR':
      image.workdir = rest;
      mkdirSync(join(image.folder, rest), { recursive: true });
      return;
    case 'COPY':
      return copy(rest, { image, images, build });
    case 'RUN':
      build.prepare?.(join(image.folder, image.workdir));
      execFileSync('/bin/sh', ['-c', rest], {
        cwd: join(image.folder, image.workdir),
        env: { ...build.environment, ...image.environment, ...args },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      return;
    case 'USER':
      image.user = rest;
      return;
    case 'CMD':
      image.command = JSON.parse(rest) as string[];
      return;
    case 'ENTRYPOINT':
      image.entrypoint = JSON.parse(rest) as string[];
      return;
    case 'HEALTHCHECK':
      image.healthcheck = JSON.parse(rest.replace(/^.*? CMD /, '')) as string[];
      return;
    case 'EXPOSE':
      return;
    default:
      throw new Error(`No Dockerfile of ours has had a ${name}: this runner does not know it.`);
  }
}

function copy(rest: string, { image, images, build }: Omit<Step, 'args'>): void {
  const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(rest) ?? [];
  const words = paths.split(/\s+/);
  const to = words.pop() ?? '';
  const source = from === undefined ? build.context : images.get(from)?.folder;
  if (source === undefined) throw new Error(`COPY ${rest}: there is no stage ${from}.`);
  const target = join(image.folder, to.startsWith('/') ? to : join(image.workdir, to));
  const ignored = from === undefined ? ignoredIn(build.context) : () => false;
  const filter = (path: string) => !ignored(relative(source, path));
  for (const word of words) {
    const path = join(source, word);
    if (!existsSync(path) || ignored(word)) throw new Error(`COPY ${rest}: there is no ${word}.`);
    const isFolder = readdirSyncOrUndefined(path) !== undefined;
    cpSync(path, isFolder || !/(^|\/)\.?$|\/$/.test(to) ? target : join(target, basename(word)), {
      recursive: true,
      filter,
    });
  }
}

function readdirSyncOrUndefined(path: string): string[] | undefined {
  try {
    return readdirSync(path);
  } catch {
    return undefined;
  }
}

/** Our .dockerignore has paths from the root only, and no patterns. */
function ignoredIn(context: string): (path: string) => boolean {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n');
  const paths = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return (path) => paths.some((ignored) => path === ignored || path.startsWith(`${ignored}/`));
}
