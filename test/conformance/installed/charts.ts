// Runs helm, and reads what it renders as Kubernetes would. Knows nothing of what the charts should say.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../../../src/local/processes/programs.ts';
import { buildGoProgram } from '../../support/processes/go-program.ts';

const execute = promisify(execFile);
/** Of Kubernetes, whose oldest supported version the charts name. */
const KUBERNETES = '1.34.0';

type Labels = Record<string, string>;
interface Selector {
  matchLabels?: Labels;
}
interface Probe {
  httpGet?: { path: string; port: string };
  exec?: { command: string[] };
}
export interface Container {
  name: string;
  image: string;
  command: string[];
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: object }[];
  envFrom?: object[];
  securityContext: object;
  resources: object;
  volumeMounts?: { name: string; mountPath: string; subPath?: string; readOnly?: boolean }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface KeyToPath {
  key: string;
  path: string;
}
export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  securityContext: object;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
  volumes?: {
    name: string;
    persistentVolumeClaim?: { claimName: string };
    projected?: { sources: { secret?: { name: string; items: KeyToPath[] } }[] };
  }[];
}
export interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}
interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: string | number; protocol: string }[];
}
/** As much of each kind as tests ask for. */
export interface KubernetesObject {
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Labels };
  data?: Record<string, string>;
  spec: {
    template?: { metadata: { labels: Labels }; spec: PodSpec };
    podSelector?: Selector;
    policyTypes?: string[];
    ingress?: Rule[];
    egress?: Rule[];
    replicas?: number;
    jobLabel?: string;
    groups?: object[];
    ports?: { name: string }[];
    podMetricsEndpoints?: {
      port: string;
      path: string;
      relabelings: { targetLabel: string; replacement: string }[];
    }[];
    volumeClaimTemplates?: object[];
  } & Partial<PodSpec>;
}

/** `directory` is the project's .local, where the programs are kept. */
export async function findChartPrograms(directory: string): Promise<{ helm: string; reader: string }> {
  const helm = 'helm.sh/helm/v3';
  const source = readFileSync(join(import.meta.dirname, 'go/kubernetes-objects.go'), 'utf8');
  const onPath = findOnPath('helm');
  return {
    helm:
      onPath ??
      (await buildGoProgram(directory, {
        name: 'helm',
        modules: { [helm]: 'v3.19.2' },
        package: { path: `${helm}/cmd/helm` },
      })),
    reader: await buildGoProgram(directory, {
      name: 'kubernetes-objects',
      modules: {
        'github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring': 'v0.84.0',
        'k8s.io/api': 'v0.34.0',
        'sigs.k8s.io/json': 'v0.0.0-20241014173422-cfa47c3a1cc8',
        'sigs.k8s.io/yaml': 'v1.6.0',
      },
      package: { source },
    }),
  };
}

export class Chart {
  private readonly programs: { helm: string; reader: string };
  private readonly folder: string;

  constructor(programs: { helm: string; reader: string }, folder: string) {
    this.programs = programs;
    this.folder = folder;
  }

  /** Throws with what helm says. */
  async lint(values: string): Promise<void> {
    await this.run(['lint', '--strict', '--kube-version', KUBERNETES, this.folder, '--values', values]);
  }

  /** The text that helm renders, hooks included, under the name `custody`. Throws with what helm says. */
  async render(values: string, changes: object = {}): Promise<string> {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-values-'));
    try {
      const changed = join(directory, 'changes.json');
      writeFileSync(changed, JSON.stringify(changes));
      const files = [values, changed].flatMap((file) => ['--values', file]);
      return await this.run(['template', 'custody', this.folder, '--kube-version', KUBERNETES, ...files]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  /** The objects of `render`, each read strictly into the type of its kind. */
  async objects(values: string, changes: object = {}): Promise<KubernetesObject[]> {
    return this.read(await this.render(values, changes));
  }

  async read(text: string): Promise<KubernetesObject[]> {
    const reader = spawn(this.programs.reader, { stdio: ['pipe', 'pipe', 'pipe'] });
    const [out, failed] = [reader.stdout, reader.stderr].map((stream) => stream.setEncoding('utf8').toArray());
    reader.stdin.end(text);
    const [code] = await once(reader, 'exit');
    if (code !== 0) throw new Error(((await failed) as string[]).join(''));
    return JSON.parse(((await out) as string[]).join('')) as KubernetesObject[];
  }

  private async run(args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], HELM_CACHE_HOME: tmpdir(), HOME: tmpdir() };
    return (await execute(this.programs.helm, args, { env, maxBuffer: 64 * 1024 * 1024 })).stdout;
  }
}

/** Everything that runs containers, with the labels of its pods. */
export function podsOf(objects: readonly KubernetesObject[]): { name: string; labels: Labels; spec: PodSpec }[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    const template = kind === 'Pod' ? { metadata, spec: spec as PodSpec } : spec?.template;
    if (template === undefined) return [];
    return [{ name: `${kind} ${metadata.name}`, labels: template.metadata.labels ?? {}, spec: template.spec }];
  });
}

export const containersOf = ({ containers, initContainers = [] }: PodSpec) => [...initContainers, ...containers];

/** Of these objects the policies that hold for pods with these labels. */
export function policiesFor(objects: readonly KubernetesObject[], labels: Labels): KubernetesObject[] {
  return objects.filter(({ kind, spec }) => kind === 'NetworkPolicy' && selects(spec.podSelector, labels));
}

export const selects = (selector: Selector | undefined, labels: Labels) =>
  Object.entries(selector?.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
