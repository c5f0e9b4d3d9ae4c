// Goal: compose.yaml is what Docker Compose takes, keeps the nodes apart, gives nobody more than he needs, and comes up
// with what prepare.sh makes. Method: the loader of Compose itself, with the schema of its specification. prepare.sh
// runs with the real node program, the node starts with the command of its container, and the processes of the service
// read what is mounted. No container is started.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildNode } from '../../support/cluster/cluster.ts';
import { assertStarts } from '../../support/deployment/process-environment.ts';
import { BUILT_WITHIN_MS } from '../../support/processes/go-program.ts';
import { loadProject, loadTemporal, type Project, type Service, secretPath } from './compose-project.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

let project: Project;
let withChains: Project;
let node: string;
/** What prepare.sh makes, in the place of .compose. */
let prepared: string;
beforeAll(async () => {
  project = await loadProject(root, 'compose.yaml');
  withChains = await loadProject(root, 'compose.yaml', 'deploy/compose/chains.yaml');
  node = await buildNode();
  prepared = mkdtempSync(join(tmpdir(), 'countersign-compose-'));
  await prepare();
}, BUILT_WITHIN_MS);
afterAll(() => rmSync(prepared, { recursive: true, force: true }));

const prepare = () =>
  execute('sh', [join(root, 'deploy/compose/prepare.sh'), prepared], { env: { ...process.env, MPC_NODE: node } });
const services = () => Object.entries(project.services);
const named = (name: string): Service => project.services[name] as Service;
const namesOf = (pattern: RegExp) => Object.keys(project.services).filter((name) => pattern.test(name));
const hostPath = (path: string) => path.replace(join(root, '.compose'), prepared);
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** The file of this machine that a path in a container of this service is. */
function mountedFile({ secrets = [], volumes = [] }: Service, path: string): string {
  const secret = secrets.find(({ target }) => secretPath(target) === path);
  if (secret !== undefined) return hostPath(project.secrets[secret.source]?.file ?? '');
  const volume = volumes.find(({ target }) => path.startsWith(`${target}/`));
  return volume === undefined ? path : join(hostPath(volume.source), path.slice(volume.target.length));
}

describe('each container', () => {
  test('can gain no rights, write to nothing of its image, and dump no core', () => {
    for (const [name, service] of services()) {
      const { read_only, cap_drop, cap_add, privileged, security_opt, ulimits, network_mode } = service;
      expect([name, read_only, cap_drop, security_opt]).toEqual([name, true, ['ALL'], ['no-new-privileges:true']]);
      expect([name, cap_add, privileged, network_mode]).toEqual([name, undefined, undefined, undefined]);
      expect(ulimits, name).toHaveProperty('core');
      expect(service.user, name).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    }
  });

  test('is of an image of one version', () => {
    for (const [name, { image }] of services()) expect(image, name).toMatch(/^[a-z/-]+:v?\d+\.\d+(\.\d+)?(-[\w.-]+)?$/);
  });

  test('is asked how it is, unless it ends', () => {
    for (const [name, { healthcheck, restart }] of services())
      expect([name, healthcheck === undefined], name).toEqual([name, restart === 'on-failure']);
  });

  test('has its ports on the loopback of the machine', () => {
    const ports = services().flatMap(([, service]) => service.ports ?? []);
    expect(ports.map(({ published }) => published).toSorted()).toEqual(['8080', '8150', '8151', '9090']);
    expect(ports.filter(({ host_ip }) => host_ip !== '127.0.0.1')).toEqual([]);
  });
});

test('APIs and workers have one folder for exports, which prepare.sh gives to their user', () => {
  for (const name of namesOf(/^(api|worker)-\d$/)) {
    const { environment, volumes = [] } = named(name);
    const target = environment?.['EXPORT_DIRECTORY'];
    const volume = volumes.find((one) => one.target === target);
    expect([name, volume?.source, volume?.read_only ?? false]).toEqual([name, join(root, '.compose/exports'), false]);
  }
  expect(modeOf(join(prepared, 'exports'))).toBe(0o700);
});

describe('the networks', () => {
  const nodes = () => namesOf(/^mpc-node-\d$/);
  const membersOf = (network: string) =>
    services().flatMap(([name, { networks }]) => (network in networks ? name : []));

  test('are closed, but for the one that leads outside', () => {
    const open = Object.entries(project.networks).filter(([, { internal }]) => internal !== true);
    expect(open.map(([name]) => name)).toEqual(['outside']);
    expect(membersOf('outside')).not.toEqual(expect.arrayContaining(['postgres']));
    expect(membersOf('outside')).not.toEqual(expect.arrayContaining(['temporal']));
  });

  test('let the workers reach each node, Prometheus its metrics, and nobody else', () => {
    expect(nodes()).toHaveLength(3);
    for (const one of nodes()) {
      const forMetrics = one.replace('mpc-node', 'metrics');
      const networks = Object.keys(named(one).networks);
      expect(networks.toSorted(), one).toEqual([forMetrics, one]);
      expect(membersOf(one).toSorted(), one).toEqual([one, 'worker-1', 'worker-2']);
      expect(membersOf(forMetrics).toSorted(), one).toEqual([one, 'prometheus']);
    }
  });

  test('have the names by which Prometheus looks for processes', () => {
    const file = parse(readFileSync(join(root, 'deploy/prometheus/prometheus.yaml'), 'utf8')) as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    const targets = file.scrape_configs.flatMap(({ static_configs }) => static_configs.flatMap((one) => one.targets));
    const served = namesOf(/^(api|worker|mpc-node)-\d$/).flatMap((name) => {
      const { networks, environment, command } = named(name);
      const shown = command?.[command.indexOf('--metrics') + 1]?.split(':')[1];
      const port = environment?.['METRICS_PORT'] ?? environment?.['PORT'] ?? shown;
      const aliases = Object.values(networks).flatMap((network) => network?.aliases ?? []);
      return aliases.map((alias) => `${alias}:${port}`);
    });
    expect(targets.toSorted()).toEqual(served.toSorted());
    expect(membersOf('metrics')).toContain('prometheus');
  });
});

