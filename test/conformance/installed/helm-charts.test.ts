// Goal: the charts render what Kubernetes takes, with no secret in values or an environment, with every container
// confined, and with nodes that only the workers reach; values that are wrong are refused. Method: helm itself lints
// and renders them, the objects are read strictly into the types of Kubernetes, and the processes' own code reads their
// configuration. Nothing is installed: there is no cluster.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { assertStarts, exampleSecrets, secretVariables } from '../../support/deployment/process-environment.ts';
import { BUILT_WITHIN_MS } from '../../support/processes/go-program.ts';
import {
  Chart,
  containersOf,
  findChartPrograms,
  type KubernetesObject,
  type PodSpec,
  podsOf,
  policiesFor,
  selects,
} from './charts.ts';

const root = resolve(import.meta.dirname, '../../..');
const charts = join(root, 'deploy/helm');
const examplesOf = (chart: string) =>
  readdirSync(join(charts, chart, 'examples')).map((file) => [chart, join(charts, chart, 'examples', file)] as const);
const full = join(charts, 'countersign/examples/full.yaml');
const operator = join(charts, 'mpc-node/examples/operator-a.yaml');

let service: Chart;
let node: Chart;
let objects: KubernetesObject[];
let nodeObjects: KubernetesObject[];
beforeAll(async () => {
  const programs = await findChartPrograms(join(root, '.local'));
  service = new Chart(programs, join(charts, 'countersign'));
  node = new Chart(programs, join(charts, 'mpc-node'));
  objects = await service.objects(full);
  nodeObjects = await node.objects(operator);
}, BUILT_WITHIN_MS);

const all = () => [...objects, ...nodeObjects];
const named = (kind: string, name: string) => objects.find((one) => one.kind === kind && one.metadata.name === name);
const podSpec = (kind: string, name: string) => named(kind, name)?.spec.template?.spec as PodSpec;

test.each([...examplesOf('countersign'), ...examplesOf('mpc-node')])(
  'helm finds nothing in %s with %s, and Kubernetes takes every object',
  async (name, values) => {
    const chart = name === 'mpc-node' ? node : service;
    await chart.lint(values);
    expect((await chart.objects(values)).length).toBeGreaterThan(3);
  },
);

test('an object with a field that Kubernetes does not know would be found', async () => {
  const text = await service.render(full);
  const misspelt = text.replace('terminationGracePeriodSeconds', 'terminationGracePeriod');
  await expect(service.read(misspelt)).rejects.toThrow(/unknown field "spec.template.spec.terminationGracePeriod"/);
});

describe('values', () => {
  const secret = { name: 'countersign', key: 'key' };
  test.each<[string, object, RegExp]>([
    ['a name that there is none of', { replicas: 3 }, /replicas/],
    ['a secret in the environment', { environment: { DATABASE_URL: 'postgres://a' } }, /DATABASE_URL/],
    ['a file of a secret in the environment', { environment: { METRICS_TOKEN_FILE: '/x' } }, /METRICS_TOKEN_FILE/],
    ['a secret in its own place', { secrets: { DATABASE_URL: 'postgres://a' } }, /DATABASE_URL/],
    ['a secret that no process reads', { secrets: { PASSWORD: secret } }, /PASSWORD/],
    ['one API alone', { api: { replicas: 1 } }, /replicas/],
    ['no callers of the API', { networkPolicy: { callers: [] } }, /callers/],
    ['a peer that is everybody', { networkPolicy: { nodes: { peers: [{}] } } }, /peers/],
    ['no place of the nodes', { worker: { nodes: null } }, /nodes/],
    ['a migration without a login', { migration: { secrets: { DATABASE_URL: null } } }, /DATABASE_URL/],
    ['an end at once', { api: { shutdownDelayMs: 0 } }, /shutdownDelayMs/],
  ])('of the service with %s are refused', async (_what, changes, sentence) => {
    await expect(service.render(full, changes)).rejects.toThrow(sentence);
  });

  test.each<[string, object, RegExp]>([
    ['no number', { index: 0 }, /index/],
    ['the store key itself', { storeKey: { value: 'ab' } }, /storeKey/],
    ['two replicas', { replicas: 2 }, /replicas/],
    ['everybody as workers', { workers: [] }, /workers/],
    ['metrics for everybody', { monitoring: { enabled: true, peers: [] } }, /peers/],
  ])('of a node with %s are refused', async (_what, changes, sentence) => {
    await expect(node.render(operator, changes)).rejects.toThrow(sentence);
  });

  test('know every secret of the configuration, and no other', () => {
    const { definitions } = JSON.parse(readFileSync(join(charts, 'countersign/values.schema.json'), 'utf8')) as {
      definitions: Record<'secrets' | 'environment', { propertyNames: { enum: string[]; not: { pattern: string } } }>;
    };
    // The software signer is refused in production.
    const expected = [...secretVariables].filter((name) => name !== 'MPC_SOFTWARE_SEED');
    expect(definitions.secrets.propertyNames.enum.toSorted()).toEqual(expected.toSorted());
    const refused = new RegExp(definitions.environment.propertyNames.not.pattern);
    expect([...secretVariables].filter((name) => !refused.test(name) || !refused.test(`${name}_FILE`))).toEqual([]);
  });
});

