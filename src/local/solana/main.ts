// The process of the sandbox's Solana chain, which `npm start` runs beside the others. Ends when its starter is gone.
import { SolanaChain } from './chain.ts';
import { serveSolana } from './server.ts';

const { SOLANA_PORT, SOLANA_DIRECTORY } = process.env;
if (!SOLANA_PORT || !SOLANA_DIRECTORY) throw new Error('SOLANA_PORT and SOLANA_DIRECTORY must be set.');

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
process.once('disconnect', () => process.exit(0));

const startedMs = Date.now();
const chain = await SolanaChain.open(SOLANA_DIRECTORY);
await serveSolana(chain, Number(SOLANA_PORT));
console.log(
  `ready on 127.0.0.1:${SOLANA_PORT} after ${Date.now() - startedMs} ms: slot ${chain.slots.completed}, ${chain.transactionCount} transactions`,
);
