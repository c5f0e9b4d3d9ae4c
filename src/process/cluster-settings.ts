// Where each cluster's nodes are and which files it is known by: of one cluster, which is named main, by the
// environment, or of several by MPC_CLUSTERS_FILE. Opens none of the files that are named there. What is wrong is a
// ConfigError that says where.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { clusterName, mainCluster } from '../../domain/clusters.ts';
import { type ClustersConfig, ConfigError, type NodesConfig } from './config.ts';
import { clusterVariables } from './configuration-variables.ts';

interface ClusterSettings {
  nodes: string;
  clusterFile: string;
  credentialsDir: string;
  approverUrl?: string | undefined;
}

const { MPC_NODES, MPC_APPROVER_URL } = clusterVariables;

const NamedCluster = Type.Object(
  {
    nodes: MPC_NODES,
    cluster_file: Type.String({ minLength: 1, description: "the path of the cluster's cluster.json" }),
    credentials_dir: Type.String({ minLength: 1, description: "the folder of the cluster's command key and TLS key" }),
    approver_url: Type.Optional(Type.String({ ...MPC_APPROVER_URL, minLength: 1 })),
  },
  { additionalProperties: false },
);

/** By name. */
export function readClusterSettings(config: NodesConfig | ClustersConfig): Map<string, ClusterSettings> {
  if ('MPC_CLUSTERS_FILE' in config) return readClustersFile(config.MPC_CLUSTERS_FILE);
  const { MPC_NODES: nodes, MPC_CLUSTER_FILE: clusterFile, MPC_CREDENTIALS_DIR: credentialsDir } = config;
  const approverUrl = config.MPC_APPROVER_URL === '' ? undefined : config.MPC_APPROVER_URL;
  return new Map([[mainCluster, { nodes, clusterFile, credentialsDir, approverUrl }]]);
}

function readClustersFile(path: string): Map<string, ClusterSettings> {
  const file = recordOf(parsed(path), 'it');
  assertKnown(file, ['clusters'], 'it');
  const clusters = Object.entries(recordOf(file['clusters'], '`clusters`'));
  if (!clusters.some(([name]) => name === mainCluster))
    throw wrong(`it names no cluster ${mainCluster}, to which wallets belong unless an operator says another one`);
  const at = (file: string) => resolve(dirname(path), file);
  return new Map(
    clusters.map(([name, value]) => {
      const { nodes, cluster_file, credentials_dir, approver_url } = clusterOf(name, value);
      return [
        name,
        { nodes, clusterFile: at(cluster_file), credentialsDir: at(credentials_dir), approverUrl: approver_url },
      ];
    }),
  );
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw wrong(error instanceof SyntaxError ? 'it is no JSON' : 'it cannot be read');
  }
}

function clusterOf(name: string, value: unknown): Static<typeof NamedCluster> {
  if (!clusterName.test(name)) throw wrong(`${JSON.stringify(name)} is no name: 1 to 32 of a-z, 0-9 and -`);
  const cluster = recordOf(value, `cluster ${name}`);
  assertKnown(cluster, Object.keys(NamedCluster.properties), `cluster ${name}`);
  for (const [field, schema] of Object.entries(NamedCluster.properties)) {
    const optional = NamedCluster.required.every((required) => required !== field);
    if (Value.Check(schema, cluster[field]) || (optional && cluster[field] === undefined)) continue;
    const { description } = schema as { description?: string };
    throw wrong(`the ${field} of cluster ${name} must be ${description}`);
  }
  return cluster as Static<typeof NamedCluster>;
}

function recordOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(`${what} is no object`);
  return value as Record<string, unknown>;
}

function assertKnown(record: Record<string, unknown>, known: readonly string[], what: string): void {
  const unknown = Object.keys(record).find((field) => !known.includes(field));
  if (unknown !== undefined) throw wrong(`${what} has a field ${unknown}, but may have ${known.join(', ')}`);
}

const wrong = (what: string) => new ConfigError(`MPC_CLUSTERS_FILE is not valid: ${what}.`);
