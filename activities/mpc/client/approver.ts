// Asks the approver for its signature of a command: the second key, without which nodes whose policy names it sign
// nothing. What the approver decides by is its own affair; it gets the very bytes that the nodes get, and this process
// never holds its key.
import { ClusterError } from '../port.ts';

/**
 * Ed25519 over `countersign/v1/approval` and the command's bytes: 64 bytes. Throws `approver_refused`, or
 * `cluster_not_ready` when nobody answers.
 */
export type CommandApprover = (command: Uint8Array) => Promise<Uint8Array>;

const answerWithinMs = 5_000;
const answerBytesMax = 4_096;
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Over https, or http on this machine. Throws a plain error for any other address. */
export function httpApprover(address: string): CommandApprover {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname));
  if (url === undefined || !safe)
    throw new Error('the address of the approver is neither https nor http on this machine');
  return async (command) => {
    const { status, text } = await post(url, JSON.stringify({ command: Buffer.from(command).toString('hex') }));
    if (status === 403) throw new ClusterError('approver_refused', 'the approver does not approve it');
    const approval =
      status === 200 ? /^\s*\{\s*"approval"\s*:\s*"([0-9a-f]{128})"\s*\}\s*$/.exec(text)?.[1] : undefined;
    if (approval === undefined) throw away(`the approver answered ${status} without an approval`);
    return Buffer.from(approval, 'hex');
  };
}

async function post(url: URL, body: string): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    });
    let text = '';
    for await (const part of response.body ?? []) {
      text += Buffer.from(part).toString('latin1');
      if (text.length > answerBytesMax) throw new Error('a long answer');
    }
    return { status: response.status, text };
  } catch (error) {
    throw away('the approver does not answer', error);
  }
}

function away(message: string, cause?: unknown): ClusterError {
  return new ClusterError('cluster_not_ready', message, { cause });
}
