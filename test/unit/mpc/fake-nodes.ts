// Nodes in memory behind the transport: they keep the protocol's rules (order of rounds, one use of a command, prepare and commit) but no secrets,
// since the fake key is known to all. Faults are injected around every request. Not a model of the cryptography.
import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { decode } from '../../../activities/mpc/borsh.ts';
import { type Cluster, ClusterError } from '../../../activities/mpc/cluster.ts';
import { type ClusterFile, rosterOf } from '../../../activities/mpc/cluster-file.ts';
import type { Commander } from '../../../activities/mpc/command.ts';
import { clusterOf } from '../../../activities/mpc/connect-cluster.ts';
import { keyTestDigest } from '../../../activities/mpc/digest.ts';
import { confirmationMessage, confirmedKey } from '../../../activities/mpc/key-confirmation.ts';
import type { NodeTransport } from '../../../activities/mpc/node-transport.ts';
import {
  type Command,
  type Confirmation,
  command,
  type KeyStatement,
  type Outcome,
  type RefusalCode,
  type RequestBody,
  type ResponseBody,
} from '../../../activities/mpc/wire.ts';
import type { Curve } from '../../../drizzle/status.ts';

const lastRounds = { GenerateKey: { secp256k1: 6, ed25519: 5 }, Sign: { secp256k1: 4, ed25519: 3 } } as const;

/** Runs around every request: `before` may refuse or throw in the node's stead, `after` sees what was done; both may kill nodes. */
export interface Faults {
  before?(node: FakeNode, body: RequestBody): RefusalCode | undefined;
  after?(node: FakeNode, body: RequestBody, answer: ResponseBody): ResponseBody;
}

interface LiveSession {
  command: Command;
  round: number;
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

export class FakeNode implements NodeTransport {
  readonly index: number;
  readonly asked: string[] = [];
  readonly committed = new Map<string, Confirmation[]>();
  readonly #identity = generateKeyPairSync('ed25519');
  readonly #prepared = new Map<string, KeyStatement>();
  readonly #usedCommands = new Set<string>();
  readonly #sessions = new Map<string, LiveSession>();
  readonly #world: FakeWorld;
  alive = true;

  constructor(index: number, world: FakeWorld) {
    this.index = index;
    this.#world = world;
  }

  get identityKey(): KeyObject {
    return this.#identity.publicKey;
  }

  get readiness(): 'open' | 'down' {
    return this.alive ? 'open' : 'down';
  }

  get liveSessions(): number {
    return this.#sessions.size;
  }

  warm(): void {}
  close(): void {}

  /** Loses what lives in memory; what a node would have on disk stays. */
  kill(): void {
    this.alive = false;
    this.#sessions.clear();
  }

  async call(body: RequestBody): Promise<ResponseBody> {
    await new Promise(setImmediate);
    this.asked.push(body.kind);
    const { faults } = this.#world;
    const refusal = faults.before?.(this, body);
    this.#assertAlive();
    const own = refusal === undefined ? this.#answer(body) : refused(refusal);
    const answer = faults.after?.(this, body, own) ?? own;
    this.#assertAlive();
    return answer;
  }

  #assertAlive(): void {
    if (!this.alive) throw new ClusterError('cluster_not_ready', `node ${this.index} is dead`, { node: this.index });
  }

