// The requests of one connection that wait for an answer, by id, with their time-outs. Knows no socket and no message
// content.
import { ClusterError } from '../port.ts';
import type { ResponseBody } from './wire.ts';

/** A node takes 64 requests under way a connection; the rest waits here. */
const maxUnderWay = 64;
const maxWaiting = 4096;

interface PendingRequest {
  readonly frame: Buffer;
  readonly resolve: (body: ResponseBody) => void;
  readonly reject: (error: ClusterError) => void;
  readonly timer: NodeJS.Timeout;
}

export class PendingRequests {
  readonly #node: number;
  readonly #underWay = new Map<bigint, PendingRequest>();
  readonly #waiting = new Map<bigint, PendingRequest>();
  readonly #send: (frame: Buffer) => void;
  readonly #onSilence: (sinceMs: number) => void;

  /** `onSilence` hears of a request without an answer; it decides whether the whole connection is to be given up. */
  constructor(node: number, send: (frame: Buffer) => void, onSilence: (sinceMs: number) => void) {
    this.#node = node;
    this.#send = send;
    this.#onSilence = onSilence;
  }

  add(id: bigint, frame: Buffer, timeoutMs: number): Promise<ResponseBody> {
    if (this.#waiting.size >= maxWaiting) {
      return Promise.reject(
        new ClusterError('cluster_busy', `too many requests wait for node ${this.#node}`, { node: this.#node }),
      );
    }
    const sinceMs = Date.now();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#expire(id, sinceMs), timeoutMs);
      this.#waiting.set(id, { frame, resolve, reject, timer });
      this.#pump();
    });
  }

  /** False when nobody waits for this id. */
  answer(id: bigint, body: ResponseBody): boolean {
    const request = this.#underWay.get(id);
    if (request === undefined) return false;
    this.#underWay.delete(id);
    clearTimeout(request.timer);
    request.resolve(body);
    this.#pump();
    return true;
  }

  failAll(error: ClusterError): void {
    const requests = [...this.#underWay.values(), ...this.#waiting.values()];
    this.#underWay.clear();
    this.#waiting.clear();
    for (const request of requests) {
      clearTimeout(request.timer);
      request.reject(error);
    }
  }

  #pump(): void {
    for (const [id, request] of this.#waiting) {
      if (this.#underWay.size >= maxUnderWay) return;
      this.#waiting.delete(id);
      this.#underWay.set(id, request);
      this.#send(request.frame);
    }
  }

  /**
   * The id stays under way, because it still takes one of the node's places, until it is answered or the connection
   * ends.
   */
  #expire(id: bigint, sinceMs: number): void {
    const request = this.#underWay.get(id) ?? this.#waiting.get(id);
    this.#waiting.delete(id);
    request?.reject(
      new ClusterError('cluster_not_ready', `node ${this.#node} did not answer in time`, { node: this.#node }),
    );
    this.#onSilence(sinceMs);
  }
}
