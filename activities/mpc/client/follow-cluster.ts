// The port that keeps up with the cluster file: on the file of yesterday this process would go on with a node that was
// taken off it. When the file is another one, the connections of before end at once (what is under way fails as
// retryable) and new ones stand on the new file. While there is no valid file, no node is asked.
import { readFileSync } from 'node:fs';
import type { Logger } from '../../../domain/logger.ts';
import { type Cluster, ClusterError, type NodeHealth } from '../port.ts';

const pollEveryMs = 250;
/** A file that is being written is not whole for a moment. */
export const unreadableForMs = 1_000;

export interface FollowOptions {
  /** Path of cluster.json. */
  clusterFile: string;
  /** Builds the port from the text of the file; throws when it is not valid. */
  connect: (text: string) => Cluster;
  log: Pick<Logger, 'warn' | 'error'>;
}

/** Throws a plain error when there is no valid file at the start. */
export function followCluster(options: FollowOptions): Cluster {
  const { clusterFile } = options;
  const followed = new FollowedCluster(options, readFileSync(clusterFile, 'utf8'));
  // At once and not in turns: a process that gets little of its machine needs seconds for the turns of one read, which
  // is no file that cannot be read. While a disk hangs this holds up the process, which then asks no node either.
  const poll = () => followed.see(readOrNothing(clusterFile), performance.now());
  const timer = setInterval(poll, pollEveryMs).unref();
  followed.onClose = () => clearInterval(timer);
  return followed;
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

export class FollowedCluster implements Cluster {
  readonly #options: Omit<FollowOptions, 'clusterFile'>;
  #text: string;
  #current: Cluster | undefined;
  /** What the last valid file said, also while there is none. */
  #shape: Pick<Cluster, 'nodes' | 'threshold'>;
  #unreadableSinceMs: number | undefined;
  #closed = false;
  onClose: () => void = () => undefined;

  constructor(options: Omit<FollowOptions, 'clusterFile'>, text: string) {
    this.#options = options;
    this.#text = text;
    this.#current = options.connect(text);
    this.#shape = this.#current;
  }

  get nodes() {
    return this.#shape.nodes;
  }

  get threshold() {
    return this.#shape.threshold;
  }

  /** `text` is what the file holds now, `undefined` if it cannot be read. */
  see(text: string | undefined, nowMs: number): void {
    if (this.#closed) return;
    const isKnown = text === this.#text && this.#current !== undefined;
    const problem = isKnown ? undefined : this.#adopt(text);
    if (problem === undefined) {
      this.#unreadableSinceMs = undefined;
      return;
    }
    this.#unreadableSinceMs ??= nowMs;
    if (this.#current === undefined || nowMs - this.#unreadableSinceMs < unreadableForMs) return;
    this.#options.log.error({ err: problem }, 'there is no valid cluster file: no MPC node is asked until there is');
    this.#replace(undefined);
  }

  /** Answers what is wrong with the text, if anything is. */
  #adopt(text: string | undefined): unknown {
    if (text === undefined) return new Error('the cluster file cannot be read');
    try {
      this.#replace(this.#options.connect(text));
    } catch (error) {
      return error;
    }
    this.#text = text;
    this.#options.log.warn({}, 'the cluster file has changed: its MPC nodes are connected to anew');
    return undefined;
  }

  #replace(next: Cluster | undefined): void {
    const before = this.#current;
    this.#current = next;
    if (next !== undefined) this.#shape = next;
    before
      ?.close()
      .catch((err: unknown) => this.#options.log.warn({ err }, 'closing the connections of before failed'));
  }

  #connected(): Cluster {
    if (this.#current === undefined) throw new ClusterError('cluster_not_ready', 'there is no valid cluster file');
    return this.#current;
  }

  // Async, so that a missing file is a rejection and not an exception.
  generateKey: Cluster['generateKey'] = async (request) => this.#connected().generateKey(request);
  refreshKey: Cluster['refreshKey'] = async (request) => this.#connected().refreshKey(request);
  sharesOf: Cluster['sharesOf'] = async (request) => this.#connected().sharesOf(request);
  repairShare: Cluster['repairShare'] = async (command) => this.#connected().repairShare(command);
  sign: Cluster['sign'] = async (request, verify, abort) => this.#connected().sign(request, verify, abort);
  keepCheckpoint: Cluster['keepCheckpoint'] = async (checkpoint) => this.#connected().keepCheckpoint(checkpoint);
  readCheckpoints: Cluster['readCheckpoints'] = async (question) => this.#connected().readCheckpoints(question);

  async health(): Promise<NodeHealth[]> {
    if (this.#current !== undefined) return this.#current.health();
    return this.nodes.map((node) => ({ node, reachable: false, reason: 'there is no valid cluster file' }));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.onClose();
    await this.#current?.close();
  }
}
