// What a JSON-RPC method of the sandbox's Solana chain is. Holds no method.
import type { SolanaChain } from './chain.ts';
import type { Parameters } from './parameters.ts';

export type Methods = Readonly<Record<string, (chain: SolanaChain, parameters: Parameters) => unknown>>;

export function withContext(chain: SolanaChain, value: unknown): unknown {
  return { context: { apiVersion: '3.0.0', slot: chain.slots.completed }, value };
}