describe('the files of exports', () => {
  const folderOf = (all: KubernetesObject[], name: string) => {
    const pod = all.find((one) => one.metadata.name === name && one.kind === 'Deployment')?.spec.template?.spec;
    const [{ env = [], volumeMounts = [] } = {}] = pod?.containers ?? [];
    const volume = volumeMounts.find(({ mountPath }) => mountPath === '/srv/countersign/exports')?.name;
    return {
      directory: env.find((variable) => variable.name === 'EXPORT_DIRECTORY')?.value,
      claim: pod?.volumes?.find((one) => one.name === volume)?.persistentVolumeClaim?.claimName,
    };
  };

  test.each(['custody-api', 'custody-worker'])('are in the claim, for %s', async (name) => {
    expect(folderOf(objects, name)).toEqual({ directory: '/srv/countersign/exports', claim: 'countersign-exports' });
    const without = await service.objects(full, { exports: { claim: '' } });
    expect(folderOf(without, name)).toEqual({ directory: undefined, claim: undefined });
  });
});

describe('each pod', () => {
  test('runs confined, as a user without a name, and speaks to no Kubernetes', () => {
    const pods = podsOf(all());
    expect(pods.map(({ name }) => name).toSorted()).toEqual([
      'Deployment custody-api',
      'Deployment custody-worker',
      'Job custody-migration',
      'Pod custody-test-ready',
      'StatefulSet custody',
    ]);
    for (const { name, spec } of pods) {
      expect(spec.automountServiceAccountToken, name).toBe(false);
      expect(spec.securityContext, name).toMatchObject({ runAsNonRoot: true, runAsUser: 10_001, fsGroup: 10_001 });
      for (const { securityContext, resources, image } of containersOf(spec)) {
        expect(securityContext, name).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          runAsUser: 10_001,
          capabilities: { drop: ['ALL'] },
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(resources, name).toMatchObject({ limits: { memory: expect.any(String) } });
        expect(image, name).toMatch(/^countersign\/(service|mpc-node):\d/);
      }
    }
  });

  test('has its secrets from files, and sees another file when there is one', () => {
    for (const { name, spec } of podsOf(all()))
      for (const { env = [], envFrom, volumeMounts = [] } of containersOf(spec)) {
        expect([name, envFrom, env.filter(({ valueFrom }) => valueFrom !== undefined)]).toEqual([name, undefined, []]);
        expect(env.filter((one) => secretVariables.has(one.name) || one.name === 'MPC_NODE_STORE_KEY')).toEqual([]);
        expect(volumeMounts.filter(({ subPath }) => subPath !== undefined)).toEqual([]);
      }
  });

  test.each([
    ['Deployment', 'custody-api', 'API'],
    ['Deployment', 'custody-worker', 'worker'],
    ['Job', 'custody-migration', 'database commands'],
  ] as const)('%s %s starts with what it has', (kind, name, reader) => {
    const spec = podSpec(kind, name);
    const [container] = spec.containers;
    const environment = Object.fromEntries((container?.env ?? []).map((one) => [one.name, one.value ?? '']));
    const sources = spec.volumes?.flatMap(({ projected }) => projected?.sources ?? []) ?? [];
    const files = new Map(
      sources.flatMap(({ secret }) => (secret?.items ?? []).map(({ key, path }) => [path, key] as const)),
    );
    const secrets = exampleSecrets();
    const fileOf = (path: string) => secrets.fileOf(files.get(path.replace('/run/secrets/countersign/', '')) ?? path);
    expect(() => assertStarts(reader, environment, fileOf)).not.toThrow();
    rmSync(secrets.directory, { recursive: true });
  });

  test('keeps the options of Node.js that its image sets', () => {
    for (const { name, spec } of podsOf(objects))
      for (const { env = [] } of containersOf(spec))
        expect(
          env.map((one) => one.name),
          name,
        ).not.toContain('NODE_OPTIONS');
  });

  test('has numbers as they were written', async () => {
    const rendered = await service.render(full, { api: { environment: { RATE_LIMIT_PER_MINUTE: 10_000_000 } } });
    expect(rendered).toContain('name: RATE_LIMIT_PER_MINUTE, value: "10000000"');
  });

  test('of the migration has the login of the owner, which no other pod has', () => {
    const secretsOf = (spec: PodSpec) => JSON.stringify(spec.volumes ?? []).match(/countersign-owner/g)?.length ?? 0;
    expect(podsOf(objects).filter(({ spec }) => secretsOf(spec) > 0)).toHaveLength(1);
    expect(secretsOf(podSpec('Job', 'custody-migration'))).toBe(1);
    expect(named('Job', 'custody-migration')?.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
    });
  });
});

