// The configuration of the stack's Temporal server: its four services in one process, on PostgreSQL with verified TLS,
// and mutual TLS at every port. As deploy/compose/temporal/server.yaml, which has a network of its own in the place of
// TLS. Its files are YAML, which JSON is.
import type { CertificateFiles } from './certificates.ts';

export const TEMPORAL_DATABASES = { default: 'temporal', visibility: 'temporal_visibility' } as const;
export const TEMPORAL_USER = 'temporal';
/** In the certificate of the server. */
export const TEMPORAL_NAME = 'temporal.stack';
export const TEMPORAL_SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;

export type TemporalPorts = Record<(typeof TEMPORAL_SERVICES)[number], { grpcPort: number; membershipPort: number }>;

export type TemporalPlaces = {
  ports: TemporalPorts;
  postgres: { port: number; password: string };
  authorityFile: string;
  server: CertificateFiles;
  dynamicFile: string;
};

/** What it was begun with stays for ever. Each shard is asked for work all the time: one machine has no use for 512. */
const HISTORY_SHARDS = 16;

export function temporalConfiguration({ ports, postgres, ...places }: TemporalPlaces): object {
  const store = (databaseName: string, connections: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `127.0.0.1:${postgres.port}`,
      connectProtocol: 'tcp',
      user: TEMPORAL_USER,
      password: postgres.password,
      maxConns: connections,
      maxIdleConns: connections,
      maxConnLifetime: '1h',
      tls: { enabled: true, caFile: places.authorityFile, enableHostVerification: true, serverName: '127.0.0.1' },
    },
  });
  const frontend = `127.0.0.1:${ports.frontend.grpcPort}`;
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: HISTORY_SHARDS,
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: {
        default: store(TEMPORAL_DATABASES.default, 20),
        visibility: store(TEMPORAL_DATABASES.visibility, 10),
      },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      tls: mutualTls(places),
    },
    services: Object.fromEntries(
      Object.entries(ports).map(([service, rpc]) => [service, { rpc: { ...rpc, bindOnLocalHost: true } }]),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: frontend },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: frontend },
    dynamicConfigClient: { filepath: places.dynamicFile, pollInterval: '60s' },
  };
}

/** Whoever calls one of its ports, its own services too, shows a certificate of the authority. */
function mutualTls({ authorityFile, server }: Pick<TemporalPlaces, 'authorityFile' | 'server'>): object {
  const own = { certFile: server.certificate, keyFile: server.key };
  const client = { serverName: TEMPORAL_NAME, rootCaFiles: [authorityFile] };
  const group = { server: { ...own, requireClientAuth: true, clientCaFiles: [authorityFile] }, client };
  return { internode: group, frontend: group, systemWorker: { ...own, client } };
}
