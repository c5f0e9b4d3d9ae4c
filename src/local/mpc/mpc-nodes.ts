// Enrols and runs the three MPC nodes of the sandbox, and restarts one that dies. All three run as one user on one
// machine, which is fit for a sandbox only: in production each node belongs to another operator. Reads no share and no
// key.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { writeAtomically } from '../atomic-file.ts';
import type { Supervision } from '../processes/keep-running.ts';
import { type Part, startPart } from '../processes/part.ts';
import { findFreePort } from '../processes/ports.ts';
import { supervise } from '../processes/supervise.ts';

const INDEXES = [1, 2, 3];
const THRESHOLD = 2;
const policyOf = (directory: string) => join(directory, 'policy.json');
/**
 * Below the range from which systems take ports for outgoing connections, so that a restarted node finds its own again.
 */
const FIRST_PORT = 8161;
const FIRST_OBSERVED_PORT = 9151;

export type MpcNodesOptions = {
  binary: string;
  directory: string;
  /**
   * Copied for the nodes, once. Without a policy a node refuses what gives power away, which the API offers to try in
   * the sandbox.
   */
  policyFile: string;
  logDirectory: string;
  /** Of the first node, in the place of the one of `npm start`: two starts at one moment find the same ports free. */
  firstPort?: number;
  /** Whether each node answers /metrics and /health on an address of its own. */
  observed?: boolean;
  supervision: Supervision;
  /** Called for every process that is started, first or again: the caller stops it. */
  onStart: (name: string, part: Part) => void;
};
export type MpcNodes = {
  /** As MPC_NODES, MPC_CLUSTER_FILE and MPC_CREDENTIALS_DIR take them. */
  addresses: string;
  clusterFile: string;
  credentialsDirectory: string;
  /** By index, where they are observed. */
  observedAt: ReadonlyMap<number, string>;
};

/** Where one node listens. */
type NodeAddresses = { listen: string; observe?: string };

export async function startMpcNodes(options: MpcNodesOptions): Promise<MpcNodes> {
  const directory = resolve(options.directory);
  const clusterFile = join(directory, 'cluster.json');
  const credentialsDirectory = join(directory, 'orchestrator');
  if (!existsSync(clusterFile)) await enrol(options.binary, directory, clusterFile, credentialsDirectory);
  // Kept once it is there: whoever edits it wants the edit.
  if (!existsSync(policyOf(directory))) copyFileSync(options.policyFile, policyOf(directory));

  const listens = await findAddresses(options.firstPort ?? FIRST_PORT);
  const observedAt = options.observed === true ? await findAddresses(FIRST_OBSERVED_PORT) : new Map<number, string>();
  await Promise.all(
    [...listens].map(([index, listen]) => {
      const observe = observedAt.get(index);
      return startNode(options, index, { listen, ...(observe !== undefined && { observe }) });
    }),
  );
  const addresses = [...listens].map(([index, listen]) => `${index}=${listen}`).join(',');
  return { addresses, clusterFile, credentialsDirectory, observedAt };
}

async function findAddresses(firstPort: number): Promise<Map<number, string>> {
  const addresses = new Map<number, string>();
  for (const index of INDEXES) addresses.set(index, `127.0.0.1:${await findFreePort(firstPort + index - 1)}`);
  return addresses;
}

/** The program keeps what exists, so an interrupted enrolment goes on where it was. */
async function enrol(binary: string, directory: string, clusterFile: string, credentials: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const ask = async (...args: string[]) => JSON.parse((await promisify(execFile)(binary, args)).stdout) as object;
  const nodes = await Promise.all(
    INDEXES.map((index) => ask('init', '--index', String(index), ...placesOf(directory, index))),
  );
  const orchestrator = await ask('init-orchestrator', '--dir', credentials);
  writeAtomically(clusterFile, `${JSON.stringify({ threshold: THRESHOLD, nodes, orchestrator }, null, 2)}\n`, 0o644);
}

/** The store key lies outside the node's folder: a backup of the shares must not carry it. */
function placesOf(directory: string, index: number): string[] {
  return ['--dir', join(directory, `node-${index}`), '--store-key-file', join(directory, 'keys', `node-${index}.key`)];
}

async function startNode(options: MpcNodesOptions, index: number, { listen, observe }: NodeAddresses): Promise<void> {
  const directory = resolve(options.directory);
  const name = `MPC node ${index}`;
  const start = async () => {
    const part = await startPart({
      command: options.binary,
      args: [
        'serve',
        '--index',
        String(index),
        '--cluster',
        join(directory, 'cluster.json'),
        '--listen',
        listen,
        ...(observe === undefined ? [] : ['--observe', observe]),
        ...placesOf(directory, index),
        '--policy',
        policyOf(directory),
        '--exit-with-stdin',
      ],
      environment: { PATH: process.env['PATH'] },
      logFile: join(options.logDirectory, `mpc-node-${index}.log`),
      lifeline: 'stdin',
    });
    options.onStart(name, part);
    return part;
  };
  const isReady = (part: Part) => /^ready /m.test(part.output()) || undefined;
  await supervise({ name, supervision: options.supervision, start, isReady });
}
