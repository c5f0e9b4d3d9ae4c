// Solana behind the port: SOL, and SPL tokens of the classic token program. Everything it tells is of the finalized
// chain; blocks are numbered by slot. Names its parts and holds nothing.
import { address } from '@solana/kit';
import { canonicalSolanaAddress } from '../../../domain/payloads/canonical-address.ts';
import type { ExpiringChain } from '../port/chain.ts';
import { isCall } from '../port/transactions.ts';
import { nextSolanaSlot, solanaBlock, solanaHead, solanaInboundTransfers, solanaMovements } from './blocks.ts';
import { buildSolanaCall, quoteSolanaCall } from './build-call.ts';
import { buildSolanaTransfer, estimateSolanaFee } from './build-transaction.ts';
import { broadcastSolana, followSolana } from './follow-transaction.ts';
import { connectSolana, type SolanaEndpoint } from './rpc.ts';
import { tokenBalance } from './token-accounts.ts';
import { fateOfBuiltSolana, fateOfSolana } from './transaction-fate.ts';
import { assembleSolana } from './wire-format.ts';

export function solanaChain(endpoint: SolanaEndpoint): ExpiringChain {
  const ask = connectSolana(endpoint);
  return {
    model: 'expiring',
    canonicalAddress: canonicalSolanaAddress,
    async balance(owner, { contract }) {
      if (contract !== null) return tokenBalance(ask, address(owner), address(contract));
      return (await ask((rpc) => rpc.getBalance(address(owner), { commitment: 'finalized' }))).value;
    },
    estimateFee: async (what, level) =>
      isCall(what) ? quoteSolanaCall(what, level) : estimateSolanaFee(ask, what, level),
    build: async (what, fee) => (isCall(what) ? buildSolanaCall(ask, what) : buildSolanaTransfer(ask, what, fee)),
    assemble: assembleSolana,
    // Expired bytes are rejected only with `validUntil`: they do not tell the height at which they expire.
    broadcast: (raw, validUntil) => broadcastSolana(ask, raw, validUntil),
    follow: (txHash) => followSolana(ask, txHash),
    fateOf: (sent) => fateOfSolana(ask, sent),
    fateOfBuilt: (built) => fateOfBuiltSolana(ask, built),
    head: () => solanaHead(ask),
    block: (number) => solanaBlock(ask, number),
    next: (after) => nextSolanaSlot(ask, after),
    inboundTransfers: (block, watched) => solanaInboundTransfers(ask, block, watched),
    movements: (block, watched) => solanaMovements(ask, block, watched),
  };
}
