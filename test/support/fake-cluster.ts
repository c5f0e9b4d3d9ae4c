// A cluster in memory behind the port, with whole keys: its signatures verify, it keeps the port's promises (a key exists once, an operation id is bound
// to one message), and every way to fail can be scripted. Not a model of the protocol; for tests only.
import { createHmac, randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { HDKey } from '@scure/bip32';
import {
  type Checkpoint,
  type CheckpointQuestion,
  type Cluster,
  ClusterError,
  type ClusterErrorCode,
  type GenerateKeyRequest,
  type NodeHealth,
  type PublicKey,
  type Signature,
  type SignRequest,
} from '../../activities/mpc/cluster.ts';
import { signedBytesOf } from '../../activities/mpc/digest.ts';
import { wirePayload } from '../../activities/mpc/payload.ts';
import type { Curve } from '../../drizzle/status.ts';
import { requiredSigners } from '../../payloads/solana-message.ts';

/**
 * What befalls one call. A code: refused, nothing was done. `lost`: everything was done, but the answer is that code. `hang`: no answer until close or abort.
 * `wrong_message` and `wrong_key`: a signature, but not the one that was asked for.
 */
export type Fault =
  | ClusterErrorCode
  | { lost: ClusterErrorCode }
  | { delayMs: number }
  | 'hang'
  | 'wrong_message'
  | 'wrong_key';

interface RootKey {
  /** 32 bytes, big-endian: the scalar on either curve. */
  secret: Uint8Array;
  publicKey: Uint8Array;
  chainCode: Uint8Array;
}

const ed25519Order = ed25519.Point.Fn.ORDER;

export class FakeCluster implements Cluster {
  readonly nodes = [1, 2, 3];
  readonly threshold = 2;
  readonly generateCalls: GenerateKeyRequest[] = [];
  readonly signCalls: SignRequest[] = [];
  /** How many signatures left the nodes, whether or not their answer arrived. */
  signaturesMade = 0;
  readonly #keys = new Map<string, RootKey>();
  readonly #messages = new Map<string, string>();
  readonly #checkpoints = new Map<string, Checkpoint>();
  readonly #faults: { generateKey: Fault[]; sign: Fault[] } = { generateKey: [], sign: [] };
  readonly #closed = new AbortController();

  /** Each of the next calls of `method` meets one of these, in this order; calls after them go well. */
  meet(method: 'generateKey' | 'sign', ...faults: Fault[]): void {
    this.#faults[method].push(...faults);
  }

  /** What was to befall the next calls does not. */
  spare(): void {
    for (const faults of Object.values(this.#faults)) faults.length = 0;
  }

  async generateKey(request: GenerateKeyRequest): Promise<PublicKey> {
    this.generateCalls.push(request);
    const { walletId, curve } = request;
    return this.#under('generateKey', this.#closed.signal, () => {
      const { publicKey, chainCode } = this.#existing(walletId, curve) ?? this.#create(walletId, curve);
      return { publicKey: Uint8Array.from(publicKey), chainCode: Uint8Array.from(chainCode) };
    });
  }

  async sign(request: SignRequest, abort?: AbortSignal): Promise<Signature> {
    this.signCalls.push(request);
    const signal = abort === undefined ? this.#closed.signal : AbortSignal.any([this.#closed.signal, abort]);
    return this.#under('sign', signal, (fault) => {
      const { walletId, curve, path, payload, operationId } = request;
      wirePayload(payload, curve);
      const signed = Uint8Array.from(signedBytesOf(payload));
      this.#bind(operationId, `${walletId} ${curve} ${path.join('/')} ${hexOf(signed)}`);
      this.#assertSigner(request);
      const secret = this.privateKey(walletId, curve, fault === 'wrong_key' ? [...path, 1] : path);
      if (fault === 'wrong_message') signed[0] = (signed[0] ?? 0) ^ 1;
      this.signaturesMade += 1;
      return { ...signWith(curve, secret, signed), signers: [1, 2] };
    });
  }

  async health(): Promise<NodeHealth[]> {
    return [1, 2, 3].map((node) => ({ node, reachable: true, version: 'fake', keys: this.#keys.size }));
  }

  /** Every node keeps the same: one that is away, or lies, is for tests with real nodes. */
  async keepCheckpoint(checkpoint: Checkpoint): Promise<void> {
    const kept = this.#checkpoints.get(checkpoint.workspaceId);
    if (
      kept !== undefined &&
      (kept.seq > checkpoint.seq || (kept.seq === checkpoint.seq && kept.hash !== checkpoint.hash))
    )
      throw new ClusterError('mpc_refused', 'another or a later checkpoint is kept');
    this.#checkpoints.set(checkpoint.workspaceId, checkpoint);
  }

  async readCheckpoints({ after }: CheckpointQuestion): Promise<Checkpoint[]> {
    const all = [...this.#checkpoints.values()].toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
    return all.filter(({ workspaceId }) => after === undefined || workspaceId > after.workspaceId);
  }

  forgetCheckpoints(): void {
    this.#checkpoints.clear();
  }

  async close(): Promise<void> {
    this.#closed.abort();
  }

  /** The child's scalar, found from the private side: what no node and no caller ever sees. */
  privateKey(walletId: string, curve: Curve, path: readonly number[]): Uint8Array {
    const root = this.#existing(walletId, curve);
    if (root === undefined) throw new ClusterError('mpc_refused', 'the nodes do not know this wallet');
    return curve === 'secp256k1' ? childOnSecp256k1(root, path) : childOnEd25519(root, path);
  }

  #existing(walletId: string, curve: Curve): RootKey | undefined {
    return this.#keys.get(`${walletId} ${curve}`);
  }

  #create(walletId: string, curve: Curve): RootKey {
    const secret = curve === 'secp256k1' ? secp256k1.utils.randomSecretKey() : randomEd25519Scalar();
    const publicKey = curve === 'secp256k1' ? secp256k1.getPublicKey(secret) : pointOf(secret);
    const key = { secret, publicKey, chainCode: Uint8Array.from(randomBytes(32)) };
    this.#keys.set(`${walletId} ${curve}`, key);
    return key;
  }

  #bind(operationId: string, message: string): void {
    const bound = this.#messages.get(operationId);
    if (bound !== undefined && bound !== message)
      throw new ClusterError('mpc_refused', 'another message was signed under this operation id');
    this.#messages.set(operationId, message);
  }

  /** As the nodes do: a Solana message is signed only by a key that it asks for. */
  #assertSigner({ walletId, curve, path, payload }: SignRequest): void {
    if (payload.kind !== 'solana_transaction') return;
    const key = pointOf(this.privateKey(walletId, curve, path));
    if (!requiredSigners(payload.message).some((signer) => hexOf(signer) === hexOf(key)))
      throw new ClusterError('mpc_refused', 'the key is not a signer of the Solana message');
  }

  async #under<Answer>(
    method: 'generateKey' | 'sign',
    signal: AbortSignal,
    work: (fault: Fault | undefined) => Answer,
  ): Promise<Answer> {
    const fault = this.#faults[method].shift();
    if (signal.aborted) throw new ClusterError('cluster_not_ready', 'the connections are closed');
    if (fault === 'hang') return hangUntil(signal);
    if (typeof fault === 'object' && 'delayMs' in fault) await new Promise((done) => setTimeout(done, fault.delayMs));
    if (typeof fault === 'string' && fault !== 'wrong_message' && fault !== 'wrong_key')
      throw new ClusterError(fault, sentence(fault));
    const answer = work(fault);
    if (typeof fault === 'object' && 'lost' in fault) throw new ClusterError(fault.lost, sentence(fault.lost));
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

function childOnSecp256k1({ secret, chainCode }: RootKey, path: readonly number[]): Uint8Array {
  const root = new HDKey({ privateKey: secret, chainCode });
  const { privateKey } = path.reduce((parent, index) => parent.deriveChild(index), root);
  if (privateKey === null) throw new Error('a private child has a private key');
  return privateKey;
}

/** The mirror of derive.ts: what that adds to the point, this adds to the scalar. */
function childOnEd25519(root: RootKey, path: readonly number[]): Uint8Array {
  let scalar = toScalar(root.secret);
  let chainCode: Uint8Array = root.chainCode;
  for (const index of path) {
    const input = Buffer.alloc(37);
    input.set(pointOf(toSecret(scalar)));
    input.writeUInt32BE(index, 33);
    const output = createHmac('sha512', chainCode).update(input).digest();
    scalar = (scalar + toScalar(output.subarray(0, 32))) % ed25519Order;
    chainCode = output.subarray(32);
  }
  return toSecret(scalar);
}

function signWith(curve: Curve, secret: Uint8Array, signed: Uint8Array): Pick<Signature, 'bytes' | 'recoveryId'> {
  if (curve === 'ed25519') return { bytes: signEd25519(secret, signed), recoveryId: 0 };
  const recovered = secp256k1.sign(signed, secret, { prehash: false, format: 'recovered' });
  return { bytes: recovered.subarray(1), recoveryId: recovered[0] === 1 ? 1 : 0 };
}

/** RFC 8032 with a bare scalar and a random nonce, as the nodes do it: a derived scalar has no seed. */
function signEd25519(secret: Uint8Array, message: Uint8Array): Uint8Array {
  const nonce = toScalar(randomEd25519Scalar());
  const commitment = ed25519.Point.BASE.multiply(nonce).toBytes();
  const hash = sha512(Buffer.concat([commitment, pointOf(secret), message]));
  const challenge = toScalar(hash.toReversed()) % ed25519Order;
  const answer = (nonce + challenge * toScalar(secret)) % ed25519Order;
  return Uint8Array.from(Buffer.concat([commitment, toSecret(answer).toReversed()]));
}

const randomEd25519Scalar = () => toSecret((toScalar(randomBytes(48)) % (ed25519Order - 1n)) + 1n);
const pointOf = (secret: Uint8Array) => ed25519.Point.BASE.multiply(toScalar(secret)).toBytes();
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const toScalar = (bytes: Uint8Array) => BigInt(`0x${hexOf(bytes)}`);
const toSecret = (scalar: bigint) => Uint8Array.from(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex'));
