// An authority of a test's own and what it vouches for, by openssl. Keys and certificates stand in one folder, which
// the caller removes.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  key: string;
  cert: string;
}

const CONFIG = `[ca]
default_ca = authority
[authority]
database = issued
new_certs_dir = .
default_md = sha256
policy = any
rand_serial = yes
unique_subject = no
[any]
commonName = supplied
`;
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
/** As openssl writes a moment. */
const atDay = (days: number) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`;

export class Authority {
  readonly #directory: string;
  /** For NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  #issued = 0;

  constructor(directory: string) {
    this.#directory = directory;
    this.file = join(directory, 'authority.pem');
    writeFileSync(join(directory, 'authority.cnf'), CONFIG);
    writeFileSync(join(directory, 'issued'), '');
    const own = ['-keyout', 'authority.key', '-out', 'authority.pem', '-subj', '/CN=authority of a test', '-days', '2'];
    this.#openssl('req', '-x509', ...newKey, ...own);
  }

  /** Its own certificate. */
  get pem(): string {
    return readFileSync(this.file, 'utf8');
  }

  /**
   * `name` as in subjectAltName: `DNS:…` or `IP:…`. Valid until so many days from now, since two days before that or
   * today.
   */
  issue(name: string, validForDays = 1): Certificate {
    this.#issued += 1;
    const [key, request, cert] = ['key', 'csr', 'pem'].map((ending) => `${this.#issued}.${ending}`) as [
      string,
      string,
      string,
    ];
    writeFileSync(join(this.#directory, 'names'), `subjectAltName = ${name}\n`);
    this.#openssl('req', ...newKey, '-keyout', key, '-out', request, '-subj', '/CN=receiver');
    const dates = ['-startdate', atDay(Math.min(0, validForDays) - 2), '-enddate', atDay(validForDays)];
    const by = ['-config', 'authority.cnf', '-cert', 'authority.pem', '-keyfile', 'authority.key', '-extfile', 'names'];
    this.#openssl('ca', '-batch', '-notext', ...by, ...dates, '-in', request, '-out', cert);
    return this.#read(key, cert);
  }

  /** That nobody vouches for. */
  selfSigned(name: string): Certificate {
    const files = ['-keyout', 'self.key', '-out', 'self.pem'];
    this.#openssl('req', '-x509', ...newKey, ...files, '-subj', '/CN=receiver', '-addext', `subjectAltName=${name}`);
    return this.#read('self.key', 'self.pem');
  }

  #read(key: string, cert: string): Certificate {
    const read = (name: string) => readFileSync(join(this.#directory, name), 'utf8');
    return { key: read(key), cert: read(cert) };
  }

  #openssl(...args: string[]): void {
    execFileSync('openssl', args, { cwd: this.#directory, stdio: 'ignore' });
  }
}
