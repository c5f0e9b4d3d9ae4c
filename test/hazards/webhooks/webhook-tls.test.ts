// Goal: webhooks go to a receiver over TLS only when its certificate is valid for the name of its url, also where the
// connection goes to an address that was checked before. Method: the sender of the product in a process of its own, as
// a worker runs: an authority of the test's is known to it by NODE_EXTRA_CA_CERTS, and its resolver leads every name to
// this machine. The receiver shows for each name that it is asked for (SNI) another certificate. Needs openssl.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Authority, type Certificate } from '../../support/processes/certificates.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'countersign-tls-'));
const authority = new Authority(directory);

/** What the receiver shows who asks for the name; without a name, the one for its address. */
const shown: Record<string, Certificate> = {
  'valid.example': authority.issue('DNS:valid.example'),
  'expired.example': authority.issue('DNS:expired.example', -1),
  'another.example': authority.issue('DNS:valid.example'),
  'self.example': authority.selfSigned('DNS:self.example'),
};
const ofAddress = authority.issue('IP:127.0.0.1');

let server: Server;
let port: number;
const askedFor: string[] = [];
const taken: { host: string | undefined; body: string }[] = [];

beforeAll(async () => {
  const SNICallback = (
    name: string,
    done: (error: Error | null, context?: ReturnType<typeof createSecureContext>) => void,
  ) => {
    askedFor.push(name);
    done(null, createSecureContext(shown[name] ?? ofAddress));
  };
  server = createServer({ ...ofAddress, SNICallback }, (request, response) => {
    void text(request).then((body) => {
      taken.push({ host: request.headers.host, body });
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(directory, { recursive: true });
});

/** What a process makes of a message to each of these hosts, one after another. */
async function post(hosts: string[], environment: Record<string, string>): Promise<(number | string)[]> {
  const script = `
    import { describeFailure, Sender } from './activities/webhooks/post-event.ts';
    const options = { timeoutMs: 10_000, atOnceMax: 1, resolve: async () => ['127.0.0.1'] };
    const sender = new Sender({ allowPrivate: true, httpsOnly: true }, options);
    const results = [];
    for (const host of ${JSON.stringify(hosts)}) {
      const message = { url: \`https://\${host}:${port}/hook\`, headers: { 'content-length': '2' }, body: '{}' };
      const result = await sender.post(message, new AbortController().signal).then((answer) => answer.statusCode, describeFailure);
      results.push(result);
    }
    sender.close();
    console.log(JSON.stringify(results));`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  const env = { PATH: process.env['PATH'], ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  return JSON.parse(stdout);
}

describe('H3: a receiver with TLS', () => {
  test('is sent to when its certificate is valid for its name, and to no other', async () => {
    const hosts = ['valid.example', 'expired.example', 'another.example', 'self.example', '127.0.0.1', 'valid.example'];
    const results = await post(hosts, { NODE_EXTRA_CA_CERTS: authority.file });
    expect(results).toEqual([
      200,
      'TLS was not agreed on (CERT_HAS_EXPIRED)',
      'TLS was not agreed on (ERR_TLS_CERT_ALTNAME_INVALID)',
      'TLS was not agreed on (DEPTH_ZERO_SELF_SIGNED_CERT)',
      200,
      200,
    ]);
    expect(new Set(askedFor)).toEqual(new Set(['valid.example', 'expired.example', 'another.example', 'self.example']));
    expect(taken).toEqual(
      ['valid.example', '127.0.0.1', 'valid.example'].map((host) => ({ host: `${host}:${port}`, body: '{}' })),
    );
  });

  test('whose authority this process does not know is sent nothing', async () => {
    taken.length = 0;
    expect(await post(['valid.example'], {})).toEqual([expect.stringMatching(/^TLS was not agreed on \(UNABLE_TO_/)]);
    expect(taken).toEqual([]);
  });

  test('is checked whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    taken.length = 0;
    const results = await post(['self.example'], { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(results).toEqual(['TLS was not agreed on (DEPTH_ZERO_SELF_SIGNED_CERT)']);
    expect(taken).toEqual([]);
  });
});
