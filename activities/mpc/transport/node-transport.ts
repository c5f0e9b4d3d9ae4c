// What the rounds need of one node: to ask it and to know whether asking is worth while. Tests put nodes in memory
// behind it.
import type { RequestBody, ResponseBody } from './wire.ts';

/** Before it is introduced: only for who introduces. */
export interface EarlyNode {
  readonly index: number;
  /** Like `call` of a transport, on a connection that nobody else uses yet. */
  callEarly(body: RequestBody, timeoutMs: number): Promise<ResponseBody>;
}

export interface NodeTransport {
  readonly index: number;
  /**
   * `open`: connected. `untried`: an attempt costs a connection. `down`: failed a moment ago, calls are refused at
   * once.
   */
  readonly readiness: 'open' | 'untried' | 'down';
  /** Connects in the background if that may help; never throws and costs the caller nothing. */
  warm(): void;
  /**
   * Rejects with a ClusterError: `cluster_not_ready` when the node is dead or silent, `mpc_error` when it speaks
   * nonsense. A refusal is an answer.
   */
  call(body: RequestBody, timeoutMs: number): Promise<ResponseBody>;
  close(): void;
}
