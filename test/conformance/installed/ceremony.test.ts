// Goal: a ceremony by the script ends in a cluster that signs, and a key that somebody slipped in is found at the host
// whose place it took. Method: the script, as its page says, with a folder for each host and the real node program; the
// nodes are started on its outcome. Who assembles the file lies.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { v4 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectCluster } from '../../../activities/mpc/client/connect-cluster.ts';
import { verifySignature } from '../../../activities/mpc/verify/verify-signature.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { anySignature } from '../../support/cluster/any-signature.ts';
import { buildNode } from '../../support/cluster/cluster.ts';
import { hasJq } from '../../support/documents/jq.ts';

const script = resolve(import.meta.dirname, '../../../deploy/ceremony/ceremony.sh');
const policy = resolve(import.meta.dirname, '../../../mpc/policies/sandbox.json');
const numbers = [1, 2, 3];

let place: string;
let program: string;
let publicFiles: string[];
const processes: ChildProcess[] = [];

const at = (...names: string[]) => join(place, ...names);
const nodeFile = (number: number) => at(`host-${number}`, `node-${number}.json`);
const ceremony = async (...args: string[]) =>
  (await promisify(execFile)(script, args, { cwd: place, env: { ...process.env, MPC_NODE: program } })).stdout;
const fingerprintIn = (text: string) => /fingerprint ((?:[0-9a-f]{4} ?){8})/.exec(text)?.[1];

describe.skipIf(!hasJq)('a ceremony', () => {
  beforeAll(async () => {
    program = await buildNode();
    place = mkdtempSync(join(tmpdir(), 'countersign-ceremony-'));
    for (const number of numbers) await ceremony('node', `${number}`, at(`host-${number}`));
    await ceremony('service', at('service'));
    await ceremony('offline', at('offline'));
    publicFiles = [...numbers.map(nodeFile), at('service', 'service.json'), at('offline', 'enrolment.json')];
    writeFileSync(at('cluster.json'), await ceremony('assemble', '2', ...publicFiles));
  }, 600_000);
  afterAll(() => {
    for (const child of processes) child.kill('SIGKILL');
    rmSync(place, { recursive: true, force: true });
  });

  test('every host confirms one file, and says the same of it', async () => {
    const said = await Promise.all(publicFiles.map((file) => ceremony('confirm', at('cluster.json'), file)));
    expect(new Set(said.map(fingerprintIn)).size).toBe(1);
    for (const line of said) expect(line).toContain('2 of 3 sign');
  });

  test('its nodes make a key and sign with it', async () => {
    const addresses = new Map<number, { host: string; port: number }>();
    for (const number of numbers) {
      const port = await findFreePort();
      const keys = ['--dir', at(`host-${number}`, 'node'), '--store-key-file', at(`host-${number}`, 'store.key')];
      const rest = ['--cluster', at('cluster.json'), '--listen', `127.0.0.1:${port}`, '--policy', policy];
      const args = ['serve', '--index', `${number}`, ...keys, ...rest, '--exit-with-stdin'];
      const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
      processes.push(child);
      const [ready] = await once(child.stdout, 'data');
      expect(String(ready)).toMatch(/^ready /);
      addresses.set(number, { host: '127.0.0.1', port });
    }
    const credentialsDir = at('service', 'credentials');
    const cluster = connectCluster({ nodes: addresses, clusterFile: at('cluster.json'), credentialsDir });
    try {
      const [walletId, curve, path] = [v4(), 'ed25519', [0]] as const;
      const root = await cluster.generateKey({ walletId, curve });
      const payload = { kind: 'raw_digest', digest: Buffer.alloc(32, 7) } as const;
      const asked = { operationId: v4(), attempt: 1, walletId, curve, path, payload };
      verifySignature({ curve, root, path, payload, signature: await cluster.sign(asked, anySignature) });
    } finally {
      await cluster.close();
    }
  }, 120_000);

  test('who assembles the file cannot give the place of a node to a machine of his own', async () => {
    await ceremony('node', '2', at('attacker'));
    const forged = publicFiles.with(1, at('attacker', 'node-2.json'));
    writeFileSync(at('forged.json'), await ceremony('assemble', '2', ...forged));
    await expect(ceremony('confirm', at('forged.json'), nodeFile(2))).rejects.toThrow('Stop the ceremony');
    // The others' keys are in it; they hear another fingerprint than operator 2 would, or none.
    const [honest, other] = await Promise.all(
      ['cluster.json', 'forged.json'].map((name) => ceremony('confirm', at(name), nodeFile(1))),
    );
    expect(fingerprintIn(other ?? '')).not.toBe(fingerprintIn(honest ?? ''));
  });

  test('a forged command key or enrolment key is found where the genuine one was made', async () => {
    await ceremony('service', at('other-service'));
    await ceremony('offline', at('other-offline'));
    const forged = publicFiles
      .with(3, at('other-service', 'service.json'))
      .with(4, at('other-offline', 'enrolment.json'));
    writeFileSync(at('commanded.json'), await ceremony('assemble', '2', ...forged));
    for (const file of publicFiles.slice(3))
      await expect(ceremony('confirm', at('commanded.json'), file)).rejects.toThrow('Stop the ceremony');
  });

  test.each<[string, () => string[]]>([
    ['one node twice', () => publicFiles.with(1, nodeFile(1))],
    ['no command key', () => publicFiles.toSpliced(3, 1)],
    ['no enrolment key', () => publicFiles.toSpliced(4, 1)],
    ['a number too few', () => publicFiles.toSpliced(0, 1)],
  ])('nothing is assembled of %s', async (_what, files) => {
    await expect(ceremony('assemble', '2', ...files())).rejects.toThrow('no cluster.json was made');
  });

  test('a threshold that the node program does not take is refused', async () => {
    await expect(ceremony('assemble', '1', ...publicFiles)).rejects.toThrow('refuses this cluster');
  });

  test('nothing is made over what is there', async () => {
    await expect(ceremony('node', '1', at('host-1'))).rejects.toThrow('there already');
  });

  test('private keys are for their owner alone, and the minutes hold none', () => {
    for (const file of [
      'host-1/store.key',
      'host-1/node/identity.key',
      'service/credentials/command.key',
      'offline/enrolment/enrolment.key',
    ])
      expect(statSync(at(file)).mode & 0o077).toBe(0);
    const minutes = readFileSync(at('host-1', 'minutes.txt'), 'utf8');
    expect(minutes).toMatch(/^\d{4}-\d\d-\d\dT\S+ \S+ mpc-node \S+ sha256:[0-9a-f]{64}: node 1, fingerprint/);
    expect(minutes).not.toContain(readFileSync(at('host-1', 'store.key'), 'utf8').trim());
  });
});
