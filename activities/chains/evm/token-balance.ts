// Asks ERC-20 contracts for balances. A contract is a stranger's program: whatever it does must never look like a
// failure of the node, or one hostile token could stop the watching of a chain.
import { type Address, concatHex, encodeFunctionData, erc20Abi, type Hex, slice } from 'viem';
import { ChainError } from '../port/chain-error.ts';
import { type AskNode, readQuantity } from './node-client.ts';

const WORD_BYTES = 32;

export async function readTokenBalance(ask: AskNode, contract: Address, holder: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] });
  const answer = await ask({ method: 'eth_call', params: [{ to: contract, data }, 'latest'] });
  if (answer.length !== 2 + 2 * WORD_BYTES) throw new ChainError(`the contract ${contract} answers no balance`);
  return readQuantity(answer, 'balance');
}

/**
 * The balance in the state after that block; undefined when the contract fails, and 0 where there is none yet. The
 * question runs as a contract creation that is never sent, so that the EVM itself says how the call ended, and an error
 * of the node is only ever one of the node.
 */
export async function probeTokenBalance(
  ask: AskNode,
  contract: Address,
  holder: Address,
  blockHash: Hex,
): Promise<bigint | undefined> {
  const answer = await ask({ method: 'eth_call', params: [{ data: probeOf(contract, holder) }, { blockHash }] });
  if (answer.length !== 2 + 4 * WORD_BYTES) throw new ChainError('the node could not ask a contract for a balance');
  const succeeded = readQuantity(slice(answer, 0, WORD_BYTES), 'outcome') === 1n;
  return succeeded ? readQuantity(slice(answer, WORD_BYTES), 'balance') : undefined;
}

/**
 * Calls `balanceOf(holder)` with at most 2,000,000 gas and takes 32 bytes of the answer; returns whether it succeeded,
 * and those.
 */
function probeOf(contract: Address, holder: Address): Hex {
  return concatHex([
    '0x6370a0823160e01b600052', // MSTORE(0, balanceOf's selector << 224)
    concatHex(['0x73', holder, '0x600452']), // MSTORE(4, holder)
    concatHex(['0x602060406024600073', contract, '0x621e8480fa']), // STATICCALL(2e6, contract, 0, 36, 64, 32)
    '0x602052', // MSTORE(32, succeeded)
    '0x60406020f3', // RETURN(32, 64)
  ]);
}
