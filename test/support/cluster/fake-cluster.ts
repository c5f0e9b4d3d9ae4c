// The software signer behind the port, where every way to fail can be scripted and every call is remembered; unlike
// that one it knows which keys were asked for. Not a model of the protocol; for tests only.
import { randomBytes } from 'node:crypto';
import {
  ClusterError,
  type ClusterErrorCode,
  type GenerateKeyRequest,
  type NodeHealth,
  type PublicKey,
  type RefreshKeyRequest,
  type Signature,
  type SignRequest,
} from '../../../activities/mpc/port.ts';
import { SoftwareKeys, signWithKey } from '../../../activities/mpc/software/software-keys.ts';
import { SoftwareSigner } from '../../../activities/mpc/software/software-signer.ts';
import { signedBytesOf } from '../../../activities/mpc/verify/digest.ts';
import type { Curve } from '../../../domain/statuses.ts';

/**
 * What befalls one call. A code: refused, nothing was done. `lost`: everything was done, but the answer is that code.
 * `heldUntil`: nothing is done until this is resolved. `hang`: no answer until close or abort. `wrong_message` and
 * `wrong_key`: a signature, but not the one that was asked for.
 */
export type Fault =
  | ClusterErrorCode
  | { lost: ClusterErrorCode }
  | { delayMs: number }
  | { heldUntil: Promise<unknown> }
  | 'hang'
  | 'wrong_message'
  | 'wrong_key';

type Method = 'generateKey' | 'refreshKey' | 'sign';

/** To derive a child takes longer than to sign with it. */
class RememberingKeys extends SoftwareKeys {
  readonly #children = new Map<string, Uint8Array>();

  override privateKey(walletId: string, curve: Curve, path: readonly number[]): Uint8Array {
    const name = `${walletId} ${curve} ${path.join('/')}`;
    const child = this.#children.get(name) ?? super.privateKey(walletId, curve, path);
    this.#children.set(name, child);
    return child;
  }
}

export class FakeCluster extends SoftwareSigner {
  override readonly nodes: readonly number[] = [1, 2, 3];
  override readonly threshold = 2;
  /** Who makes signatures that are asked for from now on. */
  signers: readonly number[] = [1, 2];
  readonly generateCalls: GenerateKeyRequest[] = [];
  readonly refreshCalls: RefreshKeyRequest[] = [];
  readonly signCalls: SignRequest[] = [];
  /** How many signatures left the nodes, whether or not their answer arrived. */
  signaturesMade = 0;
  readonly #keys: SoftwareKeys;
  readonly #known = new Set<string>();
  readonly #faults: Record<Method, Fault[]> = { generateKey: [], refreshKey: [], sign: [] };
  readonly #closed = new AbortController();

  constructor(keys: SoftwareKeys = new RememberingKeys(randomBytes(32))) {
    super(keys);
    this.#keys = keys;
  }

  /** Each of the next calls of `method` meets one of these, in this order; calls after them go well. */
  meet(method: Method, ...faults: Fault[]): void {
    this.#faults[method].push(...faults);
  }

  /** The next call of `method` does nothing until the function that this answers is called. */
  hold(method: Method): () => void {
    let release = () => {};
    this.meet(method, { heldUntil: new Promise<void>((resolve) => (release = resolve)) });
    return () => release();
  }

  /** What was to befall the next calls does not. */
  spare(): void {
    for (const faults of Object.values(this.#faults)) faults.length = 0;
  }

  override async generateKey(request: GenerateKeyRequest): Promise<PublicKey> {
    this.generateCalls.push(request);
    return this.#under('generateKey', this.#closed.signal, () => {
      this.#known.add(`${request.walletId} ${request.curve}`);
      return super.generateKey(request);
    });
  }

  override async refreshKey(request: RefreshKeyRequest): Promise<number> {
    this.refreshCalls.push(request);
    return this.#under('refreshKey', this.#closed.signal, () => super.refreshKey(request));
  }

  override async sign<Verified>(
    request: SignRequest,
    verify: (signature: Signature) => Verified,
    abort?: AbortSignal,
  ): Promise<Verified> {
    this.signCalls.push(request);
    const { signers } = this;
    const signal = abort === undefined ? this.#closed.signal : AbortSignal.any([this.#closed.signal, abort]);
    return this.#under('sign', signal, async (fault) => {
      const { walletId, curve, path, payload } = request;
      const secret = this.privateKey(walletId, curve, fault === 'wrong_key' ? [...path, 1] : path);
      const signature = { ...(await super.sign(request, (made) => made)), signers };
      this.signaturesMade += 1;
      if (fault !== 'wrong_key' && fault !== 'wrong_message') return verify(signature);
      const signed = Uint8Array.from(signedBytesOf(payload));
      if (fault === 'wrong_message') signed[0] = (signed[0] ?? 0) ^ 1;
      return verify({ ...signature, ...signWithKey(curve, secret, signed) });
    });
  }

  override async health(): Promise<NodeHealth[]> {
    return this.nodes.map((node) => ({ node, reachable: true, version: 'fake', keys: this.#known.size }));
  }

  forgetCheckpoints(): void {
    this.checkpoints.clear();
  }

  override async close(): Promise<void> {
    this.#closed.abort();
  }

  /** The child's scalar, found from the private side: what no node and no caller ever sees. */
  privateKey(walletId: string, curve: Curve, path: readonly number[]): Uint8Array {
    if (!this.#known.has(`${walletId} ${curve}`))
      throw new ClusterError('mpc_refused', 'the nodes do not know this wallet');
    return this.#keys.privateKey(walletId, curve, path);
  }

  async #under<Answer>(
    method: Method,
    signal: AbortSignal,
    work: (fault: Fault | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const fault = this.#faults[method].shift();
    if (signal.aborted) throw new ClusterError('cluster_not_ready', 'the connections are closed');
    if (fault === 'hang') return hangUntil(signal);
    if (typeof fault === 'object' && 'delayMs' in fault) await new Promise((done) => setTimeout(done, fault.delayMs));
    if (typeof fault === 'object' && 'heldUntil' in fault) await fault.heldUntil;
    if (typeof fault === 'string' && fault !== 'wrong_message' && fault !== 'wrong_key')
      throw new ClusterError(fault, sentence(fault));
    const answer = await work(fault);
    if (typeof fault === 'object' && 'lost' in fault)
      throw new ClusterError(fault.lost, sentence(fault.lost), { mayBeSigned: method === 'sign' });
    return answer;
  }
}

const sentence = (code: ClusterErrorCode) => `the fake cluster answers ${code}`;

function hangUntil(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new ClusterError('aborted', 'the call was withdrawn')), {
      once: true,
    });
  });
}
