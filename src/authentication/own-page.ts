// Whether a request comes from the console's own page in a browser, and the cookie that it carries. Another site's page
// can have a browser send a cookie along; it can neither set our header nor name our origin. Fails closed: what a
// browser does not say is taken as another site's.
import type { FastifyRequest } from 'fastify';
import { AuthenticationError } from '../http/errors.ts';

/** The console sends it with every request; a form or a picture of another site cannot. */
const CONSOLE_HEADER = 'x-countersign-console';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const signedHeaders = ['access-api-key', 'access-timestamp', 'access-sign'] as const;

/** Where the console is, as browsers see it. */
export interface ConsoleOrigin {
  /** `https://console.example.com`, without a path. */
  origin: string;
  /** The id of the relying party of passkeys: the name of the host. */
  relyingPartyId: string;
  isSecure: boolean;
  cookieName: string;
}

/** `__Host-` keeps the cookie of a page from HTTPS from being set by another host or over plain HTTP. */
export function readConsoleOrigin(text: string): ConsoleOrigin {
  const { origin, hostname, protocol } = new URL(text);
  const isSecure = protocol === 'https:';
  return {
    origin,
    relyingPartyId: hostname,
    isSecure,
    cookieName: isSecure ? '__Host-countersign-session' : 'countersign-session',
  };
}

/**
 * The token of the session that a request is made in. Undefined for a request that is signed, or says that it is: a
 * cookie never helps out where a signature fails.
 */
export function readSessionToken(
  { headers }: FastifyRequest,
  { cookieName }: Pick<ConsoleOrigin, 'cookieName'>,
): string | undefined {
  if (signedHeaders.some((name) => headers[name] !== undefined)) return undefined;
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return pair.slice(0, at).trim() === cookieName ? [pair.slice(at + 1).trim()] : [];
  });
  // Two of one name: somebody else has set one of them.
  const [token, second] = values;
  return second === undefined && token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Throws when the request is not of the console's own page. */
export function assertOwnPage({ method, headers }: FastifyRequest, { origin }: Pick<ConsoleOrigin, 'origin'>): void {
  const site = headers['sec-fetch-site'];
  const isRead = method === 'GET' || method === 'HEAD';
  // A browser names the origin of whatever may change something, and of reads only across origins.
  const isFromOrigin = headers.origin === undefined ? isRead : headers.origin === origin;
  if (headers[CONSOLE_HEADER] !== '1' || !isFromOrigin || (site !== undefined && site !== 'same-origin'))
    throw new AuthenticationError('request from another page');
}

/** Sets the cookie of a session that begins. */
export const sessionCookie = ({ cookieName, isSecure }: ConsoleOrigin, token: string, maxAgeSeconds: number): string =>
  `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${isSecure ? '; Secure' : ''}`;
