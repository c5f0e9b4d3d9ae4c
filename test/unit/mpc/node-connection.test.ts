// Goal: nobody but the holder of the pinned certificate is taken for a node, whatever stands in the environment.
// Method: the connection of the product in a process of its own, with NODE_TLS_REJECT_UNAUTHORIZED=0, against a server
// that answers any frame. Needs openssl.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encode } from '../../../activities/mpc/transport/borsh.ts';
import { toFrame } from '../../../activities/mpc/transport/frames.ts';
import { response } from '../../../activities/mpc/transport/wire.ts';
import { Authority } from '../../support/processes/certificates.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'countersign-pin-'));
const authority = new Authority(directory);
const node = authority.selfSigned('DNS:node');
const client = authority.selfSigned('DNS:orchestrator');
const other = authority.selfSigned('DNS:node');

let server: Server;
let received = 0;

beforeAll(async () => {
  server = createServer({ ...node, requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.3' }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      received += 1;
      socket.write(toFrame([encode(response, { id: 1n, body: { kind: 'InProgress' } })]));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

/** What a process makes of the server when this certificate is the pinned one. */
async function ask(nodeCertificate: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const tls = { nodeCertificate, clientCertificate: client.cert, clientKey: client.key };
  const script = `
    import { NodeConnection } from './activities/mpc/transport/node-connection.ts';
    const node = new NodeConnection(1, { host: '127.0.0.1', port: ${port} }, ${JSON.stringify(tls)});
    console.log(await node.call({ kind: 'Health' }, 20_000).then(({ kind }) => kind, ({ code }) => code));
    node.close();`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  const env = { PATH: process.env['PATH'], NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  return stdout.trim();
}

it('speaks to the holder of the pinned certificate alone', { timeout: 60_000 }, async () => {
  expect(await ask(node.cert)).toBe('InProgress');
  expect(received).toBe(1);
  expect(await ask(other.cert)).toBe('cluster_not_ready');
  expect(received).toBe(1);
});
