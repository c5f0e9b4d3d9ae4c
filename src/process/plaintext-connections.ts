// Finds what would cross a network in the clear, or to a peer whose certificate nobody checks. Knows which variables
// name a peer, and opens no connection.
import { DatabaseUrlError, isLoopback, readDatabaseUrl } from '../../drizzle/database/database-url.ts';
import { usesTemporalTls } from './temporal-tls.ts';

/** A variable that names peers, and how it is put right. */
export interface PlaintextPeer {
  name: string;
  remedy: string;
}

const httpVariables = ['RPC_URLS', 'RPC_URLS_SECOND', 'PRICE_SOURCE_URL', 'MPC_APPROVER_URL', 'EXPORT_S3_ENDPOINT'];

/** Undefined when everything is encrypted and verified, or stays on this machine. */
export function findPlaintextPeer(
  config: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): PlaintextPeer | undefined {
  const { DATABASE_URL: url, TEMPORAL_ADDRESS: address } = config;
  if (typeof url === 'string') {
    const { hosts, isVerified } = readDatabaseUrl(url);
    if (!isVerified && !hosts.every(isLoopback))
      return { name: 'DATABASE_URL', remedy: 'sslmode=verify-full (and sslrootcert, the file of its authority)' };
  }
  if (typeof address === 'string' && !usesTemporalTls(config) && !isLoopback(address.replace(/:\d+$/, '')))
    return { name: 'TEMPORAL_ADDRESS', remedy: 'TEMPORAL_TLS=true, a client certificate or TEMPORAL_API_KEY' };
  for (const [name, value] of [...urlsOf(config, httpVariables), ...otlpUrlsOf(environment)])
    if (hasPlainHttp(value)) return { name, remedy: 'https://' };
  return undefined;
}

const urlsOf = (config: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  names.map((name) => [name, textOf(config[name])] as const);

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The exporter reads them itself. */
const otlpUrlsOf = (environment: NodeJS.ProcessEnv) =>
  Object.entries(environment)
    .filter(([name]) => /^OTEL_EXPORTER_OTLP_(\w+_)?ENDPOINT$/.test(name))
    .map(([name, value]) => [name, value ?? ''] as const);

/** In one address, or in a list of `CODE=address`. What cannot be read counts as remote. */
const hasPlainHttp = (text: string): boolean =>
  [...text.matchAll(/http:\/\/[^\s,]*/gi)].some(([url]) => !URL.canParse(url) || !isLoopback(new URL(url).hostname));

/** What is wrong with DATABASE_URL, in words that go on after its name. */
export function findDatabaseUrlFault(url: string): string | undefined {
  try {
    readDatabaseUrl(url);
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseUrlError) return error.message;
    throw error;
  }
}
