// Reads DATABASE_URL as libpq would as far as TLS goes (sslmode, sslrootcert, sslcert, sslkey), says how well the
// connection is protected, and why one failed. Opens none. What the driver does by itself is not enough: it takes any
// certificate for `sslmode=require` and hands the files' names to the server.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import postgres from 'postgres';

export interface DatabaseAddress {
  /** For the driver: without what it does not understand. */
  url: string;
  ssl: false | 'prefer' | TlsOptions;
  hosts: readonly string[];
  /** That nobody in between can read it or take the part of the database. */
  isVerified: boolean;
}

/** Taken anew for each connection, so that certificates that were replaced count from the next one on. */
interface TlsOptions {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
  /** By which an address is checked; a name is taken from the connection. */
  readonly host?: string;
  readonly checkServerIdentity?: () => undefined;
}

/** What is wrong with it, in words that go on after "DATABASE_URL". */
export class DatabaseUrlError extends Error {
  override name = 'DatabaseUrlError';
}

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];
const ours = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey'];

export function readDatabaseUrl(text: string): DatabaseAddress {
  const [address = '', query = ''] = text.split('?', 2);
  const parameters = new URLSearchParams(query);
  const [mode, files] = [modeOf(parameters), filesOf(parameters)];
  for (const name of ours) parameters.delete(name);
  const rest = parameters.toString();
  const hosts = hostsOf(address);
  return {
    url: rest === '' ? address : `${address}?${rest}`,
    ssl: sslOf(mode, files, hosts),
    hosts,
    isVerified: mode === 'verify-full',
  };
}

/** Without a mode there is no TLS, but whoever names an authority wants it to be asked. */
function modeOf(parameters: URLSearchParams): Mode {
  const hasAuthority = parameters.has('sslrootcert');
  const mode = parameters.get('sslmode') ?? (hasAuthority ? 'verify-full' : 'disable');
  if (parameters.has('ssl')) throw new DatabaseUrlError('must say it by sslmode, not by ssl');
  const known = modes.find((one) => one === mode);
  if (known === undefined) throw new DatabaseUrlError(`must have an sslmode of ${modes.join(', ')}`);
  // As libpq has it: an authority that is named is asked.
  return known === 'require' && hasAuthority ? 'verify-ca' : known;
}

/** `allow` and `prefer` go on without TLS when they must. */
function sslOf(mode: Mode, files: Files, hosts: readonly string[]): DatabaseAddress['ssl'] {
  if (mode === 'disable') return false;
  return mode === 'allow' || mode === 'prefer' ? 'prefer' : tlsOptions(mode, files, hosts);
}

type Files = Partial<Record<'ca' | 'cert' | 'key', string>>;

function filesOf(parameters: URLSearchParams): Files {
  const named = { ca: parameters.get('sslrootcert'), cert: parameters.get('sslcert'), key: parameters.get('sslkey') };
  if ((named.cert === null) !== (named.key === null))
    throw new DatabaseUrlError('must name sslcert and sslkey together');
  // Those that Node knows, and NODE_EXTRA_CA_CERTS.
  if (named.ca === 'system') named.ca = null;
  return Object.fromEntries(Object.entries(named).filter(([, path]) => path !== null));
}

