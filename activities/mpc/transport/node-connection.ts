// One multiplexed connection to one node: TLS 1.3 with both certificates pinned. Connects when first needed and again
// after a pause that grows. Speaks frames and request ids; knows no session, and never sends a byte to a peer that does
// not hold the pinned certificate. Who asks waits until the node was introduced.
import { X509Certificate } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';
import { ClusterError } from '../port.ts';
import { BorshError, decode, encodeInParts } from './borsh.ts';
import { FrameSplitter, toFrame } from './frames.ts';
import type { EarlyNode, NodeTransport } from './node-transport.ts';
import { PendingRequests } from './pending-requests.ts';
import { type RequestBody, type ResponseBody, request, response } from './wire.ts';

const connectTimeoutMs = 3_000;
const minPauseMs = 100;
const maxPauseMs = 5_000;
const keepAliveMs = 10_000;
/** A connection on which nothing came for so long, though an answer was due, is dead. */
const deadAfterMs = 5_000;

export interface NodeAddress {
  host: string;
  port: number;
}

export interface NodeTls {
  /** PEM; the node has to present exactly this certificate. */
  nodeCertificate: string;
  /** PEM; what the node expects of us. */
  clientCertificate: string;
  clientKey: string;
}

interface Live {
  socket: TLSSocket;
  pending: PendingRequests;
  heardAtMs: number;
  everHeard: boolean;
}

export class NodeConnection implements NodeTransport, EarlyNode {
  readonly index: number;
  readonly #address: NodeAddress;
  readonly #tls: NodeTls;
  readonly #introduce: (node: EarlyNode) => Promise<void>;
  /** Connected, introduced or not. */
  #reached: Live | undefined;
  #reaching: Promise<Live> | undefined;
  /** Connected and introduced. */
  #live: Live | undefined;
  #connecting: Promise<Live> | undefined;
  #failures = 0;
  #retryAtMs = 0;
  #lastId = 0n;
  #closed = false;

  /** `introduce` runs on each new connection, before anybody else uses it. */
  constructor(
    index: number,
    address: NodeAddress,
    tls: NodeTls,
    introduce: (node: EarlyNode) => Promise<void> = async () => undefined,
  ) {
    this.index = index;
    this.#address = address;
    this.#tls = tls;
    this.#introduce = introduce;
  }

  get readiness(): 'open' | 'untried' | 'down' {
    if (this.#live !== undefined) return 'open';
    return this.#failures > 0 || this.#closed ? 'down' : 'untried';
  }

  warm(): void {
    if (this.#live === undefined && this.#connecting === undefined && Date.now() >= this.#retryAtMs) {
      this.#connected().catch(() => undefined);
    }
  }

  async call(body: RequestBody, timeoutMs: number): Promise<ResponseBody> {
    return this.#ask(this.#live ?? (await this.#within(timeoutMs, () => this.#connected())), body, timeoutMs);
  }

  async callEarly(body: RequestBody, timeoutMs: number): Promise<ResponseBody> {
    return this.#ask(this.#reached ?? (await this.#within(timeoutMs, () => this.#reach())), body, timeoutMs);
  }

  #ask({ pending }: Live, body: RequestBody, timeoutMs: number): Promise<ResponseBody> {
    this.#lastId += 1n;
    const id = this.#lastId;
    return pending.add(id, toFrame(encodeInParts(request, { id, body })), timeoutMs);
  }

  close(): void {
    this.#closed = true;
    this.#reached?.socket.destroy();
  }