  #answer(body: RequestBody): ResponseBody {
    switch (body.kind) {
      case 'Health':
      case 'KeepCheckpoint':
      case 'Checkpoints':
      case 'OpenApproved':
        return refused('Internal');
      case 'Open':
        return this.#open(body.command, body.signature);
      case 'Start':
        return this.#round(
          body.commandId,
          1,
          body.hellos.map(({ node }) => node),
        );
      case 'Continue':
        return this.#round(
          body.commandId,
          body.round,
          body.inbound.map(({ peer, sealed }) => this.#unseal(body.round, peer, sealed)),
        );
      case 'KeyState': {
        const confirmations = this.committed.get(keyOf(body));
        return {
          kind: 'KeyState',
          state: confirmations === undefined ? { kind: 'Absent' } : { kind: 'Committed', confirmations },
        };
      }
      case 'Commit':
        return this.#commit(body.confirmations);
    }
  }

  #open(bytes: Uint8Array, signature: Uint8Array): ResponseBody {
    const message = Buffer.concat([Buffer.from('countersign/v1/command'), bytes]);
    if (!verify(null, message, this.#world.commandPublicKey, signature)) return refused('Unauthorized');
    const opened = decode(command, bytes);
    const id = hexOf(opened.commandId);
    if (this.#usedCommands.has(id)) return refused('CommandUsed');
    const exists = this.committed.has(keyOf(opened.operation));
    if (opened.operation.kind === 'GenerateKey' && exists) return refused('WalletExists');
    if (opened.operation.kind === 'Sign' && !exists) return refused('UnknownWallet');
    this.#usedCommands.add(id);
    this.#sessions.set(id, { command: opened, round: 0 });
    const hello = {
      node: this.index,
      nonce: Buffer.alloc(32),
      ephemeralPublicKey: Buffer.alloc(32),
      signature: Buffer.alloc(64),
    };
    return { kind: 'Opened', hello };
  }

  #round(commandId: Uint8Array, round: number, senders: number[]): ResponseBody {
    const id = hexOf(commandId);
    const session = this.#sessions.get(id);
    if (session === undefined) return refused('UnknownSession');
    this.#sessions.delete(id);
    const { operation } = session.command;
    const participants = [...(operation.kind === 'Sign' ? operation.signers : operation.nodes)];
    const others = participants.filter((node) => node !== this.index);
    const expected = round === 1 ? participants : others;
    if (round !== session.round + 1 || senders.join() !== expected.join()) return refused('SessionAborted');
    if (round === lastRounds[operation.kind][operation.curve]) {
      return { kind: 'Round', outbound: [], outcome: this.#outcome(session.command) };
    }
    this.#sessions.set(id, { ...session, round });
    const outbound = others.map((peer) => ({ peer, sealed: Buffer.from(`${this.index}>${peer}#${round}`) }));
    return { kind: 'Round', outbound, outcome: null };
  }

  /** The sender, when the envelope is the one that this peer sealed for this node in the round before. */
  #unseal(round: number, peer: number, sealed: Uint8Array): number {
    return Buffer.from(sealed).toString() === `${peer}>${this.index}#${round - 1}` ? peer : 0;
  }

  #outcome({ operation, commandId, roster }: Command): Outcome {
    const { walletId, curve } = operation;
    if (operation.kind === 'GenerateKey') {
      const sessionId = createHash('sha256').update(commandId).digest();
      const publicKey = this.#world.publicKeyOf(curve, sessionId);
      const zeros = Buffer.alloc(32);
      const statement = {
        walletId,
        curve,
        epoch: 0,
        sessionId,
        roster,
        threshold: 2,
        publicKey,
        chainCode: zeros,
        transcript: zeros,
      };
      this.#prepared.set(`${keyOf(operation)} ${hexOf(sessionId)}`, statement);
      const unsigned = { node: this.index, statement };
      const signature = sign(null, confirmationMessage(unsigned), this.#identity.privateKey);
      return { kind: 'Key', confirmation: { ...unsigned, signature } };
    }
    const [confirmation] = this.committed.get(keyOf(operation)) ?? [];
    if (confirmation === undefined) throw new Error('a session of an uncommitted key');
    const { payload } = operation;
    const digest =
      payload.kind === 'RawDigest' ? payload.digest : keyTestDigest(walletId, curve, operation.operationId);
    return { kind: 'Signature', ...this.#world.sign(curve, confirmation.statement.sessionId, digest) };
  }

  #commit(confirmations: Confirmation[]): ResponseBody {
    const [first] = confirmations;
    if (first === undefined) return refused('InvalidRequest');
    confirmedKey(this.#world.cluster, first.statement, confirmations);
    const key = keyOf(first.statement);
    const [existing] = this.committed.get(key) ?? [];
    const sessionId = hexOf(first.statement.sessionId);
    if (existing !== undefined && hexOf(existing.statement.sessionId) !== sessionId) return refused('WalletExists');
    if (existing === undefined && !this.#prepared.has(`${key} ${sessionId}`)) return refused('UnknownWallet');
    this.committed.set(key, confirmations);
    for (const prepared of this.#prepared.keys()) if (prepared.startsWith(key)) this.#prepared.delete(prepared);
    return { kind: 'Committed', statement: first.statement };
  }
}

export class FakeWorld {
  readonly nodes: readonly FakeNode[] = [1, 2, 3].map((index) => new FakeNode(index, this));
  readonly cluster: ClusterFile;
  readonly commandPublicKey: KeyObject;
  readonly commander: Commander;
  readonly #signatures = new Map<string, { bytes: Uint8Array; recoveryId: number }>();
  faults: Faults = {};

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' })['x'] ?? '', 'base64url');
    const roster = rosterOf(
      2,
      this.nodes.map(({ index, identityKey }) => ({ index, identity: raw(identityKey) })),
    );
    const nodes = this.nodes.map(({ index, identityKey }) => ({ index, identityKey, tlsCertificate: '' }));
    this.cluster = { threshold: 2, nodes, commandPublicKey: raw(publicKey), roster };
    this.commandPublicKey = publicKey;
    this.commander = { roster, commandKey: privateKey };
  }

  /** A new orchestrator, with no memory of an earlier one. */
  orchestrator(commander = this.commander): Cluster {
    return clusterOf(this.cluster, commander, this.nodes);
  }

  node(index: number): FakeNode {
    const node = this.nodes[index - 1];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  }

  restartAll(): void {
    this.faults = {};
    for (const node of this.nodes) node.alive = true;
  }

  /** The fake key of a generation is made from its session id. */
  publicKeyOf(curve: Curve, sessionId: Uint8Array): Uint8Array {
    return curve === 'secp256k1' ? secp256k1.getPublicKey(sessionId) : ed25519.getPublicKey(sessionId);
  }

  /** Both signers answer the same signature, so it is made once. */
  sign(curve: Curve, sessionId: Uint8Array, digest: Uint8Array): { bytes: Uint8Array; recoveryId: number } {
    const name = `${curve} ${hexOf(sessionId)} ${hexOf(digest)}`;
    const made = this.#signatures.get(name) ?? signWith(curve, sessionId, digest);
    this.#signatures.set(name, made);
    return made;
  }
}

function signWith(curve: Curve, secret: Uint8Array, digest: Uint8Array): { bytes: Uint8Array; recoveryId: number } {
  if (curve === 'ed25519') return { bytes: ed25519.sign(digest, secret), recoveryId: 0 };
  const recovered = secp256k1.sign(digest, secret, { prehash: false, format: 'recovered' });
  return { bytes: recovered.subarray(1), recoveryId: recovered[0] ?? 0 };
}

function refused(code: RefusalCode): ResponseBody {
  return { kind: 'Refused', code, peer: null, detail: 'A fixed sentence.' };
}

function keyOf({ walletId, curve }: { walletId: Uint8Array; curve: Curve }): string {
  return `${hexOf(walletId)} ${curve}`;
}
