// Nodes in memory behind the transport: they keep the protocol's rules (order of rounds, one use of a command, prepare
// and commit) but no secrets, since the fake key is known to all. Faults are injected around every request. Not a model
// of the cryptography.
import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { Commander } from '../../../activities/mpc/client/command.ts';
import { clusterOf } from '../../../activities/mpc/client/connect-cluster.ts';
import { type Cluster, ClusterError } from '../../../activities/mpc/port.ts';
import { decode } from '../../../activities/mpc/transport/borsh.ts';
import type { NodeTransport } from '../../../activities/mpc/transport/node-transport.ts';
import {
  type Acknowledgement,
  type Command,
  type Confirmation,
  command,
  type KeyState,
  type KeyStatement,
  type Outcome,
  type RefusalCode,
  type RequestBody,
  type ResponseBody,
} from '../../../activities/mpc/transport/wire.ts';
import { type ClusterFile, rosterOf } from '../../../activities/mpc/verify/cluster-file.ts';
import { keyTestDigest } from '../../../activities/mpc/verify/digest.ts';
import {
  confirmationMessage,
  sameStatement,
  verifyKeyConfirmations,
} from '../../../activities/mpc/verify/key-confirmation.ts';
import type { Curve } from '../../../domain/statuses.ts';

const lastRounds = {
  GenerateKey: { secp256k1: 6, ed25519: 5 },
  GenerateWorkspaceKey: { secp256k1: 6, ed25519: 5 },
  Refresh: { secp256k1: 6, ed25519: 5 },
  Sign: { secp256k1: 4, ed25519: 3 },
} as const;

/**
 * Runs around every request: `before` may refuse or throw in the node's stead, `after` sees what was done; both may
 * kill nodes.
 */
export interface Faults {
  /** Whether the node hangs on this request. The wait is left out: what it would have been is handed in. */
  hangs?(node: FakeNode, body: RequestBody, timeoutMs: number): boolean;
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
  readonly #acknowledged = new Map<string, Confirmation[]>();
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

  async call(body: RequestBody, timeoutMs: number): Promise<ResponseBody> {
    await new Promise(setImmediate);
    this.asked.push(body.kind);
    const { faults } = this.#world;
    if (faults.hangs?.(this, body, timeoutMs))
      throw new ClusterError('cluster_not_ready', `node ${this.index} did not answer in time`, { node: this.index });
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
      case 'OpenEnrolment':
      case 'OpenApproved':
      case 'Marks':
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
      case 'KeyState':
        return { kind: 'KeyState', state: this.#stateOf(keyOf(body)) };
      case 'Commit':
        return this.#commit(body.confirmations);
      case 'Acknowledge':
        return this.#acknowledge(keyOf(body));
      case 'Settle':
        return this.#settle(body.acknowledgements);
    }
  }

