// Goal: what the Dockerfiles say makes images that start, without a name or a right of their own and without writing to
// their file system. Method: there is no container engine here, so their very steps run in folders, with the programs
// of this machine and the Node.js that they name; what comes out is started as the image says, on real PostgreSQL and
// Temporal. Does not cover what the base images bring, nor the engine.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installNode, VERSIONS } from '../../../scripts/node-versions.mjs';
import { findMpcNode } from '../../../src/local/mpc/mpc-binary.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { GLIBC_TUNABLES, YOUNG_HEAP_OPTION } from '../../../src/local/processes/service-processes.ts';
import { buildImage, type Image, parseDockerfile } from '../../support/deployment/dockerfile.ts';
import { createTestDatabase, type TestDatabase } from '../../support/processes/postgres.ts';
import { testTemporal } from '../../support/processes/temporal.ts';

const MINUTE_MS = 60_000;
const root = resolve(import.meta.dirname, '../../..');
const dockerfileOf = (name: string) => join(root, `deploy/docker/${name}.Dockerfile`);
const SOURCE_COMMIT = '0123456789012345678901234567890123456789';

let folder: string;
let programs: string;
let database: TestDatabase;
const running: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'countersign-images-'));
  chmodSync(folder, 0o755); // others read an image
  programs = join(folder, 'node');
  cpSync(installNode(VERSIONS[24]), programs, { recursive: true });
}, 3 * MINUTE_MS);
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const path = () => [programs, process.env['PATH']].join(delimiter);

/** As the image's user, where the test may become another one; its files are not his. */
function as({ user }: Image) {
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  return process.getuid?.() === 0 ? { uid, gid } : {};
}

describe.each(['service', 'node'])('the image of the %s', (name) => {
  const stages = parseDockerfile(readFileSync(dockerfileOf(name), 'utf8'));

  test('is made in stages, of base images of one version each', () => {
    expect(stages.length).toBeGreaterThan(1);
    for (const { image } of stages) expect(image).toMatch(/^(node|rust|debian):\d+\.\d+(\.\d+)?-(slim-)?[a-z-]+$/);
    for (const { image } of stages.filter(({ image }) => image.startsWith('node:')))
      expect(image).toBe(`node:${VERSIONS[24]}-trixie-slim`);
  });

  test('runs as a user without a name or rights', () => {
    const users = stages.at(-1)?.instructions.filter((instruction) => instruction.name === 'USER');
    expect(users).toEqual([{ name: 'USER', rest: '10001:10001' }]);
  });
});

