// Lets somebody watch the cluster's client: how long a call takes, and each question to a node. Who watches sees names,
// times and codes, never any content.
import type { Curve } from '../../../domain/statuses.ts';
import { type Cluster, ClusterError, type Signature, type SignRequest } from '../port.ts';
import type { NodeTransport } from '../transport/node-transport.ts';
import type { RefusalCode, RequestBody, ResponseBody } from '../transport/wire.ts';

/** Hears how it ended: `ok`, or the code of the failure. */
export type Ended = (outcome: string) => void;

export interface ClusterObserver {
  /** Key generation or signing begins: the choice of a quorum, its session, and those that follow when it fails. */
  onCall(call: 'generate_key' | 'refresh_key' | 'sign', curve: Curve): Ended;
  onQuestion(node: number, question: RequestBody['kind']): Ended;
  /** A node that will be asked. */
  onNode(node: number): void;
  onRefusal(node: number, code: RefusalCode): void;
  /** These nodes answered a signature that the caller does not accept. */
  onWrongSignature(signers: readonly number[], curve: Curve): void;
}

export function observedCluster(cluster: Cluster, observer: ClusterObserver): Cluster {
  const watching =
    <Verified>({ curve }: SignRequest, verify: (signature: Signature) => Verified) =>
    (signature: Signature): Verified => {
      try {
        return verify(signature);
      } catch (error) {
        observer.onWrongSignature(signature.signers, curve);
        throw error;
      }
    };
  return {
    nodes: cluster.nodes,
    threshold: cluster.threshold,
    generateKey: (request) =>
      watched(observer.onCall('generate_key', request.curve), () => cluster.generateKey(request)),
    refreshKey: (request) => watched(observer.onCall('refresh_key', request.curve), () => cluster.refreshKey(request)),
    sharesOf: (request) => cluster.sharesOf(request),
    repairShare: (command) => cluster.repairShare(command),
    sign: (request, verify, abort) =>
      watched(observer.onCall('sign', request.curve), () => cluster.sign(request, watching(request, verify), abort)),
    health: () => cluster.health(),
    keepCheckpoint: (checkpoint) => cluster.keepCheckpoint(checkpoint),
    readCheckpoints: (question) => cluster.readCheckpoints(question),
    close: () => cluster.close(),
  };
}

export class ObservedNode implements NodeTransport {
  readonly #node: NodeTransport;
  readonly #observer: ClusterObserver;

  constructor(node: NodeTransport, observer: ClusterObserver) {
    this.#node = node;
    this.#observer = observer;
    observer.onNode(node.index);
  }

  get index(): number {
    return this.#node.index;
  }

  get readiness(): NodeTransport['readiness'] {
    return this.#node.readiness;
  }

  warm(): void {
    this.#node.warm();
  }

  async call(body: RequestBody, timeoutMs: number): Promise<ResponseBody> {
    const ended = this.#observer.onQuestion(this.index, body.kind);
    const answer = await watched(ended, () => this.#node.call(body, timeoutMs), isRefusal);
    if (answer.kind === 'Refused') this.#observer.onRefusal(this.index, answer.code);
    return answer;
  }

  close(): void {
    this.#node.close();
  }
}

const isRefusal = ({ kind }: ResponseBody): boolean => kind === 'Refused';

async function watched<Answer>(
  ended: Ended,
  call: () => Promise<Answer>,
  refused: (answer: Answer) => boolean = () => false,
): Promise<Answer> {
  try {
    const answer = await call();
    ended(refused(answer) ? 'refused' : 'ok');
    return answer;
  } catch (error) {
    ended(error instanceof ClusterError ? error.code : 'internal_error');
    throw error;
  }
}