function tlsOptions(mode: Mode, files: Files, hosts: readonly string[]): TlsOptions {
  let last = secureContextOf(files);
  const [host = ''] = hosts;
  if (hosts.length > 1 && hosts.some((one) => isIP(one) !== 0))
    throw new DatabaseUrlError(
      'must give several hosts by their names, not by addresses, to have their certificates checked',
    );
  return {
    // Of files that are being replaced just now the former content counts: an exception here would reach nobody but the
    // process.
    get secureContext() {
      try {
        last = secureContextOf(files);
      } catch {}
      return last;
    },
    rejectUnauthorized: mode !== 'require',
    ...(isIP(host) === 0 ? {} : { host }),
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

const assertCertificate = (bytes: Buffer) => void new X509Certificate(bytes);

const namesOfFiles = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const;

function secureContextOf(files: Files): SecureContext {
  const contents: Partial<Record<keyof Files, Buffer>> = {};
  for (const [what, path] of Object.entries(files) as [keyof Files, string][])
    try {
      contents[what] = readFileSync(path);
    } catch {
      throw new DatabaseUrlError(`names a file as ${namesOfFiles[what]} that cannot be read`);
    }
  try {
    // Of what holds no certificate the context would just take none.
    if (contents.ca !== undefined) assertCertificate(contents.ca);
    return createSecureContext(contents);
  } catch {
    throw new DatabaseUrlError(
      'names files as sslrootcert, sslcert or sslkey that are no certificates in PEM, or do not belong together',
    );
  }
}

function hostsOf(address: string): string[] {
  const [, authority = ''] = /^postgres(?:ql)?:\/\/(?:[^@/]*@)?([^/]*)/.exec(address) ?? [];
  return authority.split(',').map((one) => decodeURIComponent(one.replace(/:\d*$/, '')).replace(/^\[(.*)\]$/, '$1'));
}

const untrusted = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
]);

/**
 * Why a certificate was not taken, in words that go on after what it is a certificate of. Undefined for any other
 * failure.
 */
export function describeCertificateFailure(error: unknown): string | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code = '' } = at as NodeJS.ErrnoException;
    if (untrusted.has(code)) return 'was not issued by the authority that is trusted';
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'is for another host';
    if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return 'is not valid today';
  }
  return undefined;
}

/** What no waiting mends, in one sentence for an operator. Undefined for any other failure. */
export function describeDatabaseTlsFailure(error: unknown): string | undefined {
  const certificate = describeCertificateFailure(error);
  if (certificate !== undefined)
    return `DATABASE_URL: the certificate of the database ${certificate}: check its host, and the authority in sslrootcert.`;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code = '', message } = at as NodeJS.ErrnoException;
    if (/before secure TLS connection|wrong version number/i.test(message))
      return 'DATABASE_URL: the database offers no TLS, which its sslmode asks for.';
    if (/certificate required|alert|unknown ca|client certificate/i.test(message) && code !== '28P01')
      return 'DATABASE_URL: the database does not take our client certificate, or asks for one: check sslcert and sslkey.';
    if (code === '28000' && message.includes('no encryption'))
      return 'DATABASE_URL: the database asks for TLS: give sslmode=verify-full.';
  }
  return undefined;
}

/**
 * One sentence for an operator, without the statement. Undefined when it is not the database that failed.
 */
export function describeDatabaseFailure(error: unknown): string | undefined {
  const fault = describeDatabaseTlsFailure(error);
  if (fault !== undefined) return fault;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code = '' } = at as NodeJS.ErrnoException;
    const sentence = sentences[code];
    if (sentence !== undefined) return `DATABASE_URL: ${sentence}`;
    if (unreached.has(code)) return 'DATABASE_URL: no database answers there.';
    if (at instanceof postgres.PostgresError) return `The database refused it: ${at.message}.`;
  }
  return undefined;
}

const otherVersion = 'the database is not of this version: run `npm run migrate` first.';
/** By PostgreSQL's code of an error. */
const sentences: Readonly<Record<string, string>> = {
  '28000': 'the database refuses this login: check user and password.',
  '28P01': 'the database refuses this login: check user and password.',
  '3D000': 'the server has no database of this name.',
  '42501': 'this login may not do that: the commands need the login that owns the tables.',
  '42P01': otherVersion,
  '42703': otherVersion,
  '42883': otherVersion,
};

const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CONNECT_TIMEOUT', 'ETIMEDOUT', 'EHOSTUNREACH']);

/** Of this machine: what is said to it passes no network. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|([^.]+\.)*localhost|127(\.\d{1,3}){3}|::1|\[::1\])\.?$/i.test(host) || host.startsWith('/');
