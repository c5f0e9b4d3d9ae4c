// An Ethereum node of a test's own: mines only when it is told to, and does what no real chain does on request.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type Client,
  createTestClient,
  type HttpTransport,
  http,
  type PublicActions,
  publicActions,
  type TestActions,
  type WalletActions,
  walletActions,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { type Part, startPart, waitUntilReady } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { findOnPath } from '../../../src/local/processes/programs.ts';

/** The dev account that every anvil has. */
export const dev = mnemonicToAccount('test test test test test test test test test test test junk');

type Chain = typeof foundry;
type Dev = typeof dev;
type Actions = TestActions & PublicActions<HttpTransport, Chain, Dev> & WalletActions<Chain, Dev>;

export interface Anvil {
  url: string;
  client: Client<HttpTransport, Chain, Dev, undefined, Actions>;
  /** As if the newest blocks had never been: their transactions are not mined again by themselves. */
  reorganise: (blocks: number) => Promise<void>;
  /** Keeps its blocks for `restart`, not what waits for one. */
  save: () => Promise<void>;
  /** SIGKILL. */
  kill: () => Promise<void>;
  /** On the same port, with what was saved last. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

export async function startAnvil(): Promise<Anvil> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-anvil-'));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const stateFile = join(directory, 'state.json');
  const start = async () => {
    const saved = existsSync(stateFile) ? ['--load-state', stateFile] : [];
    const started = await startPart({
      command: findAnvil(),
      args: ['--host', '127.0.0.1', '--port', String(port), '--no-mining', '--slots-in-an-epoch', '1', ...saved],
      environment: { PATH: process.env['PATH'], HOME: directory },
      logFile: join(directory, 'anvil.log'),
    });
    await waitUntilReady(started, 60_000, () => client.getChainId().catch(() => undefined));
    return started;
  };
  const client = createTestClient({ mode: 'anvil', chain: foundry, account: dev, transport: http(url), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions);
  let part: Part = await start();
  const reorganise = async (blocks: number) => {
    await client.request({ method: 'anvil_reorg', params: [blocks, []] } as never);
  };
  const save = async () => {
    const state = (await client.request({ method: 'anvil_dumpState', params: [] } as never)) as string;
    writeFileSync(stateFile, gunzipSync(Buffer.from(state.slice(2), 'hex')));
  };
  const kill = async () => {
    part.kill('SIGKILL');
    await part.exited;
  };
  const restart = async () => {
    part = await start();
  };
  const stop = async () => {
    await part.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  return { url, client, reorganise, save, kill, restart, stop };
}

function findAnvil(): string {
  try {
    const manifest = createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/package.json');
    return join(dirname(manifest), 'bin', 'anvil');
  } catch {
    const found = findOnPath('anvil');
    if (found === undefined) throw new Error('the program `anvil` is missing');
    return found;
  }
}