  /** One share of an epoch, whatever is committed later. */
  #acknowledge(key: string): ResponseBody {
    const held = this.committed.get(key);
    const known = this.#acknowledged.get(key) ?? held;
    if (held === undefined || known === undefined) return refused('UnknownWallet');
    const kept = known[0]?.statement.epoch === held[0]?.statement.epoch ? known : held;
    this.#acknowledged.set(key, kept);
    const statement = kept[0]?.statement;
    if (statement === undefined) return refused('Internal');
    return { kind: 'Acknowledged', acknowledgement: { node: this.index, statement, signature: Buffer.alloc(64) } };
  }

  #settle(acknowledgements: Acknowledgement[]): ResponseBody {
    const [first] = acknowledgements;
    const isOfAll = acknowledgements.map(({ node }) => node).join() === '1,2,3';
    if (first === undefined || !isOfAll || acknowledgements.some((one) => !sameStatement(one, first)))
      return refused('InvalidRequest');
    const key = keyOf(first.statement);
    const acknowledged = this.#acknowledged.get(key);
    const isKnown = acknowledged?.[0] !== undefined && sameStatement(acknowledged[0], first);
    if (acknowledged === undefined || !isKnown) return refused('UnknownWallet');
    this.committed.set(key, acknowledged);
    for (const [name, { epoch }] of this.#prepared)
      if (name.startsWith(key) && epoch <= first.statement.epoch) this.#prepared.delete(name);
    return { kind: 'Settled', statement: first.statement };
  }

  /** A share of a refresh that did not finish, which would win over any other of its epoch. */
  leaveUnfinished(key: string, epoch: number, count = 1): KeyStatement[] {
    const [held] = this.committed.get(key) ?? [];
    if (held === undefined) throw new Error('there is no such key');
    return Array.from({ length: count }, (_, number) => {
      const sessionId = Buffer.alloc(32);
      sessionId.writeUInt16BE(number, 30);
      sessionId.writeUInt16BE(epoch, 28);
      const statement = { ...held.statement, epoch, sessionId };
      this.#prepared.set(`${key} ${hexOf(sessionId)}`, statement);
      return statement;
    });
  }

  leftAt(key: string): number {
    return [...this.#prepared.keys()].filter((name) => name.startsWith(key)).length;
  }

  #stateOf(key: string): KeyState {
    const committed = this.committed.get(key);
    if (committed === undefined) return { kind: 'Absent' };
    const prepared = [...this.#prepared].flatMap(([name, statement]) =>
      name.startsWith(key) && statement.epoch > 0 ? [this.confirm(statement)] : [],
    );
    if (prepared.length === 0) return { kind: 'Committed', confirmations: committed };
    return { kind: 'Unsettled', committed, prepared, signs: true };
  }

  confirm(statement: KeyStatement): Confirmation {
    const unsigned = { node: this.index, statement };
    return { ...unsigned, signature: sign(null, confirmationMessage(unsigned), this.#identity.privateKey) };
  }

  #open(bytes: Uint8Array, signature: Uint8Array): ResponseBody {
    const message = Buffer.concat([Buffer.from('countersign/v1/command'), bytes]);
    if (!verify(null, message, this.#world.commandPublicKey, signature)) return refused('Unauthorized');
    const opened = decode(command, bytes);
    const id = hexOf(opened.commandId);
    if (this.#usedCommands.has(id)) return refused('CommandUsed');
    const exists = this.committed.has(keyOf(opened.operation));
    const isGeneration = opened.operation.kind.startsWith('Generate');
    if (isGeneration && exists) return refused('WalletExists');
    if (!isGeneration && !exists) return refused('UnknownWallet');
    const [held] = this.committed.get(keyOf(opened.operation)) ?? [];
    const { epoch } =
      opened.operation.kind === 'Refresh' ? opened.operation : { epoch: 1 + (held?.statement.epoch ?? 0) };
    const ahead = epoch - (held?.statement.epoch ?? 0);
    const isLater = ([name, other]: [string, KeyStatement]) =>
      name.startsWith(keyOf(opened.operation)) && other.epoch > epoch;
    if (ahead < 1 || ahead > 4) return refused('WrongEpoch');
    if (opened.operation.kind === 'Refresh' && [...this.#prepared].some(isLater)) return refused('WrongEpoch');
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
    if (operation.kind === 'Repair') return refused('Internal');
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
    const [held] = this.committed.get(keyOf(operation)) ?? [];
    if (operation.kind === 'Sign') {
      if (held === undefined) throw new Error('a session of an uncommitted key');
      const { payload } = operation;
      const digest =
        payload.kind === 'RawDigest' ? payload.digest : keyTestDigest(walletId, curve, operation.operationId);
      return { kind: 'Signature', ...this.#world.sign(curve, held.statement.publicKey, digest) };
    }
    const sessionId = createHash('sha256').update(commandId).digest();
    const statement: KeyStatement = {
      walletId,
      curve,
      sessionId,
      roster,
      threshold: 2,
      epoch: operation.kind === 'Refresh' ? operation.epoch : 0,
      publicKey: held?.statement.publicKey ?? this.#world.publicKeyOf(curve, sessionId),
      chainCode: Buffer.alloc(32),
      transcript: Buffer.alloc(32),
      workspaceId: operation.kind === 'GenerateWorkspaceKey' ? operation.workspaceId : held?.statement.workspaceId,
    };
    this.#prepared.set(`${keyOf(operation)} ${hexOf(sessionId)}`, statement);
    return { kind: 'Key', confirmation: this.confirm(statement) };
  }

  #commit(confirmations: Confirmation[]): ResponseBody {
    const [first] = confirmations;
    if (first === undefined) return refused('InvalidRequest');
    verifyKeyConfirmations(this.#world.cluster, first.statement, confirmations);
    const { statement } = first;
    const key = keyOf(statement);
    const [held] = this.committed.get(key) ?? [];
    const same = held !== undefined && hexOf(held.statement.sessionId) === hexOf(statement.sessionId);
    if (!same) {
      const known = this.#acknowledged.get(key)?.[0];
      const comesBack = known !== undefined && sameStatement(known, first);
      if (held !== undefined && !wins(statement, held.statement) && !comesBack) return refused('WalletExists');
      if (!this.#prepared.has(`${key} ${hexOf(statement.sessionId)}`) && !comesBack) return refused('UnknownWallet');
      const isKept = known !== undefined && held !== undefined && (comesBack || sameStatement(known, held));
      if (isKept) this.#prepared.set(`${key} ${hexOf(held.statement.sessionId)}`, held.statement);
    }
    this.committed.set(key, confirmations);
    for (const [name, other] of this.#prepared)
      if (name.startsWith(key) && !wins(other, statement) && !this.#mayComeBack(key, other, statement))
        this.#prepared.delete(name);
    for (const [id, session] of this.#sessions) if (keyOf(session.command.operation) === key) this.#sessions.delete(id);
    return { kind: 'Committed', statement };
  }

  /** What it has acknowledged, when it has changed over to another one. */
  #mayComeBack(key: string, other: KeyStatement, held: KeyStatement): boolean {
    const known = this.#acknowledged.get(key)?.[0]?.statement;
    const isKnown = known !== undefined && hexOf(known.sessionId) === hexOf(other.sessionId);
    return isKnown && other.epoch === held.epoch && hexOf(other.sessionId) !== hexOf(held.sessionId);
  }
}

/** Of two refreshes to one epoch, the one with the smaller session id; a generation is never replaced by another. */
function wins(next: KeyStatement, held: KeyStatement): boolean {
  if (next.epoch !== held.epoch) return next.epoch > held.epoch;
  return next.epoch > 0 && Buffer.compare(next.sessionId, held.sessionId) < 0;
}

export class FakeWorld {
  readonly nodes: readonly FakeNode[] = [1, 2, 3].map((index) => new FakeNode(index, this));
  readonly cluster: ClusterFile;
  readonly commandPublicKey: KeyObject;
  readonly commander: Commander;
  readonly #secrets = new Map<string, Uint8Array>();
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
    const publicKey = curve === 'secp256k1' ? secp256k1.getPublicKey(sessionId) : ed25519.getPublicKey(sessionId);
    this.#secrets.set(hexOf(publicKey), sessionId);
    return publicKey;
  }

  /** Both signers answer the same signature, so it is made once. */
  sign(curve: Curve, publicKey: Uint8Array, digest: Uint8Array): { bytes: Uint8Array; recoveryId: number } {
    const secret = this.#secrets.get(hexOf(publicKey));
    if (secret === undefined) throw new Error('a key that was never generated');
    const name = `${curve} ${hexOf(publicKey)} ${hexOf(digest)}`;
    const made = this.#signatures.get(name) ?? signWith(curve, secret, digest);
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

/** Of the orchestrator. */
export class Crash extends Error {}

const isDrop = (body: RequestBody) => body.kind === 'Continue' && body.round === 0;

/** Injects one fault at the `turn`-th request; tells whether that request was ever made. */
export function faultAt(world: FakeWorld, turn: number, moment: 'before' | 'after', fault: (node: FakeNode) => void) {
  let made = 0;
  let struck = false;
  const strike = (node: FakeNode, body: RequestBody): undefined => {
    if (isDrop(body)) return;
    made += 1;
    if (made !== turn) return;
    struck = true;
    fault(node);
  };
  const after: Faults['after'] = (node, body, answer) => {
    strike(node, body);
    return answer;
  };
  world.faults = moment === 'before' ? { before: strike } : { after };
  return () => struck;
}
