// A real btcd of a test's own, on a regression test network that is mined only when the test says so: the sandbox's
// mines whatever waits.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BitcoinNode } from '../../../activities/chains/bitcoin/rpc.ts';
import { findBtcd } from '../../../src/local/bitcoin/bitcoin-binary.ts';
import { startPart } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';

const root = resolve(import.meta.dirname, '../../..');
const PASSWORD = 'a-secret/of@test';
const POLL_MS = 50;
const START_MS = 60_000;

export interface TestBitcoinNode {
  rpcUrl: string;
  password: string;
  ask: <T>(method: string, ...params: unknown[]) => Promise<T>;
  stop: () => Promise<void>;
}

/** Blocks pay `miningAddress`. */
export async function startBitcoinNode(miningAddress: string): Promise<TestBitcoinNode> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-btcd-'));
  const ending = new AbortController();
  const btcd = await findBtcd(join(root, '.local'), { report: () => {}, signal: ending.signal });
  const configuration = join(directory, 'btcd.conf');
  writeFileSync(configuration, `[Application Options]\nrpcuser=test\nrpcpass=${PASSWORD}\n`, { mode: 0o600 });
  const port = await findFreePort();
  const part = await startPart({
    command: btcd,
    args: [
      '--regtest',
      '--nolisten',
      '--nodnsseed',
      '--txindex',
      '--addrindex',
      '--nocfilters',
      '--notls',
      '--configfile',
      configuration,
      '--rpclisten',
      `127.0.0.1:${port}`,
      '--miningaddr',
      miningAddress,
      '--datadir',
      join(directory, 'data'),
      '--logdir',
      join(directory, 'logs'),
    ],
    environment: { PATH: process.env['PATH'], HOME: directory },
    logFile: join(directory, 'btcd.log'),
  });
  const rpcUrl = `http://test:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
  const stop = async () => {
    await part.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  const node = new BitcoinNode(rpcUrl, 'regtest');
  const ask = <T>(method: string, ...params: unknown[]) => node.ask<T>(method, params);
  const deadlineMs = Date.now() + START_MS;
  for (let failure = await failureOf(ask); failure !== undefined; failure = await failureOf(ask)) {
    if (part.hasExited() || Date.now() > deadlineMs) {
      await stop();
      throw new Error(`btcd did not start: ${failure}`);
    }
    await sleep(POLL_MS);
  }
  return { rpcUrl, password: PASSWORD, ask, stop };
}

const failureOf = (ask: TestBitcoinNode['ask']): Promise<string | undefined> =>
  ask('getblockcount').then(
    () => undefined,
    (error: unknown) => String(error),
  );