describe('probes and ends', () => {
  test('an API is live by /health and ready by /ready, and has time to drain', async () => {
    const [container] = podSpec('Deployment', 'custody-api').containers;
    expect(container?.livenessProbe?.httpGet?.path).toBe('/health');
    expect(container?.readinessProbe?.httpGet?.path).toBe('/ready');
    for (const [shutdownDelayMs, atLeast] of [
      [5_000, 20],
      [60_500, 76],
    ] as const) {
      const changed = await service.objects(full, { api: { shutdownDelayMs } });
      const spec = changed.find(({ kind }) => kind === 'Deployment')?.spec.template?.spec;
      expect(spec?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(atLeast);
    }
  });

  test('a worker is asked on the port of its metrics, and a node within its container', () => {
    const [worker] = podSpec('Deployment', 'custody-worker').containers;
    expect(worker?.livenessProbe?.httpGet).toEqual({ path: '/health', port: 'metrics' });
    const served = podsOf(nodeObjects)[0]?.spec.containers[0];
    const address = served?.args?.[(served.args.indexOf('--observe') ?? 0) + 1];
    expect(served?.readinessProbe?.exec?.command.at(-1)).toBe(address);
  });

  test('of API and workers not two go at once', () => {
    const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget');
    expect(budgets.map(({ metadata }) => metadata.name).toSorted()).toEqual(['custody-api', 'custody-worker']);
  });
});

describe('the network', () => {
  test('of each pod is closed in both directions but for what a policy says', () => {
    for (const [where, one] of [
      ...podsOf(objects).map((pod) => [objects, pod] as const),
      ...podsOf(nodeObjects).map((pod) => [nodeObjects, pod] as const),
    ]) {
      const types = policiesFor(where, one.labels).flatMap(({ spec }) => spec.policyTypes ?? []);
      expect([...new Set(types)].toSorted(), one.name).toEqual(['Egress', 'Ingress']);
    }
  });

  test('lets a node be reached by the peers that are named, and go nowhere', () => {
    const [pod] = podsOf(nodeObjects);
    const policies = policiesFor(nodeObjects, pod?.labels ?? {});
    expect(policies).toHaveLength(1);
    expect(policies[0]?.spec.egress ?? []).toEqual([]);
    expect(policies[0]?.spec.ingress).toEqual([
      { from: [{ ipBlock: { cidr: '198.51.100.0/28' } }], ports: [{ protocol: 'TCP', port: 'mpc' }] },
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
        ports: [{ protocol: 'TCP', port: 'metrics' }],
      },
    ]);
  });

  test('keeps one node of three in one namespace from another', async () => {
    const workers = [{ podSelector: { matchLabels: { 'app.kubernetes.io/component': 'worker' } } }];
    const one = await node.objects(operator, { workers });
    const [pod] = podsOf(one);
    const rules = one.flatMap(({ spec }) => spec?.ingress ?? []);
    const toProtocol = rules.filter(({ ports = [] }) => ports.some(({ port }) => port === 'mpc'));
    const peers = toProtocol.flatMap(({ from }) => from ?? []);
    expect(peers.length).toBeGreaterThan(0);
    for (const { podSelector } of peers) {
      expect(selects(podSelector, pod?.labels ?? {})).toBe(false);
      const worker = podsOf(objects).find(({ name }) => name === 'Deployment custody-worker');
      expect(selects(podSelector, worker?.labels ?? {})).toBe(true);
    }
  });

  test('lets the workers alone go to the nodes', () => {
    const toNodes = objects.filter(({ spec }) => JSON.stringify(spec?.egress ?? []).includes('203.0.113.0/24'));
    expect(toNodes.map(({ metadata }) => metadata.name)).toEqual(['custody-worker']);
  });
});

