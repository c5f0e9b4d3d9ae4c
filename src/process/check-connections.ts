// Looks at the start of a process whether database and Temporal are who they should be: a wrong certificate is told in
// one sentence that names the variable, at once; so is a key-encryption key of another database. A peer that is away is
// no failure here: who can wait for it does.
import { type ConnectionOptions, connect } from 'node:tls';
import type { Database } from '../../drizzle/database/connection.ts';
import { pingDatabase } from '../../drizzle/database/connection.ts';
import { describeCertificateFailure, describeDatabaseTlsFailure } from '../../drizzle/database/database-url.ts';
import { opensServiceKeys } from '../../drizzle/secrets/service-keys.ts';
import { ConfigError } from './config.ts';
import type { TemporalSettings } from './temporal.ts';
import { within } from './within.ts';

const WITHIN_MS = 3_000;
/** TLS 1.3 refuses a client's certificate after the client thinks that all is well. */
const REFUSED_WITHIN_MS = 300;

export async function checkConnections(
  db: Database | undefined,
  temporal: TemporalSettings | undefined,
): Promise<void> {
  await Promise.all([db && checkDatabase(db), temporal && checkTemporal(temporal)]);
}

async function checkDatabase(db: Database): Promise<void> {
  await within(WITHIN_MS, () => pingDatabase(db)).catch((error: unknown) => {
    const fault = describeDatabaseTlsFailure(error);
    if (fault !== undefined) throw new ConfigError(fault);
  });
}

/** The first is the key of today. Without it nothing could be read, and every request would fail. */
export async function checkKeyEncryptionKeys(db: Database, keyEncryptionKeys: readonly Buffer[]): Promise<void> {
  // A database that is away or has no tables yet says so later, and better.
  const areOurs = await within(WITHIN_MS, () => opensServiceKeys(db, keyEncryptionKeys)).catch(() => true);
  if (areOurs) return;
  throw new ConfigError(
    'KEY_ENCRYPTION_KEY is not the key of this database: set the one under which its secrets were encrypted ' +
      '(KEY_ENCRYPTION_KEY_PREVIOUS while it is being replaced).',
  );
}

async function checkTemporal({ address, tls }: TemporalSettings): Promise<void> {
  if (tls === undefined) return;
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? [];
  const plainHost = host.replace(/^\[(.*)\]$/, '$1');
  const { serverNameOverride: name, serverRootCACertificate: ca, clientCertPair: pair } = tls;
  const error = await tryHandshake({
    host: plainHost,
    port: Number(port),
    ALPNProtocols: ['h2'],
    rejectUnauthorized: true,
    ...(name === undefined ? {} : { servername: name }),
    ...(ca === undefined ? {} : { ca }),
    ...(pair === undefined ? {} : { cert: pair.crt, key: pair.key }),
  });
  const fault = error === undefined ? undefined : describeTemporalFailure(error);
  if (fault !== undefined) throw new ConfigError(fault);
}

function tryHandshake(options: ConnectionOptions): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const socket = connect(options, () => setTimeout(end, REFUSED_WITHIN_MS));
    const timer = setTimeout(() => end(), WITHIN_MS);
    function end(error?: NodeJS.ErrnoException): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(error);
    }
    socket.on('error', end);
  });
}

/** Undefined when it is no matter of certificates. */
function describeTemporalFailure(error: NodeJS.ErrnoException): string | undefined {
  const { code = '', message } = error;
  const certificate = describeCertificateFailure(error);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'TEMPORAL_TLS_SERVER_NAME: the certificate of Temporal is for another name than the host in TEMPORAL_ADDRESS; name the one that it is for.';
  if (certificate !== undefined)
    return `TEMPORAL_TLS_SERVER_CA_CERT_PATH: the certificate of Temporal ${certificate}: name the file of the authority that issued it.`;
  if (/ALERT|certificate required/i.test(`${code} ${message}`))
    return 'TEMPORAL_TLS_CLIENT_CERT_PATH: Temporal does not take our client certificate, or asks for one.';
  // By what it says. Who ends the connection without a word may be a balancer whose Temporal is being started.
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'TEMPORAL_TLS: Temporal at TEMPORAL_ADDRESS speaks no TLS.';
  return undefined;
}