describe('what the service image has', () => {
  let image: Image;
  let environment: Record<string, string>;
  beforeAll(async () => {
    image = buildImage(withInstalledPackages(), {
      context: root,
      folder: join(folder, 'service'),
      environment: { PATH: path(), HOME: process.env['HOME'] },
      args: { SOURCE_DATE_EPOCH: '1790000000', SOURCE_COMMIT },
    });
    const { address, taskQueue } = testTemporal('images');
    environment = {
      ...image.environment,
      PATH: path(),
      DATABASE_URL: database.serviceUrl ?? database.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TASK_QUEUE: taskQueue,
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      MPC_SOFTWARE_SEED: randomBytes(32).toString('hex'),
      HOST: '127.0.0.1',
      PORT: String(await findFreePort()),
    };
  }, 30 * MINUTE_MS);

  /** Those of this clone, which the same command has installed by the same lock file: it writes 60,000 files. */
  function withInstalledPackages(): string {
    const text = readFileSync(dockerfileOf('service'), 'utf8');
    const installs = /^RUN npm ci --ignore-scripts .*$/m;
    if (!installs.test(text)) throw new Error('the Dockerfile installs no packages');
    const path = join(folder, 'service.Dockerfile');
    writeFileSync(path, text.replace(installs, `RUN ln -s ${join(root, 'node_modules')} node_modules`));
    return path;
  }

  function start(
    [program = '', ...args]: string[],
    more: Record<string, string> = {},
  ): { child: ChildProcess; output: () => string } {
    const cwd = join(image.folder, image.workdir);
    const child = spawn(program, args, { cwd, env: { ...environment, ...more }, ...as(image) });
    running.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += String(data)));
    return { child, output: () => output };
  }

  async function end([...command]: string[]): Promise<number | null> {
    const { child } = start(command);
    return new Promise((done) => child.once('close', done));
  }

  test('is the service alone, of the commit that was given', () => {
    expect(image.workdir).toBe('/opt/countersign');
    const home = join(image.folder, image.workdir);
    expect(JSON.parse(readFileSync(join(home, 'build-info.json'), 'utf8'))).toMatchObject({
      commit: SOURCE_COMMIT,
      date: '2026-09-21T14:13:20.000Z',
    });
    for (const absent of ['src', 'test', '.git', '.npmrc', 'node_modules/vitest', 'bin'])
      expect(existsSync(join(home, absent))).toBe(false);
  });

  test('keeps the young part of the heap, and what is freed, as small as `npm start` does', () => {
    expect(image.environment).toMatchObject({ NODE_OPTIONS: YOUNG_HEAP_OPTION, GLIBC_TUNABLES });
  });

  test('a command says what it needs, the API is healthy by the image’s own word, a worker works', {
    timeout: 3 * MINUTE_MS,
  }, async () => {
    const migrate = start(['node', 'dist/migrate.js'], { DATABASE_URL: database.url });
    await expect.poll(migrate.output).toMatch(/^The tables are up to date \(version \d+\)\.$/m);

    expect(await end(image.healthcheck)).not.toBe(0);
    const api = start(image.command);
    await expect.poll(() => end(image.healthcheck), { interval: 500 }).toBe(0);
    const worker = start(['node', 'dist/worker.js']);
    await expect.poll(worker.output).toContain('"msg":"worker running"');

    for (const { child } of [api, worker]) child.kill('SIGTERM');
    await expect.poll(() => api.child.exitCode, { message: api.output() }).toBe(0);
    // What was told to end before it had started to listen for it ends by the signal.
    const endOf = ({ child }: typeof worker) => child.exitCode ?? child.signalCode;
    await expect.poll(() => [0, 'SIGTERM'].includes(endOf(worker) ?? ''), { message: worker.output() }).toBe(true);
  });
});

describe('what the node image has', () => {
  let image: Image;
  beforeAll(async () => {
    const reporting = { report: () => {}, signal: new AbortController().signal };
    await findMpcNode(join(root, 'mpc'), join(folder, 'cargo.log'), reporting);
    image = buildImage(withoutLinkingAsAWhole(), {
      context: root,
      folder: join(folder, 'node-image'),
      environment: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
      prepare: withCompiledCrates,
    });
  }, 20 * MINUTE_MS);

  /**
   * What is shipped is linked as a whole, which takes minutes and changes nothing that is looked at here. By the
   * profile of the tests the crates of others are compiled, and Cargo, which looks into a folder of the same name,
   * compiles ours alone.
   */
  function withoutLinkingAsAWhole(): string {
    const text = readFileSync(dockerfileOf('node'), 'utf8');
    const changed = text.replace('--profile shipped', '--release').replace('target/shipped/', 'target/release/');
    const path = join(folder, 'node.Dockerfile');
    writeFileSync(path, changed);
    return path;
  }

  function withCompiledCrates(workdir: string): void {
    const target = join(workdir, 'mpc/target/release');
    mkdirSync(target, { recursive: true });
    for (const name of ['deps', 'build', '.fingerprint'])
      execFileSync('cp', ['--archive', '--reflink=auto', join(root, 'mpc/target/release', name), target]);
  }

  const run = ([program = '', ...args]: string[]) =>
    execFileSync(join(image.folder, program), args, { encoding: 'utf8', stdio: 'pipe', env: {}, ...as(image) });

  test('the program makes keys in a volume, and its probe says when nobody serves', () => {
    expect(run([...image.entrypoint, '--version'])).toMatch(/^mpc-node \d+\.\d+\.\d+$/m);
    const volume = join(folder, 'volume');
    mkdirSync(volume);
    chmodSync(volume, 0o777);
    const files = ['--dir', join(volume, 'node'), '--index', '1', '--store-key-file', join(volume, 'store.key')];
    expect(JSON.parse(run([...image.entrypoint, 'init', ...files]))).toMatchObject({ index: 1 });
    expect(() => run(image.healthcheck)).toThrow(/mpc-node: [^\n]+\n/);
  });
});
