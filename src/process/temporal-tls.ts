// How the connection to Temporal is protected and who it is that calls: TLS, mTLS or an API key, from variables that
// Temporal's own tools have, too. Opens no connection.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';

/** How old the content of the file of an API key may be: it is asked for at every call. */
const API_KEY_REMEMBERED_MS = 5_000;

const pem = (what: string, isSecret: boolean) =>
  Type.String({
    pattern: '^(-----BEGIN [^]*)?$',
    default: '',
    description: `${what} in PEM, or nothing`,
    secret: isSecret,
    meaning: 'The PEM itself, in the place of the variable that ends with _PATH.',
  });
const path = (what: string, meaning: string) =>
  Type.String({ default: '', description: `the path of ${what}, or nothing`, meaning });

export const temporalTlsVariables = {
  TEMPORAL_TLS: Type.Enum(['', 'true', 'false'], {
    default: '',
    description: '"true", "false" or nothing',
    meaning: 'TLS towards Temporal. Any of the following variables switches it on as well.',
  }),
  TEMPORAL_TLS_SERVER_NAME: Type.String({
    default: '',
    description: 'the name in the certificate of Temporal, or nothing',
    meaning: 'Needed when the certificate is for another name than the one in TEMPORAL_ADDRESS.',
  }),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: path(
    'the certificate of the authority behind Temporal',
    'Needed when the authority is not a public one.',
  ),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: pem('the certificate of the authority behind Temporal', false),
  TEMPORAL_TLS_CLIENT_CERT_PATH: path('the client certificate', 'The certificate that the service shows to Temporal.'),
  TEMPORAL_TLS_CLIENT_CERT_DATA: pem('the client certificate', false),
  TEMPORAL_TLS_CLIENT_KEY_PATH: path('the key of the client certificate', 'The private key of that certificate.'),
  TEMPORAL_TLS_CLIENT_KEY_DATA: pem('the key of the client certificate', true),
  TEMPORAL_API_KEY: Type.String({
    pattern: '^[\\x21-\\x7e]*$',
    default: '',
    description: 'an API key of Temporal Cloud, or nothing',
    secret: true,
    meaning: 'The API key of a namespace in Temporal Cloud.',
  }),
  TEMPORAL_API_KEY_PATH: path(
    'a file with an API key of Temporal Cloud',
    'The same from a file, which is read again while the process runs.',
  ),
};

type Variables = { [Name in keyof typeof temporalTlsVariables]: Static<(typeof temporalTlsVariables)[Name]> };
export type TemporalTlsConfig = Partial<Variables>;

/** As the SDK takes it. */
export interface TemporalTls {
  serverNameOverride?: string;
  serverRootCACertificate?: Buffer;
  clientCertPair?: { crt: Buffer; key: Buffer };
}

export interface TemporalAccess {
  tls?: TemporalTls;
  /** Of today: a file may have got another one. */
  apiKey?: () => string;
}

/** What is wrong, as a sentence that begins with the name of a variable. */
export class TemporalTlsError extends Error {
  override name = 'TemporalTlsError';
}

const keyVariables = ['TEMPORAL_API_KEY', 'TEMPORAL_API_KEY_PATH'];

/** Also when nobody says so: who names a certificate or has an API key means it. */
export function usesTemporalTls(config: Readonly<Record<string, unknown>>): boolean {
  if (config['TEMPORAL_TLS'] === 'true') return true;
  return config['TEMPORAL_TLS'] !== 'false' && namedBy(config).length > 0;
}

const namedBy = (config: Readonly<Record<string, unknown>>) =>
  Object.keys(temporalTlsVariables).filter((name) => name !== 'TEMPORAL_TLS' && Boolean(config[name]));

/** Reads the files that are named. Throws a TemporalTlsError for what cannot be meant. */
export function readTemporalAccess(config: Partial<Variables>): TemporalAccess {
  const [named] = namedBy(config);
  if (config.TEMPORAL_TLS === 'false' && named !== undefined)
    throw new TemporalTlsError(
      `${named} is of no use, or would be sent in the clear, with TEMPORAL_TLS=false: leave one of them out.`,
    );
  if (!usesTemporalTls(config)) return {};
  const ca = read(config, 'TEMPORAL_TLS_SERVER_CA_CERT', assertCertificate);
  const crt = read(config, 'TEMPORAL_TLS_CLIENT_CERT', assertCertificate);
  const key = read(config, 'TEMPORAL_TLS_CLIENT_KEY', (bytes) => void createPrivateKey(bytes));
  if ((crt === undefined) !== (key === undefined))
    throw new TemporalTlsError(
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH belong together: give both.',
    );
  if (crt !== undefined && key !== undefined && !new X509Certificate(crt).checkPrivateKey(createPrivateKey(key)))
    throw new TemporalTlsError(
      'TEMPORAL_TLS_CLIENT_KEY_PATH is not the key of the certificate in TEMPORAL_TLS_CLIENT_CERT_PATH.',
    );
  const { TEMPORAL_TLS_SERVER_NAME: serverName = '' } = config;
  const tls: TemporalTls = {
    ...(serverName === '' ? {} : { serverNameOverride: serverName }),
    ...(ca === undefined ? {} : { serverRootCACertificate: ca }),
    ...(crt === undefined || key === undefined ? {} : { clientCertPair: { crt, key } }),
  };
  const apiKey = apiKeyOf(config);
  return { tls, ...(apiKey === undefined ? {} : { apiKey }) };
}

type FileVariable = 'TEMPORAL_TLS_SERVER_CA_CERT' | 'TEMPORAL_TLS_CLIENT_CERT' | 'TEMPORAL_TLS_CLIENT_KEY';

function read(config: Partial<Variables>, name: FileVariable, assert: (bytes: Buffer) => void): Buffer | undefined {
  const [path = '', data = ''] = [config[`${name}_PATH`], config[`${name}_DATA`]];
  if (path !== '' && data !== '') throw new TemporalTlsError(`${name}_PATH and ${name}_DATA exclude each other.`);
  if (path === '' && data === '') return undefined;
  const variable = `${name}_${path === '' ? 'DATA' : 'PATH'}`;
  const bytes = path === '' ? Buffer.from(data) : readNamed(variable, path);
  try {
    assert(bytes);
  } catch {
    throw new TemporalTlsError(`${variable} holds no ${name.endsWith('KEY') ? 'key' : 'certificate'} in PEM.`);
  }
  return bytes;
}

const assertCertificate = (bytes: Buffer) => void new X509Certificate(bytes);

function readNamed(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw new TemporalTlsError(`${variable} names a file that cannot be read.`);
  }
}

function apiKeyOf(config: Partial<Variables>): (() => string) | undefined {
  const { TEMPORAL_API_KEY: key = '', TEMPORAL_API_KEY_PATH: path = '' } = config;
  if (key !== '' && path !== '') throw new TemporalTlsError(`${keyVariables.join(' and ')} exclude each other.`);
  if (path === '') return key === '' ? undefined : () => key;
  let last = readApiKey(path);
  let readAtMs = performance.now();
  return () => {
    if (performance.now() - readAtMs < API_KEY_REMEMBERED_MS) return last;
    readAtMs = performance.now();
    // While it is being replaced the former one counts.
    try {
      last = readApiKey(path);
    } catch {}
    return last;
  };
}

function readApiKey(path: string): string {
  const key = readNamed('TEMPORAL_API_KEY_PATH', path).toString('utf8').trim();
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new TemporalTlsError('TEMPORAL_API_KEY_PATH names a file that holds no API key.');
  return key;
}
