// The ways to one operation that (c) compares: the service from POST to `success`, the cluster driven directly, and
// no-op workflows, with an activity and with a local one.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import postgres from 'postgres';
import { v7 as uuidv7 } from 'uuid';
import { connectCluster } from '../../activities/mpc/client/connect-cluster.ts';
import { parseNodeAddresses } from '../../activities/mpc/transport/node-addresses.ts';
import { verifySignature } from '../../activities/mpc/verify/verify-signature.ts';
import type { Curve } from '../../domain/statuses.ts';
import { connectDatabase } from '../../drizzle/database/connection.ts';
import { findWalletKey } from '../../drizzle/wallets/wallet-keys.ts';
import { anySignature } from '../../test/support/cluster/any-signature.ts';
import { FinalRows } from '../final-rows.ts';
import { type Contenders, NOOP_TASK_QUEUE } from './contenders.ts';
import { type PreparedRequest, prepareSign, signedAs } from './signed-requests.ts';

export interface Signer {
  name: string;
  /** Resolves when the operation has reached its end. */
  once: () => Promise<void>;
  close: () => Promise<void>;
}

export interface ServiceSigner extends Signer {
  /** The latest signing requests, with the moment at which their POST was sent and answered. */
  latest: readonly Posted[];
}

export type SignedService = Pick<Contenders, 'apiUrl' | 'databaseUrl' | 'walletId' | 'workspace'>;

export interface Posted {
  signingId: string;
  sentMs: number;
  answeredMs: number;
}

const LATEST_MAX = 50;

export function openService(
  { apiUrl, databaseUrl, walletId, workspace }: SignedService,
  curve: Curve = 'secp256k1',
): ServiceSigner {
  const sql = postgres(databaseUrl, { max: 1 });
  const finalRows = new FinalRows(sql);
  const agent = new Agent({ keepAlive: true });
  const latest: Posted[] = [];
  return {
    name: 'service',
    latest,
    once: async () => {
      const prepared = prepareSign(workspace, walletId, curve);
      const sentMs = Date.now();
      const answer = await send(agent, apiUrl, prepared);
      const { transaction_id: signingId } = (JSON.parse(answer) as { data: { transaction_id: string } }).data;
      if (latest.length >= LATEST_MAX) latest.shift();
      latest.push({ signingId, sentMs, answeredMs: Date.now() });
      await finalRows.waitFor(signingId);
    },
    close: async () => {
      agent.destroy();
      await sql.end();
    },
  };
}

export async function openCluster(
  { databaseUrl, mpc, walletId }: Contenders,
  curve: Curve = 'secp256k1',
): Promise<Signer> {
  const database = connectDatabase(databaseUrl, { poolSize: 1, name: 'countersign-bench' });
  const root = await findWalletKey(database.db, walletId, curve);
  await database.close();
  if (root === undefined) throw new Error(`The wallet has no ${curve} key.`);
  const cluster = connectNodes({ mpc });
  return {
    name: 'cluster',
    once: async () => {
      const payload = { kind: 'raw_digest', digest: randomBytes(32) } as const;
      const key = { walletId, curve, path: signedAs[curve].path } as const;
      const signature = await cluster.sign({ ...key, operationId: uuidv7(), attempt: 1, payload }, anySignature);
      verifySignature({ ...key, root, payload, signature });
    },
    close: () => cluster.close(),
  };
}

/** As a worker does. */
export const connectNodes = ({ mpc }: Pick<Contenders, 'mpc'>) =>
  connectCluster({
    nodes: parseNodeAddresses(mpc.addresses),
    clusterFile: mpc.clusterFile,
    credentialsDir: mpc.credentialsDirectory,
  });

const noopWorkflows = { noop: 'noopOperation', local: 'noopLocally' } as const;

export async function openNoop(
  { temporalAddress }: Contenders,
  name: keyof typeof noopWorkflows = 'noop',
): Promise<Signer> {
  const connection = await Connection.connect({ address: temporalAddress });
  const client = new Client({ connection });
  return {
    name,
    once: async () => {
      const workflowId = uuidv7();
      const options = { workflowId, taskQueue: NOOP_TASK_QUEUE, args: [workflowId] };
      await client.workflow.execute(noopWorkflows[name], options);
    },
    close: () => connection.close(),
  };
}

function send(agent: Agent, baseUrl: string, { method, path, headers, body = '' }: PreparedRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = { 'Content-Length': Buffer.byteLength(body) };
    const sent = request(`${baseUrl}${path}`, { agent, method, headers: { ...headers, ...length } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 202) resolve(text);
        else reject(new Error(`POST ${path} was answered ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