describe('monitoring', () => {
  test('has the alerts of deploy/alerts', () => {
    const rules = parse(readFileSync(join(root, 'deploy/alerts/countersign.yaml'), 'utf8')) as { groups: object[] };
    expect(named('PrometheusRule', 'custody-countersign')?.spec.groups).toEqual(rules.groups);
  });

  test('names the jobs as the alerts do', () => {
    const monitors = objects.filter(({ kind }) => kind === 'ServiceMonitor');
    const label = monitors[0]?.spec.jobLabel ?? '';
    const jobs = objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.labels?.[label] ?? '');
    expect(jobs.toSorted()).toEqual(['countersign-api', 'countersign-worker']);
    expect(monitors).toHaveLength(2);
  });

  test('of a node has its job and its labels, and a port that the service of the workers does not have', () => {
    const monitor = nodeObjects.find(({ kind }) => kind === 'PodMonitor')?.spec;
    expect(monitor?.podMetricsEndpoints).toMatchObject([{ port: 'metrics', path: '/metrics' }]);
    const labels = monitor?.podMetricsEndpoints?.[0]?.relabelings.map((one) => [one.targetLabel, one.replacement]);
    expect(Object.fromEntries(labels ?? [])).toEqual({ job: 'countersign-node', cluster: 'main', node: '1' });
    const served = podsOf(nodeObjects)[0]?.spec.containers[0];
    expect(served?.args?.slice(-2)).toEqual(['--metrics', '0.0.0.0:9151']);
    const ports = nodeObjects.filter(({ kind }) => kind === 'Service').flatMap(({ spec }) => spec.ports ?? []);
    expect(ports.map(({ name }) => name)).toEqual(['mpc']);
  });

  test('of a node is shown to nobody unless it is asked for', async () => {
    const silent = await node.objects(operator, { monitoring: { enabled: false, peers: [] } });
    expect(silent.map(({ kind }) => kind)).not.toContain('PodMonitor');
    expect(podsOf(silent)[0]?.spec.containers[0]?.args).not.toContain('--metrics');
    const open = silent.flatMap(({ spec }) => spec?.ingress ?? []).flatMap(({ ports }) => ports ?? []);
    expect(open.map(({ port }) => port)).toEqual(['mpc']);
  });

  test('is left out where there is no operator of Prometheus', async () => {
    const kinds = (await service.objects(full, { monitoring: { enabled: false } })).map(({ kind }) => kind);
    expect(kinds).not.toContain('ServiceMonitor');
    expect(kinds).not.toContain('PrometheusRule');
  });
});
