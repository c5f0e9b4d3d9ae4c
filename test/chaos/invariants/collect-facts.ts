// Reads what the invariants judge: through the API, by the operator's own commands, from the database, and from the
// chains. Waits for nothing but the comparison of balances, which may find something under way.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parseAmount } from '../../../domain/money.ts';
import type { Database } from '../../../drizzle/database/connection.ts';
import { splitLines, verifyExport } from '../../../src/audit/verify-export.ts';
import type { CountersignClient } from '../../../src/client/client.ts';
import { askNode } from '../../../src/local/json-rpc.ts';
import { findWithdrawalViolations } from '../../support/withdrawals/withdrawal-invariants.ts';
import type { LoadRecord } from '../load/record.ts';
import type { Setting } from '../load/setting.ts';
import type { Topology } from '../topology/topology.ts';
import type { Facts, FeedEvent } from './facts.ts';
import { findOpenRows, readUsedNonces } from './open-rows.ts';
import { readerOfReceived } from './received.ts';

const COMPARED_WITHIN_MS = 300_000;
const COMPARE_AGAIN_MS = 5_000;

export interface Run {
  topology: Topology;
  setting: Setting;
  record: LoadRecord;
  db: Database;
  root: string;
}

export async function collectFacts(run: Run): Promise<Facts> {
  const { topology, setting, record, db } = run;
  const { client } = setting;
  const { receiver } = topology;
  return {
    accepted: {
      signatures: [...record.signatures],
      withdrawals: [...record.withdrawals.keys()],
      wallets: [...record.wallets],
    },
    surprises: record.surprises,
    signatures: await readSignatures(client),
    withdrawals: await readWithdrawals(run),
    wallets: (await toArray(client.wallets({ limit: 100 }))).map(({ wallet_id, status }) => ({
      id: wallet_id,
      status,
    })),
    open: await findOpenRows(db),
    brokenBooks: await findWithdrawalViolations(db),
    differences: await compareBalances(run),
    nonces: await readNonces(run),
    events: await readFeed(client),
    delivered: receiver.events,
    deliveredSince: setting.webhookSince,
    refusedDeliveries: receiver.refused,
    auditProblems: await verifyAudit(setting),
  };
}

/** What is signed unhashed is only shown in full by the record itself. */
async function readSignatures(client: CountersignClient): Promise<Facts['signatures']> {
  const read: Facts['signatures'][number][] = [];
  for await (const listed of client.signingRequests({ limit: 100 })) {
    const path = { signing_id: listed.id };
    const isWhole = !listed.payload_kind.startsWith('solana_');
    const record = isWhole ? listed : await client.get('/api/v1/signing-requests/{signing_id}', { path });
    read.push(record as Facts['signatures'][number]);
  }
  return read;
}

async function toArray<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function readWithdrawals({ topology, setting }: Run): Promise<Facts['withdrawals']> {
  const receivedBy = readerOfReceived(topology.chains);
  const read: Facts['withdrawals'][number][] = [];
  for await (const { id, status, asset_id, amount, recipient_address } of setting.client.withdrawals({ limit: 100 })) {
    const asset = setting.assets.find((each) => each.id === asset_id);
    if (asset === undefined || recipient_address === null)
      throw new Error(`Withdrawal ${id} is of no asset of the run.`);
    read.push({
      id,
      status,
      amountBaseUnits: parseAmount(amount, asset.decimals),
      receivedBaseUnits: await receivedBy(asset.networkCode, asset.symbol, recipient_address),
    });
  }
  return read;
}

async function readNonces({ topology, db }: Run): Promise<Facts['nonces']> {
  const ask = askNode(topology.chains.ETHEREUM_SANDBOX);
  const used = await readUsedNonces(db);
  return Promise.all(
    used.map(async (each) => {
      const next = Number(await ask('eth_getTransactionCount', each.address, 'latest'));
      return { ...each, next };
    }),
  );
}

async function readFeed(client: CountersignClient): Promise<FeedEvent[]> {
  const feed: FeedEvent[] = [];
  for await (const { id, seq, type, timestamp, data } of client.events({ limit: 100 }))
    feed.push({ id, seq, type, timestamp, ...('id' in data && { about: data.id }) });
  return feed;
}

interface Comparison {
  imbalances: string[];
  differences: object[];
  underWayCount: number;
  unreached: Record<string, string>;
}

/** By the command that operators run. */
async function compareBalances({ topology, root }: Run): Promise<string[]> {
  const environment = readOperatorEnvironment(join(topology.directory, 'environment'));
  const options = { env: { ...environment, PATH: process.env['PATH'] }, maxBuffer: 64 * 1024 * 1024 };
  const deadlineMs = Date.now() + COMPARED_WITHIN_MS;
  for (;;) {
    const found = await compareOnce(() =>
      promisify(execFile)(process.execPath, [join(root, 'dist/reconcile-balances.js'), '--json'], options),
    );
    if (found.length === 0 || Date.now() > deadlineMs) return found;
    await sleep(COMPARE_AGAIN_MS);
  }
}

/** The command ends with code 1 when anything differs, which it prints, and on a busy machine for want of time. */
async function compareOnce(command: () => Promise<{ stdout: string }>): Promise<string[]> {
  const { stdout, message } = await command().then(
    (ended) => ({ ...ended, message: '' }),
    (error: { stdout?: string; message: string }) => ({ stdout: error.stdout ?? '', message: error.message }),
  );
  if (!stdout.startsWith('{')) return [`reconcile-balances failed: ${message}`];
  const { imbalances, differences, underWayCount, unreached } = JSON.parse(stdout) as Comparison;
  return [
    ...imbalances,
    ...differences.map((each) => JSON.stringify(each)),
    ...Object.entries(unreached).map(([code, why]) => `${code} was not compared: ${why}`),
    ...(underWayCount > 0 ? [`${underWayCount} are under way`] : []),
  ];
}

/** As src/local/operator-environment.ts writes it. */
function readOperatorEnvironment(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const equals = line.indexOf('=');
      return [line.slice(0, equals), line.slice(equals + 2, -1).replaceAll("'\\''", "'")];
    }),
  );
}

/** By the route, and by what anybody can do with the file and the public key alone. */
async function verifyAudit({ client, workspaceId }: Setting): Promise<string[]> {
  const { problems } = await client.get('/api/v1/workspaces/{workspace_id}/audit-logs/verify');
  const head = await client.get('/api/v1/workspaces/{workspace_id}/audit-logs/head');
  const lines = splitLines(client.exportAuditLogs({ format: 'jsonl' }));
  const trusted = { workspaceId, publicKey: head.public_key, kept: [] };
  const exported = await verifyExport(lines, trusted);
  return [...problems, ...exported.problems].map(({ message }) => message);
}
