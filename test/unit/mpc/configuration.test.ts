// Goal: a wrong configuration is named at the start instead of failing later. Method: good and bad texts for the
// addresses and the cluster file, and commands checked against the key and the clock that they were made with.
import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signCommand } from '../../../activities/mpc/client/command.ts';
import { decode } from '../../../activities/mpc/transport/borsh.ts';
import { parseNodeAddresses } from '../../../activities/mpc/transport/node-addresses.ts';
import { command, type Operation } from '../../../activities/mpc/transport/wire.ts';
import { parseClusterFile } from '../../../activities/mpc/verify/cluster-file.ts';

describe('node addresses', () => {
  it('are read', () => {
    expect(parseNodeAddresses('1=127.0.0.1:7001, 2=[::1]:7002,3=node-3.internal:7003')).toEqual(
      new Map([
        [1, { host: '127.0.0.1', port: 7001 }],
        [2, { host: '::1', port: 7002 }],
        [3, { host: 'node-3.internal', port: 7003 }],
      ]),
    );
  });

  it.each(['', '1=host', 'host:1', '1=host:0', '1=host:65536', '1=:80', '1=a:1,1=b:2', '1=a:1;2=b:2'])(
    'refuse %j',
    (text) => {
      expect(() => parseNodeAddresses(text)).toThrow(/^the addresses of the nodes: /);
    },
  );
});

describe('the cluster file', () => {
  const key = '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c';
  const node = (index: number) => ({ index, identity_public_key: key, tls_certificate: 'PEM' });
  const file = {
    threshold: 2,
    nodes: [node(1), node(2), node(3)],
    orchestrator: { command_public_key: key, tls_certificate: 'PEM' },
  };

  it('is read', () => {
    const { threshold, nodes, commandPublicKey } = parseClusterFile(JSON.stringify(file));
    expect(threshold).toBe(2);
    expect(nodes.map(({ index }) => index)).toEqual([1, 2, 3]);
    expect(Buffer.from(commandPublicKey).toString('hex')).toBe(key);
  });

  it.each<[string, unknown]>([
    ['no object', []],
    ['no nodes', { ...file, nodes: 'none' }],
    ['a node twice', { ...file, nodes: [node(1), node(1)] }],
    ['a threshold of one', { ...file, threshold: 1 }],
    ['a threshold above the nodes', { ...file, threshold: 4 }],
    ['an index of zero', { ...file, nodes: [node(0), node(1)] }],
    ['a short key', { ...file, nodes: [node(1), { ...node(2), identity_public_key: 'ab' }] }],
    ['no orchestrator', { threshold: 2, nodes: file.nodes }],
  ])('is refused with %s', (_what, content) => {
    expect(() => parseClusterFile(JSON.stringify(content))).toThrow(/cluster file/);
  });
});

it('a cluster file of more nodes than can make a key is refused at the start, with that sentence', () => {
  const key = '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c';
  const of = (size: number) => ({
    threshold: 3,
    nodes: Array.from({ length: size }, (_, at) => ({
      index: at + 1,
      identity_public_key: key,
      tls_certificate: 'PEM',
    })),
    orchestrator: { command_public_key: key, tls_certificate: 'PEM' },
  });
  expect(parseClusterFile(JSON.stringify(of(5))).nodes).toHaveLength(5);
  expect(() => parseClusterFile(JSON.stringify(of(6)))).toThrow(
    'cluster file: names 6 nodes, and no more than 5 can make a key',
  );
});

describe('a command', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const commander = { roster: Buffer.alloc(32, 3), commandKey: privateKey };
  const operation: Operation = {
    kind: 'GenerateKey',
    walletId: Buffer.alloc(16),
    curve: 'ed25519',
    threshold: 2,
    nodes: Buffer.of(1, 2, 3),
  };

  it('is signed, lives for 60 s and names its participants', () => {
    const signed = signCommand(commander, operation, 1_000);
    const content = decode(command, signed.bytes);
    expect(content).toMatchObject({ version: 1, roster: commander.roster, expiresAtMs: 61_000n, operation });
    expect(signed.participants).toEqual([1, 2, 3]);
    const message = Buffer.concat([Buffer.from('countersign/v1/command'), signed.bytes]);
    expect(verify(null, message, publicKey, signed.signature)).toBe(true);
    expect(verify(null, signed.bytes, publicKey, signed.signature)).toBe(false);
  });

  it('is never made twice', () => {
    const ids = new Set(
      Array.from({ length: 100 }, () => Buffer.from(signCommand(commander, operation).commandId).toString('hex')),
    );
    expect(ids.size).toBe(100);
  });
});
