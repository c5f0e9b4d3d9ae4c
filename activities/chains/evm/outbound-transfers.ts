// What left addresses of ours in a block of an EVM chain: with each transaction that one of them sent, also one that
// failed (its fee left), with each Transfer log of a watched contract and with each call within a transaction, where
// the node traces. A log is believed as it stands: the contracts that are watched are the operator's choice. Decides
// nothing about what was meant to leave.
import type { Hex, RpcTransaction, RpcTransactionReceipt } from 'viem';
import { ChainError } from '../port/chain-error.ts';
import type { Block, InboundTransfer, OutboundTransfer } from '../port/movements.ts';
import { checksumAddress } from './checksum-address.ts';
import { feePaidOf, hasSucceeded } from './follow-transaction.ts';
import { TOP_LEVEL } from './inbound-native-transfers.ts';
import { type Claim, indexOf, transactionOf } from './inbound-token-transfers.ts';
import { readQuantity } from './node-client.ts';
import { type AskedBlock, askSeveral } from './receipts.ts';

/** What a block moved, whoever it is of. */
export interface EvmBroadcast {
  transactions: readonly RpcTransaction[];
  inner: readonly InboundTransfer[];
  claims: readonly Claim[];
}

export interface EvmSenders {
  /** Canonical; one may be there several times. */
  senders: readonly string[];
  outboundTransfersFrom: (ours: ReadonlySet<string>) => Promise<OutboundTransfer[]>;
}

interface Sent {
  transaction: RpcTransaction;
  from: string;
}

/** What a contract moved when it was called. The transaction itself has the fee. */
const byCall = { fee: 0n, succeeded: true, isCounted: true, method: 'contract_call' } as const;

const WORD_BYTES = 32;

export function findEvmOutboundTransfers(
  { block, receiptOf }: AskedBlock,
  { transactions, inner, claims }: EvmBroadcast,
): EvmSenders {
  const sent = transactions.map((transaction) => ({ transaction, from: checksumAddress(transaction.from) }));
  const byHash = new Map<string, Sent>(sent.map((each) => [each.transaction.hash, each]));
  const signaturesOf = (txHash: string, from: string) => signaturesIn(byHash.get(txHash), from);
  const outboundTransfersFrom = async (ours: ReadonlySet<string>) => {
    const isOurs = ({ from }: { from: string }) => ours.has(from);
    const ofTransactions = await askSeveral(sent.filter(isOurs), async (each) =>
      outboundTransferOf(each, await receiptOf(each.transaction.hash), block),
    );
    const ofLogs = await askSeveral(claims.filter(isOurs), async (claim): Promise<OutboundTransfer> => {
      const txHash = transactionOf(claim.log);
      const { contract, from, to, amount } = claim;
      const index = indexOf(claim.log, await receiptOf(txHash));
      return { ...byCall, txHash, index, block, contract, from, to, amount, signatures: signaturesOf(txHash, from) };
    });
    const ofCalls = inner.flatMap(({ txHash, index, from, to, amount }): OutboundTransfer[] =>
      from === null || !ours.has(from)
        ? []
        : [
            {
              ...byCall,
              txHash,
              index,
              block,
              contract: null,
              from,
              to,
              amount,
              signatures: signaturesOf(txHash, from),
            },
          ],
    );
    return [...ofTransactions, ...ofLogs, ...ofCalls];
  };
  const callers = inner.flatMap(({ from }) => (from === null ? [] : [from]));
  const senders = [...sent.map(({ from }) => from), ...claims.map(({ from }) => from), ...callers];
  return { senders, outboundTransfersFrom };
}

/** A transaction to its sender itself moves no more than its fee. */
function outboundTransferOf(
  { transaction, from }: Sent,
  receipt: RpcTransactionReceipt,
  block: Block,
): OutboundTransfer {
  const { hash: txHash, value, input } = transaction;
  const to = transaction.to == null ? null : checksumAddress(transaction.to);
  const [succeeded, fee] = [hasSucceeded(receipt), feePaidOf(receipt)];
  const amount = fee + (succeeded && to !== from ? readQuantity(value, 'amount') : 0n);
  return {
    txHash,
    index: TOP_LEVEL,
    contract: null,
    from,
    to,
    amount,
    fee,
    succeeded,
    method: input === '0x' ? 'transfer' : 'contract_call',
    isCounted: true,
    block,
    signatures: signaturesOf(transaction),
  };
}

/** Only the sender's key signs a transaction. */
function signaturesIn(sent: Sent | undefined, from: string): string[] {
  if (sent === undefined) throw new ChainError('the node answered a movement of no transaction in its block');
  return sent.from === from ? signaturesOf(sent.transaction) : [];
}

/** A transaction that another chain forces upon a rollup has none. */
function signaturesOf({ r, s }: { r?: Hex | null; s?: Hex | null }): string[] {
  if (r == null || s == null) return [];
  return [`0x${wordOf(r)}${wordOf(s)}`];
}

/** Nodes leave out leading zeros. */
const wordOf = (quantity: Hex): string =>
  readQuantity(quantity, 'signature')
    .toString(16)
    .padStart(2 * WORD_BYTES, '0');
