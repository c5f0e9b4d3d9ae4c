// The environment of `npm start`, read once. Each address that is given replaces an embedded part; production embeds
// none.
import { resolve } from 'node:path';

/** The RPC address of each network, by its internal code. */
export type RpcUrls = Readonly<Record<string, string>>;

export type LocalSettings = {
  production: boolean;
  host: string;
  port: number;
  databaseUrl?: string;
  temporal?: { address: string; uiUrl?: string };
  mpc?: { addresses: string; clusterFile: string; credentialsDirectory: string };
  /** Of several clusters, in the place of `mpc`. */
  clustersFile?: string;
  /** In the place of nodes. */
  softwareSeed?: string;
  keyEncryptionKey?: string;
  /** Empty in production, and where a bucket keeps the files; not there where a folder of `npm start` does. */
  exportDirectory?: string;
  rpcUrls: RpcUrls;
};

/** Throws one sentence for what does not go together. */
export function readLocalSettings(environment: NodeJS.ProcessEnv): LocalSettings {
  const read = (name: string) => environment[name]?.trim() || undefined;
  const production = read('SERVICE_ENV') === 'production';
  const clustersFile = read('MPC_CLUSTERS_FILE');
  const nodes = clustersFile === undefined ? ['MPC_NODES'] : [];
  const names = ['DATABASE_URL', 'TEMPORAL_ADDRESS', ...nodes, 'KEY_ENCRYPTION_KEY'];
  const missing = names.filter((name) => read(name) === undefined);
  if (production && missing.length > 0)
    throw new Error(`SERVICE_ENV=production starts no embedded part and makes no key: set ${missing.join(', ')}.`);
  const databaseUrl = read('DATABASE_URL');
  const temporalAddress = read('TEMPORAL_ADDRESS');
  const uiUrl = read('TEMPORAL_UI_URL');
  const keyEncryptionKey = read('KEY_ENCRYPTION_KEY');
  const mpc = readMpc(read('MPC_NODES'), read('MPC_CLUSTER_FILE'), read('MPC_CREDENTIALS_DIR'));
  const exportDirectory = read('EXPORT_DIRECTORY') ?? (production || read('EXPORT_S3_BUCKET') ? '' : undefined);
  const softwareSeed = read('MPC_SOFTWARE_SEED');
  const given = { MPC_NODES: mpc, MPC_CLUSTERS_FILE: clustersFile, MPC_SOFTWARE_SEED: softwareSeed };
  const [one, other] = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other !== undefined) throw new Error(`${other} and ${one} exclude each other: each says where the keys are.`);
  return {
    production,
    host: read('HOST') ?? '127.0.0.1',
    port: readPort(read('PORT') ?? '8150'),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(temporalAddress !== undefined && { temporal: { address: temporalAddress, ...(uiUrl && { uiUrl }) } }),
    ...(mpc !== undefined && { mpc }),
    ...(clustersFile !== undefined && { clustersFile: resolve(clustersFile) }),
    ...(softwareSeed !== undefined && { softwareSeed }),
    ...(keyEncryptionKey !== undefined && { keyEncryptionKey }),
    ...(exportDirectory !== undefined && { exportDirectory }),
    rpcUrls: readRpcUrls(read('RPC_URLS') ?? ''),
  };
}

function readMpc(addresses?: string, clusterFile?: string, credentials?: string): LocalSettings['mpc'] {
  if (addresses === undefined) return undefined;
  if (clusterFile === undefined || credentials === undefined)
    throw new Error('MPC_NODES needs MPC_CLUSTER_FILE and MPC_CREDENTIALS_DIR beside it.');
  return { addresses, clusterFile: resolve(clusterFile), credentialsDirectory: resolve(credentials) };
}

/** `CODE=address,CODE=address`: a comma inside an address is written %2C. */
function readRpcUrls(text: string): RpcUrls {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  return Object.fromEntries(
    entries.map((entry) => {
      const [, code, address] = /^\s*([A-Z0-9_]+)=(https?:\/\/\S+)\s*$/.exec(entry) ?? [];
      if (code === undefined || address === undefined || !URL.canParse(address))
        throw new Error(
          'RPC_URLS must be internal codes with http(s) addresses, for example ETHEREUM_SANDBOX=http://127.0.0.1:8545,SOL_SANDBOX=http://127.0.0.1:8899.',
        );
      return [code, address];
    }),
  );
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) throw new Error('PORT must be a number from 1 to 65535.');
  return port;
}
