// The requests that lead to a session and belong to one: to the service of this page alone, with the cookie that the
// browser keeps to itself and the header that no other page can send.
import { CountersignError } from '../../src/client/errors.ts';

/** What shows the service that a request comes from this page. */
export const consoleHeader: Record<string, string> = { 'X-Countersign-Console': '1' };

const FOLDER = '/console/session';

/** Answers its data. */
export async function askSession(verb: 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(FOLDER + path, {
    method: verb,
    headers: { ...consoleHeader, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    credentials: 'same-origin',
    redirect: 'error',
  });
  const { code, message, data } = (await response.json()) as { code: string; message: string; data: unknown };
  if (!response.ok) throw new CountersignError(response.status, code, message, response.headers);
  return data;
}
