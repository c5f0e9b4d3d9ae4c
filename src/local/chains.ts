// The sandbox's three chains: each at the address that RPC_URLS names, else embedded. What this machine lacks a program
// for is left out with one sentence, and a node of somebody else's that lacks the sandbox's tokens is told of: nothing
// is put on it. Production gets only what RPC_URLS names.
import { join } from 'node:path';
import { findBtcd } from './bitcoin/bitcoin-binary.ts';
import { startBitcoinChain } from './bitcoin/bitcoin-chain.ts';
import type { Context } from './embedded-parts.ts';
import { startEvmChain } from './ethereum/ethereum-chain.ts';
import { MissingProgram } from './processes/missing-program.ts';
import type { Placement } from './processes/supervise.ts';
import type { RpcUrls } from './settings.ts';
import { startSolanaChain } from './solana/start-solana-chain.ts';
import { reportMissingTokens } from './tokens.ts';

/** `otherBuild` is a build with Go that goes first. */
export async function provideChains(context: Context, otherBuild: Promise<unknown>): Promise<RpcUrls> {
  const { root, supervision, settings } = context;
  if (settings.production) return settings.rpcUrls;
  const local = join(root, '.local');
  const optionsOf = (name: string): Placement => ({
    directory: join(local, name),
    logFile: join(local, 'logs', `${name}.log`),
    supervision,
    onStart: (part, started) => context.onStart('chain', part, started),
  });
  const starts: Record<string, () => Promise<string>> = {
    ETHEREUM_SANDBOX: () => startEvmChain(optionsOf('ethereum')),
    SOL_SANDBOX: () => startSolanaChain(optionsOf('solana'), [join(root, 'dist', 'local-solana.js')]),
    BTC_SANDBOX: async () => startBitcoinChain(optionsOf('bitcoin'), await findBtcd(local, supervision, otherBuild)),
  };
  reportMissingTokens(settings.rpcUrls, supervision);
  const started = Object.entries(starts)
    .filter(([code]) => settings.rpcUrls[code] === undefined)
    .map(async ([code, start]) => {
      try {
        const address = await start();
        supervision.report(`${code} runs on ${new URL(address).host}`);
        return [[code, address]];
      } catch (error) {
        if (!(error instanceof MissingProgram)) throw error;
        supervision.report(`${code} is left out: ${error.message}`);
        return [];
      }
    });
  return { ...Object.fromEntries((await Promise.all(started)).flat()), ...settings.rpcUrls };
}
