// Real nodes, three by default, in a folder of their own, with keys of their own, for one test file. For tests only:
// all nodes run as one user on one machine.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ClusterConfig, connectCluster } from '../../../activities/mpc/client/connect-cluster.ts';
import type { Cluster } from '../../../activities/mpc/port.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';

const crate = fileURLToPath(new URL('../../../mpc/', import.meta.url));
const readyWithinMs = 60_000;
/** A node that has stopped for a new cluster file ends with it. */
const clusterFileChanged = 3;
/** A point, as an identity needs one. */
const NOBODY = '3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29';

export interface TestCluster {
  config: ClusterConfig;
  /** Where everything lies: `node-N` and `enrolment`, each as `mpc-node init` made it. */
  directory: string;
  /** Runs a command of the node program, and answers what it prints. */
  run(...args: string[]): Promise<object>;
  cluster: Cluster;
  isRunning(node: number): boolean;
  /** Of the node's process, while it runs. */
  pidOf(node: number): number;
  /** SIGKILL: the node gets no chance to tidy up. */
  kill(node: number): Promise<void>;
  /** On the same port, from the same folder; by another node program from then on, when one is named. */
  restart(node: number, program?: string): Promise<void>;
  /**
   * Gives its place in the cluster file to an identity that nobody holds; what is answered puts it back into the file.
   */
  takeOff(node: number): () => void;
  /** Also removes the folder. */
  stop(): Promise<void>;
}

export interface TestClusterOptions {
  /** Three when absent. */
  size?: number;
  /** Two when absent. */
  threshold?: number;
  /**
   * A node with a copy of the cluster file to itself, which goes on when the file changes. The others are started again
   * on the new one, as by any supervisor.
   */
  deaf?: number;
  /** The nodes' policy file; without one they have that of the sandbox. */
  policy?: object;
  /** Where node 1 tells over HTTP how it is. */
  observe?: string;
  /** The node program with which the nodes begin, when it is not this version's. */
  program?: string;
}

export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const { size = 3, threshold = 2, deaf, policy, observe } = options;
  const indexes = Array.from({ length: size }, (_, position) => position + 1);
  const binary = options.program ?? (await buildNode());
  const directory = mkdtempSync(join(tmpdir(), 'countersign-cluster-'));
  const clusterFile = join(directory, 'cluster.json');
  const credentialsDir = join(directory, 'orchestrator');
  const policyFile = join(directory, 'policy.json');
  if (policy === undefined) copyFileSync(join(crate, 'policies', 'sandbox.json'), policyFile);
  else writeFileSync(policyFile, JSON.stringify(policy));
  const placesOf = (index: number) => {
    const storeKeyFile = join(directory, 'keys', `node-${index}.key`);
    return ['--dir', join(directory, `node-${index}`), '--store-key-file', storeKeyFile];
  };
  const enrol = async (...args: string[]): Promise<object> =>
    JSON.parse((await promisify(execFile)(binary, args)).stdout);
  const nodes = await Promise.all(indexes.map((index) => enrol('init', '--index', `${index}`, ...placesOf(index))));
  const orchestrator = await enrol('init-orchestrator', '--dir', credentialsDir);
  const enrolment = await enrol('init-enrolment', '--dir', join(directory, 'enrolment'));
  const ownFile = join(directory, 'cluster-of-the-deaf.json');
  for (const file of [clusterFile, ownFile])
    writeFileSync(file, JSON.stringify({ threshold, nodes, orchestrator, ...enrolment }));

  const addresses = new Map<number, { host: string; port: number }>();
  for (const index of indexes) addresses.set(index, { host: '127.0.0.1', port: await findFreePort() });
  const programs = new Map(indexes.map((index) => [index, binary]));
  const running = new Map<number, ChildProcess>();
  const startingAgain = new Map<number, Promise<void>>();
  const start = async (index: number) => {
    const listen = `127.0.0.1:${addresses.get(index)?.port}`;
    const file = index === deaf ? ownFile : clusterFile;
    const args = ['serve', '--index', `${index}`, '--cluster', file, '--listen', listen, ...placesOf(index)];
    const logFile = join(directory, `node-${index}.log`);
    const observed = observe !== undefined && index === 1 ? ['--observe', observe] : [];
    const rules = ['--policy', policyFile, '--exit-with-stdin', ...observed];
    const node = await startNode(programs.get(index) ?? binary, [...args, ...rules], logFile);
    running.set(index, node);
    node.once('exit', (code) => {
      if (code !== clusterFileChanged || running.get(index) !== node) return;
      running.delete(index);
      startingAgain.set(
        index,
        start(index).catch(() => undefined),
      );
    });
  };
  const kill = async (index: number) => {
    await startingAgain.get(index);
    const node = running.get(index);
    running.delete(index);
    if (node === undefined || node.exitCode !== null || node.signalCode !== null) return;
    const exited = once(node, 'exit');
    node.kill('SIGKILL');
    await exited;
  };
  await Promise.all(indexes.map(start));

  const config = { nodes: addresses, clusterFile, credentialsDir };
  const cluster = connectCluster(config);
  return {
    config,
    directory,
    run: enrol,
    cluster,
    isRunning: (index) => running.has(index),
    pidOf(index) {
      const pid = running.get(index)?.pid;
      if (pid === undefined) throw new Error(`node ${index} does not run`);
      return pid;
    },
    kill,
    restart: async (index, program) => {
      await kill(index);
      if (program !== undefined) programs.set(index, program);
      await start(index);
    },
    takeOff(index) {
      const before = readFileSync(clusterFile, 'utf8');
      const file = JSON.parse(before);
      const tlsCertificate = readFileSync(join(credentialsDir, 'tls.crt'), 'utf8');
      file.nodes[index - 1] = { index, identity_public_key: NOBODY, tls_certificate: tlsCertificate };
      writeFileSync(clusterFile, JSON.stringify(file));
      return () => writeFileSync(clusterFile, before);
    },
    async stop() {
      await cluster.close();
      await Promise.all(indexes.map(kill));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

let built: Promise<string> | undefined;

/** Once for each process. Cargo's lock on the target folder makes parallel test workers wait for each other. */
export function buildNode(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const args = ['build', '--release', '--locked', '--bin', 'mpc-node'];
  const cargo = spawn('cargo', args, { cwd: crate, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(cargo, 'exit')) as [number | null];
  if (code !== 0) throw new Error('cargo could not build the node');
  return join(crate, 'target', 'release', 'mpc-node');
}

/** Resolves once the node says that it is ready. Its standard input keeps it alive: it ends with this process. */
async function startNode(binary: string, args: string[], logFile: string): Promise<ChildProcess> {
  const log = openSync(logFile, 'a');
  const node = spawn(binary, args, { stdio: ['pipe', 'pipe', log] });
  await new Promise<void>((resolve, reject) => {
    const failed = (why: string) => reject(new Error(`the node ${why}; see ${logFile}`));
    const timer = setTimeout(() => failed('is not ready in time'), readyWithinMs);
    node.once('exit', (code) => failed(`ended with ${code}`));
    node.once('error', (error) => failed(`did not start: ${error.message}`));
    let output = '';
    node.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (!/^ready /m.test(output)) return;
      clearTimeout(timer);
      resolve();
    });
  });
  return node;
}
