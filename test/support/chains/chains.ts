// Runs one chain of the sandbox for a test, supervised as `npm start` does it, and stops it again.
import { join, resolve } from 'node:path';
import { findBtcd } from '../../../src/local/bitcoin/bitcoin-binary.ts';
import { startBitcoinChain } from '../../../src/local/bitcoin/bitcoin-chain.ts';
import { startEvmChain } from '../../../src/local/ethereum/ethereum-chain.ts';
import type { Part } from '../../../src/local/processes/part.ts';
import { findFreePort } from '../../../src/local/processes/ports.ts';
import type { Placement } from '../../../src/local/processes/supervise.ts';
import { startSolanaChain } from '../../../src/local/solana/start-solana-chain.ts';

const root = resolve(import.meta.dirname, '../../..');
const solanaProgram = ['--import', 'tsx', join(root, 'src/local/solana/main.ts')];

export type TestChain = {
  address: string;
  /** The process that runs now: another one after a restart. */
  part: () => Part;
  stop: () => Promise<void>;
};

export const startTestEthereum = (directory: string) => startChain(directory, startEvmChain);
export const startTestSolana = (directory: string) =>
  startChain(directory, (placement) => startSolanaChain(placement, solanaProgram));
export const startTestBitcoin = (directory: string) =>
  startChain(directory, async (placement) =>
    startBitcoinChain(placement, await findBtcd(join(root, '.local'), placement.supervision)),
  );

async function startChain(directory: string, start: (placement: Placement) => Promise<string>): Promise<TestChain> {
  const ending = new AbortController();
  const parts: Part[] = [];
  const stop = async () => {
    ending.abort();
    await Promise.all(parts.map((part) => part.stop()));
  };
  const part = () => {
    const latest = parts.at(-1);
    if (latest === undefined) throw new Error('The chain has not been started.');
    return latest;
  };
  const supervision = { report: () => {}, signal: ending.signal, onExhausted: () => {} };
  const logFile = join(directory, 'chain.log');
  const port = await findFreePort(); // the known one may be about to be taken by another test
  const placement = {
    directory,
    logFile,
    port,
    supervision,
    onStart: (_name: string, each: Part) => void parts.push(each),
  };
  try {
    return { address: await start(placement), part, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
