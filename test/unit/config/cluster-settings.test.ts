// Goal: which nodes hold whose keys is never guessed: a file of clusters that says less, more or something else than it
// may ends the worker with one sentence that says where. Method: from a file that works, one thing at a time is made
// wrong; the environment of one cluster means the cluster main.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readClusterSettings } from '../../../src/process/cluster-settings.ts';
import { ConfigError, readWorkerConfig } from '../../../src/process/config.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-clusters-'));
const path = join(directory, 'clusters.json');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const environment = {
  DATABASE_URL: 'postgres://localhost/x',
  TEMPORAL_ADDRESS: 'localhost:7233',
  KEY_ENCRYPTION_KEY: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
};
const ofOne = {
  MPC_NODES: '1=a:1,2=b:2',
  MPC_CLUSTER_FILE: 'mpc/cluster.json',
  MPC_CREDENTIALS_DIR: '/etc/orchestrator',
  MPC_APPROVER_URL: 'https://approver.example',
};

const main = { nodes: '1=a:1,2=b:2,3=c:3', cluster_file: 'main/cluster.json', credentials_dir: 'main/orchestrator' };
const treasury = {
  nodes: '1=d:1,2=e:2',
  cluster_file: '/etc/treasury/cluster.json',
  credentials_dir: '/etc/treasury/orchestrator',
  approver_url: 'https://approver.example',
};

function read(content: unknown) {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  const config = readWorkerConfig({ ...environment, MPC_CLUSTERS_FILE: path });
  if ('MPC_SOFTWARE_SEED' in config) throw new Error('there is no seed');
  return readClusterSettings(config);
}

test('each cluster has nodes and files of its own; paths begin where the file is', () => {
  expect(read({ clusters: { treasury, main } })).toEqual(
    new Map([
      [
        'treasury',
        {
          nodes: '1=d:1,2=e:2',
          clusterFile: '/etc/treasury/cluster.json',
          credentialsDir: '/etc/treasury/orchestrator',
          approverUrl: 'https://approver.example',
        },
      ],
      [
        'main',
        {
          nodes: '1=a:1,2=b:2,3=c:3',
          clusterFile: join(directory, 'main/cluster.json'),
          credentialsDir: join(directory, 'main/orchestrator'),
          approverUrl: undefined,
        },
      ],
    ]),
  );
});

test.each([
  ['with an approver', ofOne, 'https://approver.example'],
  ['without', { ...ofOne, MPC_APPROVER_URL: '' }, undefined],
])('the environment names one cluster, main, %s', (_how, variables, approverUrl) => {
  const config = readWorkerConfig({ ...environment, ...variables });
  if ('MPC_SOFTWARE_SEED' in config) throw new Error('there is no seed');
  expect(readClusterSettings(config)).toEqual(
    new Map([
      [
        'main',
        { nodes: '1=a:1,2=b:2', clusterFile: 'mpc/cluster.json', credentialsDir: '/etc/orchestrator', approverUrl },
      ],
    ]),
  );
});

const without = (field: keyof typeof main) => ({ ...main, [field]: undefined });

test.each<[string, unknown, RegExp]>([
  ['no JSON', '{"clusters":', /it is no JSON/],
  ['a list', [], /it is no object/],
  ['no clusters', {}, /`clusters` is no object/],
  ['a list of clusters', { clusters: [main] }, /`clusters` is no object/],
  ['an unknown field', { clusters: { main }, default: 'main' }, /it has a field default, but may have clusters/],
  ['no main', { clusters: { treasury } }, /it names no cluster main/],
  ['a cluster that is a text', { clusters: { main: 'a:1' } }, /cluster main is no object/],
  [
    'an unknown field of a cluster',
    { clusters: { main: { ...main, threshold: 2 } } },
    /cluster main has a field threshold, but may have nodes, cluster_file, credentials_dir, approver_url/,
  ],
  ...['Main', 'a b', '', 'x'.repeat(33), 'a/b', 'ä'].map((name): [string, unknown, RegExp] => [
    `the name ${JSON.stringify(name)}`,
    { clusters: { main, [name]: treasury } },
    /is no name: 1 to 32 of a-z, 0-9 and -/,
  ]),
  ['no nodes', { clusters: { main, treasury: without('nodes') } }, /the nodes of cluster treasury must be /],
  ['nodes without ports', { clusters: { main: { ...main, nodes: '1=a' } } }, /the nodes of cluster main must be /],
  ['nodes as a list', { clusters: { main: { ...main, nodes: ['1=a:1'] } } }, /the nodes of cluster main must be /],
  ['no cluster_file', { clusters: { main: without('cluster_file') } }, /the cluster_file of cluster main must be /],
  [
    'empty credentials_dir',
    { clusters: { main: { ...main, credentials_dir: '' } } },
    /the credentials_dir of cluster main must be /,
  ],
  [
    'an approver by another protocol',
    { clusters: { main: { ...main, approver_url: 'grpc://hunter2' } } },
    /the approver_url of cluster main must be /,
  ],
  [
    'an empty approver',
    { clusters: { main: { ...main, approver_url: '' } } },
    /the approver_url of cluster main must be /,
  ],
])('a file with %s is refused', (_what, content, why) => {
  expect(() => read(content)).toThrow(ConfigError);
  expect(() => read(content)).toThrow(why);
  expect(() => read(content)).toThrow(/^MPC_CLUSTERS_FILE is not valid: (?!.*hunter2)[^\n]+\.$/);
});

test('a file that is not there is refused', () => {
  const config = { ...readWorkerConfig({ ...environment, MPC_CLUSTERS_FILE: '/nowhere' }) };
  expect(() => readClusterSettings(config as never)).toThrow(/^MPC_CLUSTERS_FILE is not valid: it cannot be read\.$/);
});

test.each([
  ['MPC_NODES', ofOne],
  ['MPC_SOFTWARE_SEED', { MPC_SOFTWARE_SEED: 'ab'.repeat(32) }],
])('a file of clusters and %s exclude each other', (name, variables) => {
  const both = () => readWorkerConfig({ ...environment, ...variables, MPC_CLUSTERS_FILE: path });
  expect(both).toThrow(ConfigError);
  expect(both).toThrow(/^[^\n]+ exclude each other: each says where the keys are\.$/);
  expect(both).toThrow(name);
  expect(both).toThrow('MPC_CLUSTERS_FILE');
});
