// What befalls the sandbox's Ethereum: its newest block is replaced, or its price rises. A deeper reorganisation than
// the network's confirmations would be one that nobody is safe from.
import { setTimeout as sleep } from 'node:timers/promises';
import { treasuries } from '../../../domain/catalog/sandbox.ts';
import { type Ask, askNode } from '../../../src/local/json-rpc.ts';

/** One less than the confirmations that the catalogue asks for. */
const DEPTH_BLOCKS = 1;
const RISES_MOST = 40;
/** A block that was being mined during a reorganisation is there by then. */
const MINED_WITHIN_MS = 1_000;
/** So many blocks at most come meanwhile: workers mine too. */
const MINED_MOST = 10;

interface Block {
  baseFeePerGas: string;
  transactions: { hash: string; from: string }[];
}

/**
 * Nodes of a real network keep what a block loses and offer it again. Half of the time this one does; else it forgets
 * what was the service's, which then has to send it again. The faucet's is always kept, for the faucet sends once.
 */
export async function reorganise(url: string, size: number): Promise<void> {
  const ask = askNode(url);
  const { transactions } = (await ask('eth_getBlockByNumber', 'latest', true)) as Block;
  const treasury = treasuries.ETHEREUM_SANDBOX.address.toLowerCase();
  const kept = transactions.filter(({ from }) => size < 0.5 || from.toLowerCase() === treasury);
  const raw: unknown[] = [];
  for (const { hash } of kept) raw.push(await ask('eth_getRawTransactionByHash', hash));
  await ask('anvil_reorg', DEPTH_BLOCKS, []);
  await goBackBeforeGap(ask);
  // What the pool has already is refused, and is there.
  for (const bytes of raw) await ask('eth_sendRawTransaction', bytes).catch(() => {});
}

/**
 * When a block is mined at the moment of a reorganisation, anvil may put it above one that it has dropped, and then has
 * no block of that number for good, as no node of a real network does.
 */
async function goBackBeforeGap(ask: Ask): Promise<void> {
  await sleep(MINED_WITHIN_MS);
  const head = Number(await ask('eth_blockNumber'));
  let lowest: number | undefined;
  for (let number = head; number > head - DEPTH_BLOCKS - MINED_MOST; number -= 1)
    if ((await ask('eth_getBlockByNumber', `0x${number.toString(16)}`, false)) === null) lowest = number;
  if (lowest !== undefined) await ask('anvil_rollback', head - lowest + 1);
}

export async function raiseFees(url: string, size: number): Promise<void> {
  const ask = askNode(url);
  const { baseFeePerGas } = (await ask('eth_getBlockByNumber', 'latest', false)) as Block;
  const raised = BigInt(baseFeePerGas) * BigInt(2 + Math.floor(size * RISES_MOST));
  await ask('anvil_setNextBlockBaseFeePerGas', `0x${raised.toString(16)}`);
}