  /** Who waits no longer leaves the attempt to connect to those who come next. */
  #within(timeoutMs: number, connected: () => Promise<Live>): Promise<Live> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.#notReady('did not answer in time')), timeoutMs);
      connected()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }

  #connected(): Promise<Live> {
    if (this.#closed) return Promise.reject(this.#notReady('is no longer in use here'));
    this.#connecting ??= this.#reach()
      .then((live) => this.#introduced(live))
      .finally(() => {
        this.#connecting = undefined;
      });
    return this.#connecting;
  }

  async #introduced(live: Live): Promise<Live> {
    try {
      await this.#introduce(this);
    } catch (error) {
      live.socket.destroy();
      throw error;
    }
    if (this.#reached !== live) throw this.#notReady('closed the connection');
    this.#live = live;
    return live;
  }

  #reach(): Promise<Live> {
    if (this.#closed) return Promise.reject(this.#notReady('is no longer in use here'));
    if (this.#reached !== undefined) return Promise.resolve(this.#reached);
    if (this.#reaching === undefined) {
      if (Date.now() < this.#retryAtMs) return Promise.reject(this.#notReady('was unreachable a moment ago'));
      this.#reaching = this.#connect().finally(() => {
        this.#reaching = undefined;
      });
    }
    return this.#reaching;
  }

  #connect(): Promise<Live> {
    const pinned = new X509Certificate(this.#tls.nodeCertificate);
    return new Promise((resolve, reject) => {
      const socket = connect({
        ...this.#address,
        minVersion: 'TLSv1.3',
        ca: this.#tls.nodeCertificate,
        cert: this.#tls.clientCertificate,
        key: this.#tls.clientKey,
        // Said aloud, or NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would let any certificate pass.
        rejectUnauthorized: true,
        // Names play no part: the certificate itself is the identity, byte for byte.
        checkServerIdentity: (_host, peer) => (pinned.raw.equals(peer.raw) ? undefined : new Error('not pinned')),
      });
      const timer = setTimeout(() => socket.destroy(new Error('connection timed out')), connectTimeoutMs);
      const failed = (cause?: Error) => {
        clearTimeout(timer);
        this.#pause();
        reject(this.#notReady('is unreachable', cause));
      };
      let cause: Error | undefined;
      socket.on('error', (error) => {
        cause = error;
      });
      const failedEarly = () => failed(cause);
      socket.once('close', failedEarly);
      socket.once('secureConnect', () => {
        clearTimeout(timer);
        socket.off('close', failedEarly);
        if (this.#closed) socket.destroy();
        resolve(this.#adopt(socket));
      });
    });
  }

  #adopt(socket: TLSSocket): Live {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    const splitter = new FrameSplitter();
    const pending = new PendingRequests(
      this.index,
      gatheredWrites(socket),
      // A slow answer beside others is only slow; on a dead connection nothing has come since the request was made.
      (sinceMs) => {
        const endIfDead = () => live.heardAtMs <= sinceMs && socket.destroy();
        setTimeout(endIfDead, sinceMs + deadAfterMs - Date.now()).unref();
      },
    );
    const live: Live = { socket, pending, heardAtMs: Date.now(), everHeard: false };
    this.#reached = live;
    socket.on('data', (chunk: Buffer) => this.#receive(live, splitter, chunk));
    socket.once('close', () => {
      if (this.#live === live) this.#live = undefined;
      if (this.#reached === live) this.#reached = undefined;
      // In TLS 1.3 a node that refuses our certificate says so only after the handshake.
      if (!live.everHeard) this.#pause();
      pending.failAll(this.#notReady('closed the connection'));
    });
    return live;
  }

  #receive(live: Live, splitter: FrameSplitter, chunk: Buffer): void {
    live.heardAtMs = Date.now();
    live.everHeard = true;
    this.#failures = 0;
    try {
      for (const frame of splitter.push(chunk)) {
        const { id, body } = decode(response, frame);
        live.pending.answer(id, body);
      }
    } catch (cause) {
      if (!(cause instanceof BorshError || cause instanceof RangeError)) throw cause;
      const nonsense = new ClusterError('mpc_error', `node ${this.index} sent what the protocol does not allow`, {
        node: this.index,
        cause,
      });
      live.pending.failAll(nonsense);
      live.socket.destroy();
    }
  }

  #pause(): void {
    this.#failures += 1;
    this.#retryAtMs = Date.now() + Math.min(minPauseMs * 2 ** (this.#failures - 1), maxPauseMs);
  }

  #notReady(what: string, cause?: Error): ClusterError {
    return new ClusterError('cluster_not_ready', `node ${this.index} ${what}`, { node: this.index, cause });
  }
}

/**
 * Frames of one turn of the event loop leave together: each write by itself would cost an encryption, a system call
 * and a wake-up of the node.
 */
function gatheredWrites(socket: TLSSocket): (frame: Buffer) => void {
  let isCorked = false;
  const send = () => {
    isCorked = false;
    socket.uncork();
  };
  return (frame) => {
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      setImmediate(send);
    }
    socket.write(frame);
  };
}