describe('what prepare.sh makes', () => {
  test('is every secret and every folder that is mounted', () => {
    const files = Object.values(project.secrets).map(({ file }) => hostPath(file));
    expect(files.filter((file) => !existsSync(file) || statSync(file).size === 0)).toEqual([]);
    const folders = services().flatMap(([, { volumes = [] }]) =>
      volumes.filter(({ type }) => type === 'bind').map(({ source }) => hostPath(source)),
    );
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((folder) => !existsSync(folder))).toEqual([]);
  });

  test('is read by the containers and, on the machine, by nobody else', () => {
    expect(modeOf(prepared) & 0o077).toBe(0);
    expect(modeOf(join(prepared, 'secrets'))).toBe(0o700);
    for (const name of readdirSync(join(prepared, 'secrets')))
      expect(modeOf(join(prepared, 'secrets', name))).toBe(0o444);
  });

  test('stays as it is when it runs again', async () => {
    const contents = () =>
      readdirSync(prepared, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'hex')]);
    const before = contents();
    const { stdout, stderr } = await prepare();
    expect(contents()).toEqual(before);
    const secrets = readdirSync(join(prepared, 'secrets')).filter((name) => /key$|password$|token$/.test(name));
    for (const name of secrets)
      expect(stdout + stderr).not.toContain(readFileSync(join(prepared, 'secrets', name), 'utf8').trim());
  });

  test('is a configuration that Temporal takes, with the password of its login', {
    timeout: BUILT_WITHIN_MS,
  }, async () => {
    const folder = mkdtempSync(join(prepared, 'temporal-'));
    copyFileSync(join(prepared, 'secrets/temporal-configuration'), join(folder, 'compose.yaml'));
    const stores = await loadTemporal(root, folder, join(root, 'deploy/compose/temporal/dynamic.yaml'));
    const password = readFileSync(join(prepared, 'secrets/database-temporal-password'), 'utf8').trim();
    const login = { User: 'temporal', Password: password, ConnectAddr: 'postgres:5432' };
    expect(stores['default']?.SQL).toMatchObject({ ...login, DatabaseName: 'temporal' });
    expect(stores['visibility']?.SQL).toMatchObject({ ...login, DatabaseName: 'temporal_visibility' });
    const unknown = join(folder, 'dynamic.yaml');
    writeFileSync(unknown, 'history.transferProcessorMaxPollRps2: [{ value: 2000 }]');
    await expect(loadTemporal(root, folder, unknown)).rejects.toThrow(/transferProcessorMaxPollRps2/i);
  });
});

describe('the processes', () => {
  test('start with what their containers have, and with secrets in files only', () => {
    for (const [name, reader] of [
      ['api-1', 'API'],
      ['api-2', 'API'],
      ['worker-1', 'worker'],
      ['worker-2', 'worker'],
      ['migrate', 'database commands'],
    ] as const) {
      const service = named(name);
      expect(() => assertStarts(reader, service.environment ?? {}, (path) => mountedFile(service, path))).not.toThrow();
    }
    for (const [name, { environment = {} }] of services())
      expect(
        Object.keys(environment).filter((key) => /(PASSWORD|TOKEN|SECRET|KEY|PWD)$/.test(key)),
        name,
      ).toEqual([]);
  });

  test('keep the options of Node.js that their image sets', () => {
    for (const [name, { environment = {} }] of services()) expect(environment, name).not.toHaveProperty('NODE_OPTIONS');
  });

  test('have the nodes of chains from files, where there are some', () => {
    const { environment = {}, secrets } = withChains.services['worker-2'] as Service;
    expect(environment['RPC_URLS_FILE']).toBe('/run/secrets/rpc-urls');
    expect(environment['MPC_CLUSTER_FILE']).toBe('/etc/countersign/cluster.json');
    expect(secrets?.map(({ source }) => source)).toEqual(expect.arrayContaining(['rpc-urls', 'database-url']));
  });

  test('of the nodes take their files', async () => {
    for (const name of namesOf(/^mpc-node-\d$/)) {
      const service = named(name);
      const command = (service.command ?? []).map((argument) => mountedFile(service, argument));
      const local = command.map((argument) =>
        argument.replace(/^(0\.0\.0\.0:(7000|9151)|127\.0\.0\.1:9150)$/, '127.0.0.1:0'),
      );
      const served = spawn(node, local, { stdio: ['ignore', 'pipe', 'inherit'] });
      const [said] = (await Promise.race([once(served.stdout, 'data'), once(served, 'exit')])) as [unknown];
      expect(String(said), name).toMatch(/^ready 127\.0\.0\.1:\d+\n$/);
      served.kill('SIGTERM');
      expect(await once(served, 'exit')).toEqual([0, null]);
    }
  });
});
