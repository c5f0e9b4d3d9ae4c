// An authority of the stack's own, made once, and the certificates that it gives out at each start, by openssl. Its key
// and theirs are for their owner only.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '../processes/programs.ts';

export type CertificateFiles = { certificate: string; key: string };

const AUTHORITY_DAYS = 3650;
const CERTIFICATE_DAYS = 365;
const extensions = `[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[member]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
`;

export class StackAuthority {
  readonly #directory: string;
  /** Its own certificate. */
  readonly file: string;

  constructor(directory: string) {
    if (findOnPath('openssl') === undefined)
      throw new Error('The program `openssl` is missing: install OpenSSL 3, which makes the certificates.');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#directory = directory;
    this.file = join(directory, 'authority.pem');
    writeFileSync(join(directory, 'extensions.cnf'), extensions);
    if (existsSync(this.file)) return;
    const made = this.#make('authority.new', ['-extensions', 'authority', '-days', String(AUTHORITY_DAYS)]);
    renameSync(made.key, join(directory, 'authority.key'));
    renameSync(made.certificate, this.file); // last: what is there is whole
  }

  /** `names` as in subjectAltName. */
  issue(name: string, names: string): CertificateFiles {
    const by = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-days', String(CERTIFICATE_DAYS)];
    return this.#make(name, [...by, '-extensions', 'member', '-addext', `subjectAltName = ${names}`]);
  }

  #make(name: string, how: readonly string[]): CertificateFiles {
    const [certificate, key] = [join(this.#directory, `${name}.pem`), join(this.#directory, `${name}.key`)];
    const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
    const args = ['req', '-x509', '-config', 'extensions.cnf', '-subj', `/CN=Countersign stack, ${name}`];
    execFileSync('openssl', [...args, ...fresh, ...how, '-out', certificate], {
      cwd: this.#directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return { certificate, key };
  }
}
