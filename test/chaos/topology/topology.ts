// The topology of `npm run stack` with the chains of the sandbox beside it, a receiver of webhooks, and a gate before
// everything that APIs and workers connect to. Knows each process by name; brings none of them into trouble itself.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBtcd } from '../../../src/local/bitcoin/bitcoin-binary.ts';
import { startBitcoinChain } from '../../../src/local/bitcoin/bitcoin-chain.ts';
import { startEvmChain } from '../../../src/local/ethereum/ethereum-chain.ts';
import type { Supervision } from '../../../src/local/processes/keep-running.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import { RunningParts, type Stage } from '../../../src/local/processes/running-parts.ts';
import { stopWithStarter } from '../../../src/local/processes/stop-with-starter.ts';
import type { Placement } from '../../../src/local/processes/supervise.ts';
import { startSolanaChain } from '../../../src/local/solana/start-solana-chain.ts';
import { type Stack, startStack } from '../../../src/local/stack/start-stack.ts';
import { type Clocks, prepareClocks } from './clocks.ts';
import { type Gate, openGate } from './gate.ts';
import { type LyingNode, startLyingNode } from './lying-node.ts';
import { mountSmallDisk, type SmallDisk, unmountLeftover } from './small-disk.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** What is ended on purpose comes back at once, however often. */
const RESTARTS = { endsMax: Number.POSITIVE_INFINITY, pauseMaxMs: 1_000 };

/** The real addresses, which tell the truth. */
export interface ChainUrls {
  ETHEREUM_SANDBOX: string;
  SOL_SANDBOX: string;
  BTC_SANDBOX: string;
}

export interface Topology {
  stack: Stack;
  chains: ChainUrls;
  directory: string;
  /** The process that runs under this name now. */
  parts: ReadonlyMap<string, Part>;
  gates: ReadonlyMap<string, Gate>;
  ethereumFront: LyingNode;
  receiver: WebhookReceiver;
  clocks: Clocks;
  /** Of one node; absent where this process may not mount one. */
  smallDisk: SmallDisk | undefined;
  signal: AbortSignal;
  /** With a sentence when something broke: the process ends with code 1. */
  stop: (failure?: string) => Promise<void>;
}

export interface TopologyOptions {
  root: string;
  directory: string;
  report: (line: string) => void;
}

export async function startTopology({ root, directory, report }: TopologyOptions): Promise<Topology> {
  mkdirSync(directory, { recursive: true });
  const { parts: running, ended } = await RunningParts.takeOver(join(directory, 'run.json'));
  if (ended.length > 0) report(`ended what an earlier run left: ${ended.join(', ')}`);
  unmountLeftover(nodeDiskOf(directory));
  for (const name of readdirSync(directory))
    if (name !== 'run.json') rmSync(join(directory, name), { recursive: true });
  mkdirSync(join(directory, 'logs'), { mode: 0o700 });
  const { signal, stop } = stopWithStarter(running, report);
  const supervision: Supervision = {
    report: (line) => signal.aborted || report(line),
    signal,
    onExhausted: (failure) => void stop(failure),
    limits: RESTARTS,
  };
  const parts = new Map<string, Part>();
  const onStart = (stage: Stage, name: string, part: Part) => {
    running.add(stage, name, part);
    parts.set(name, part);
  };
  try {
    const place = (name: string): Placement => ({
      directory: join(directory, name),
      logFile: join(directory, 'logs', `${name}.log`),
      supervision,
      onStart: (name, part) => onStart('chain', name, part),
    });
    const chains = await startChains(root, supervision, place);
    const gates = new Map<string, Gate>();
    const route = async (to: string, port: number) => {
      const gate = gates.get(to) ?? (await openGate(port));
      gates.set(to, gate);
      return gate.port;
    };
    const receiver = await startWebhookReceiver();
    const ethereumFront = await startLyingNode(chains.ETHEREUM_SANDBOX);
    const clocks = prepareClocks(join(directory, 'clocks'));
    const smallDisk = mountSmallDisk(nodeDiskOf(directory));
    if (smallDisk === undefined) report('no disk can be mounted here: none gets full');
    else process.once('exit', smallDisk.unmount);
    const environment = { ...(await environmentOf(chains, ethereumFront, route)), ...clocks.environment };
    const policyFile = join(root, 'mpc/policies/sandbox.json');
    const port = await findFreePort();
    const overrides = { environment, policyFile, route };
    const stack = await startStack({ root, directory, port, supervision, onStart, overrides });
    const between = { gates, ethereumFront, receiver, clocks, smallDisk };
    return { stack, chains, directory, parts, ...between, signal, stop };
  } catch (error) {
    await stop((error as Error).message);
    throw error;
  }
}

/** As src/local/mpc/mpc-nodes.ts lays it out. */
const nodeDiskOf = (directory: string) => join(directory, 'mpc', 'node-3');

async function startChains(
  root: string,
  supervision: Supervision,
  place: (name: string) => Placement,
): Promise<ChainUrls> {
  const btcd = await findBtcd(join(root, '.local'), supervision);
  const [ethereum, solana, bitcoin] = await Promise.all([
    startEvmChain(place('ethereum')),
    startSolanaChain(place('solana'), [join(root, 'dist/local-solana.js')]),
    startBitcoinChain(place('bitcoin'), btcd),
  ]);
  supervision.report('the three chains run');
  return { ETHEREUM_SANDBOX: ethereum, SOL_SANDBOX: solana, BTC_SANDBOX: bitcoin };
}

/** The sandbox's settings. The node of Ethereum that may lie is one of two, as production has it. */
async function environmentOf(
  chains: ChainUrls,
  ethereumFront: LyingNode,
  route: (to: string, port: number) => Promise<number>,
): Promise<Record<string, string>> {
  const behindGate = async (name: string, address: string) => {
    const url = new URL(address);
    url.port = String(await route(name, Number(url.port)));
    return url.href;
  };
  const urls = {
    ETHEREUM_SANDBOX: ethereumFront.url,
    SOL_SANDBOX: await behindGate('Solana', chains.SOL_SANDBOX),
    BTC_SANDBOX: await behindGate('Bitcoin', chains.BTC_SANDBOX),
  };
  return {
    SERVICE_ENV: 'sandbox',
    RPC_URLS: Object.entries(urls)
      .map(([code, url]) => `${code}=${url}`)
      .join(','),
    RPC_URLS_SECOND: `ETHEREUM_SANDBOX=${chains.ETHEREUM_SANDBOX}`,
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    // The limits have tests of their own; a busy machine would meet them.
    RATE_LIMIT_PER_MINUTE: '0',
    WORKSPACE_OPEN_OPERATIONS_MAX: '0',
    WORKSPACE_WALLETS_UNDER_WAY_MAX: '0',
    EVENT_LOOP_DELAY_MAX_MS: '60000',
  };
}

/** As `keepDefaultWorkspace` writes them. */
export interface RunCredentials {
  api_key: string;
  api_secret: string;
  workspace_id: string;
  approver: { api_key: string; api_secret: string };
}

export const readCredentials = ({ directory }: Topology): RunCredentials =>
  JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8')) as RunCredentials;

export const readOwnerUrl = ({ stack }: Topology): string => readFileSync(stack.databaseUrlFile, 'utf8').trim();
