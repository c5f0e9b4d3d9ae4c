// Which native amounts a block of an EVM chain moved, and to whom: by its transactions, and, where the node traces, by
// contracts within them. Amounts that no transaction moves (withdrawals of validators, rewards of miners) are not
// inbound transfers.
import type { Hex, RpcTransaction } from 'viem';
import { ChainError } from '../port/chain-error.ts';
import type { InboundTransfer, Watched } from '../port/movements.ts';
import { checksumAddress } from './checksum-address.ts';
import { hasSucceeded } from './follow-transaction.ts';
import { type CallFrame, NodeRefusal, readQuantity } from './node-client.ts';
import { type AskedBlock, askSeveral } from './receipts.ts';

/** What a block may have brought, before it is known which addresses are ours. */
export interface EvmFindings {
  /** Canonical; one may be there several times. */
  recipients: readonly string[];
  inboundTransfersAt(ours: ReadonlySet<string>): Promise<InboundTransfer[]>;
}

export interface NativeFindings extends EvmFindings {
  /** What calls within transactions moved; none where the node does not trace. */
  inner: readonly InboundTransfer[];
}

type Movement = Pick<InboundTransfer, 'from' | 'to' | 'amount'>;

/** The index of what a transaction itself moves. */
export const TOP_LEVEL = 'native';

const TRACE_TIMEOUT = '15s';

/** Top-level transfers of transactions that succeeded: what a contract passes on within a transaction is not seen. */
export function findPlainMovements(
  { block, receiptOf }: AskedBlock,
  transactions: readonly RpcTransaction[],
): NativeFindings {
  const movements = transactions.flatMap(({ hash, from, to, value }) => {
    const movement = movementOf({ from, to, value });
    return movement === undefined ? [] : [{ txHash: hash, index: TOP_LEVEL, contract: null, ...movement, block }];
  });
  const inboundTransfersAt = async (ours: ReadonlySet<string>) => {
    const concerned = movements.filter(({ to }) => ours.has(to));
    const receipts = await askSeveral(concerned, ({ txHash }) => receiptOf(txHash));
    const succeeded = new Set(receipts.filter(hasSucceeded).map(({ transactionHash }) => transactionHash));
    return concerned.filter(({ txHash }) => succeeded.has(txHash));
  };
  return { recipients: movements.map(({ to }) => to), inboundTransfersAt, inner: [] };
}

/**
 * Every call that moved an amount and was not undone, by itself or by a call above it. Of a block that may go untraced,
 * what its transactions move.
 */
export async function findTracedMovements(
  asked: AskedBlock,
  transactions: readonly RpcTransaction[],
  allowMissing: Watched['allowMissing'],
): Promise<NativeFindings> {
  const movements = await readTraces(asked, transactions).catch((error: unknown) => {
    if (error instanceof NodeRefusal && allowMissing?.('traces', error.message)) return undefined;
    throw error;
  });
  if (movements === undefined) return findPlainMovements(asked, transactions);
  return {
    recipients: movements.map(({ to }) => to),
    inboundTransfersAt: async (ours) => movements.filter(({ to }) => ours.has(to)),
    inner: movements.filter(({ index }) => index !== TOP_LEVEL),
  };
}

async function readTraces(
  { ask, block }: AskedBlock,
  transactions: readonly RpcTransaction[],
): Promise<InboundTransfer[]> {
  if (transactions.length === 0) return [];
  const options = { tracer: 'callTracer', timeout: TRACE_TIMEOUT } as const;
  const traces = await ask({ method: 'debug_traceBlockByHash', params: [block.hash as Hex, options] });
  if (traces?.length !== transactions.length) throw new NodeRefusal('the node did not trace every transaction');
  return transactions.flatMap(({ hash }, position) => {
    const { txHash = hash, result: frame } = traces[position] ?? {};
    if (frame === undefined || txHash !== hash) throw new NodeRefusal(`the node could not trace ${hash}`);
    return [...movementsIn(frame, [])].map(({ path, ...movement }) => {
      const index = path.length === 0 ? TOP_LEVEL : `trace:${path.join('.')}`;
      return { txHash: hash, index, contract: null, ...movement, block };
    });
  });
}

/** These run another's code, or none may move an amount, and their `value` is only handed down. */
const MOVES_NOTHING = new Set(['DELEGATECALL', 'CALLCODE', 'STATICCALL']);

function* movementsIn(frame: CallFrame, path: readonly number[]): Generator<Movement & { path: readonly number[] }> {
  if (frame.error !== undefined) return;
  const movement = MOVES_NOTHING.has(frame.type) ? undefined : movementOf(frame);
  if (movement !== undefined) yield { ...movement, path };
  for (const [position, call] of (frame.calls ?? []).entries()) yield* movementsIn(call, [...path, position]);
}

/** What goes from an address to itself adds nothing to it. */
function movementOf({ from, to, value }: { from: Hex; to?: Hex | null; value?: Hex }): Movement | undefined {
  const amount = readQuantity(value ?? '0x0', 'amount');
  if (to == null || amount === 0n) return undefined;
  const [sender, recipient] = [checksumAddress(from), checksumAddress(to)];
  return sender === recipient ? undefined : { from: sender, to: recipient, amount };
}

export async function readTransactions({ ask, block }: AskedBlock): Promise<RpcTransaction[]> {
  const found = await ask({ method: 'eth_getBlockByHash', params: [block.hash as Hex, true] });
  if (found?.hash !== block.hash) throw new ChainError(`the node does not know block ${block.hash}`);
  return found.transactions.map((each) => {
    if (typeof each === 'string') throw new ChainError('the node answered a block without its transactions');
    return each;
  });
}
