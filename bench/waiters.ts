// (d) A thousand callers who wait for an operation (`Prefer: wait`), from the commit of the change until the last has
// its answer, against a bare HTTP server that holds as many requests and answers them at once. The callers are raw
// sockets in this process, which look at nothing but the last byte of an answer.

import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { connectDatabase, type Database } from '../drizzle/database/connection.ts';
import { advanceSigningRequest, insertSigningRequest } from '../drizzle/signing-requests/signing-steps.ts';
import { startPart, waitUntilReady } from '../src/local/processes/part.ts';
import { findFreePort } from '../src/local/processes/ports.ts';
import { testSeals } from '../test/support/rows/seals.ts';
import type { Contenders } from './support/contenders.ts';
import type { CpuMeter } from './support/cpu.ts';
import { at, type Comparison, interleave, type Round } from './support/rounds.ts';
import type { Context } from './support/servers.ts';
import type { Settings } from './support/settings.ts';
import { prepareStatusRead, signedAs } from './support/signed-requests.ts';

const WAITERS = 1_000;
/** After the last request was sent: each has been read, and its row too. */
const SETTLED_AFTER_MS = 1_000;
const READY_WITHIN_MS = 20_000;
const LAST_BYTE = '}'.charCodeAt(0);

export interface WaitersComparison extends Comparison {
  /** That the thousand wait for: one, or one each. All end in one commit. */
  operations: number;
}

export async function measureWaiters(
  context: Context,
  contenders: Contenders,
  { rounds, quick }: Settings,
  cpu: CpuMeter,
): Promise<WaitersComparison[]> {
  const { report } = context.supervision;
  const connection = connectDatabase(contenders.databaseUrl, { poolSize: 1, name: 'countersign-bench' });
  const sockets: Socket[] = [];
  const open = async (url: string) => {
    const opened = await Promise.all(Array.from({ length: WAITERS }, () => openSocket(url)));
    sockets.push(...opened);
    return opened;
  };
  try {
    const service = await open(contenders.apiUrl);
    const bare = await open(await startBareWaitingRoom(context, contenders));
    const measured: WaitersComparison[] = [];
    for (const operations of quick ? [1] : [1, WAITERS]) {
      const round = (waiters: Socket[]) => measureRound(connection.db, contenders, waiters, operations);
      const sides = [
        { name: 'service', run: () => round(service) },
        { name: 'bare', run: () => round(bare) },
      ];
      measured.push({ operations, ...(await interleave(sides, rounds, cpu, report)) });
    }
    return measured;
  } finally {
    for (const socket of sockets) socket.destroy();
    await connection.close();
  }
}

async function measureRound(
  db: Database,
  contenders: Contenders,
  waiters: readonly Socket[],
  operations: number,
): Promise<Round> {
  const ids = Array.from({ length: operations }, () => uuidv7());
  await insertSubmitted(db, contenders, ids);
  const answers = waiters.map((socket, index) => ask(socket, contenders, at(ids, index % operations)));
  await sleep(SETTLED_AFTER_MS);
  await db.transaction(async (tx) => {
    for (const id of ids)
      await advanceSigningRequest(tx, id, {
        from: 'submitted',
        to: 'success',
        fields: { signature: `0x${'ab'.repeat(65)}` },
      });
  });
  const changedMs = performance.now();
  const heard = await Promise.all(answers);
  const wrong = heard.find(({ text }) => !text().startsWith('HTTP/1.1 200 ') || !text().includes('"status":"success"'));
  if (wrong !== undefined) throw new Error(`a waiter was answered ${wrong.text()}`);
  const latenciesMs = heard.map(({ atMs }) => atMs - changedMs);
  return { operations: waiters.length, seconds: Math.max(...latenciesMs) / 1000, latenciesMs };
}

async function insertSubmitted(
  db: Database,
  { workspace, walletId }: Contenders,
  ids: readonly string[],
): Promise<void> {
  const digest = `0x${'ab'.repeat(32)}`;
  await db.transaction(async (tx) => {
    for (const id of ids) {
      await insertSigningRequest(tx, testSeals, {
        id,
        workspaceId: workspace.workspaceId,
        walletId,
        operationType: 'generic',
        networkInternalCode: signedAs.secp256k1.network,
        keyType: 'secp256k1',
        signingHash: digest,
        unsignedTx: digest,
        derivationPath: signedAs.secp256k1.path.join('/'),
      });
      await advanceSigningRequest(tx, id, { from: 'pending', to: 'submitted' });
    }
  });
}

interface Heard {
  /** When the answer was whole. */
  atMs: number;
  text: () => string;
}

/** Sends now. The answer is read later: meanwhile others come in. */
function ask(socket: Socket, { workspace }: Contenders, id: string): Promise<Heard> {
  const { method, path, headers } = prepareStatusRead(workspace, id);
  const all = Object.entries({ ...headers, Host: 'localhost', Prefer: 'wait=30' });
  const chunks: Buffer[] = [];
  const heard = new Promise<Heard>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunk.at(-1) !== LAST_BYTE) return;
      socket.off('data', hear).off('close', hangUp);
      resolve({ atMs: performance.now(), text: () => Buffer.concat(chunks).toString() });
    };
    const hangUp = () => reject(new Error(`${path}: the server hung up on a waiter`));
    socket.on('data', hear).on('close', hangUp);
  });
  socket.write([`${method} ${path} HTTP/1.1`, ...all.map((header) => header.join(': ')), '', ''].join('\r\n'));
  return heard;
}

function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket))
      .setNoDelay(true)
      .once('error', reject);
  });
}

async function startBareWaitingRoom(context: Context, { databaseUrl }: Contenders): Promise<string> {
  const port = await findFreePort();
  const part = await startPart({
    command: process.execPath,
    args: ['--import', 'tsx', join(context.root, 'bench', 'bare-waiting-room.ts')],
    environment: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, PORT: String(port) },
    logFile: join(context.directory, 'logs', 'bare-waiting-room.log'),
    lifeline: 'ipc',
  });
  context.onStart('service', 'bare-waiting-room', part);
  await waitUntilReady(part, READY_WITHIN_MS, () => part.output().includes('listening') || undefined);
  return `http://127.0.0.1:${port}`;
}
