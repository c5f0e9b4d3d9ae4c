// One call of the reference page, signed in this browser when it takes a signature. A session of the console is left
// out of it, so that what a call may do is what its key may do.
import type { Authorize } from '../../src/client/transport.ts';
import { WriteClock } from '../../src/client/write-clock.ts';

const SHOWN_CHARACTERS_MAX = 100_000;
const clock = new WriteClock();

export interface Call {
  method: string;
  /** With the query string. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  /** Absent where none is needed. */
  authorize: Authorize | undefined;
}

export interface Answered {
  status: number;
  milliseconds: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}

export async function send({ method, path, headers, body, authorize }: Call): Promise<Answered> {
  // As the browser will ask for it: that is what the service sees, and what is signed.
  const { pathname, search } = new URL(path, location.origin);
  const signed = { method, path: pathname + search, body: body ?? '' };
  const second = method === 'GET' ? Math.floor(Date.now() / 1000) : clock.secondFor(`${method} ${signed.path} ${body}`);
  const proof = await authorize?.(signed, second);
  const ofBody = body === undefined ? {} : { 'content-type': 'application/json' };
  const startedAt = performance.now();
  const response = await fetch(signed.path, {
    method,
    headers: { ...ofBody, ...headers, ...proof },
    credentials: 'omit',
    ...(body === undefined ? {} : { body }),
  });
  const content = await response.blob();
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - startedAt),
    headers: [...response.headers],
    body: await shown(content, response.headers.get('content-type') ?? ''),
  };
}

async function shown(content: Blob, type: string): Promise<string> {
  if (content.size === 0) return '';
  if (!/^text\/|json|svg/.test(type)) return `${content.size} bytes of ${type}`;
  const text = await content.text();
  const readable = type.includes('application/json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
  if (readable.length <= SHOWN_CHARACTERS_MAX) return readable;
  return `${readable.slice(0, SHOWN_CHARACTERS_MAX)}\n… and ${readable.length - SHOWN_CHARACTERS_MAX} characters more`;
}
