// Lies of an EVM node (control D8), each told by a proxy before a true one: what a single node can make up is either
// seen through by itself or not confirmed by the second node.
import { type Address, concatHex, type Hex, pad, toHex } from 'viem';
import { type Answer, type AnsweringProxy, alters, refuses, says } from '../../../support/chains/answering-proxy.ts';
import { TRANSFER, word } from './hostile-code.ts';

export interface Lie {
  name: string;
  /** By method, about this wallet. */
  answers: (ours: Address, token: Address, asked: AnsweringProxy['asked']) => Record<string, Answer>;
  /** What a reader without a second node would believe: stays pending with one. Otherwise it is seen through. */
  believable?: true;
}

type Block = { hash: Hex; number: Hex; parentHash: Hex; transactions: { hash: Hex; to: Hex | null; value: Hex }[] };
type Receipt = { blockHash: Hex; status: Hex; logs: object[] } | null;
type Log = { blockHash: Hex; logIndex: Hex };

const FORGED: Hex = `0x${'f0'.repeat(32)}`;
const LARGE = toHex(10n ** 24n);

const withHttpStatus =
  (status: number): Answer =>
  (response) => {
    response.statusCode = status;
    response.end('{}');
  };

/** Of the newest block with a true payment in it. */
const forgedTransaction = (ours: Address, block: Block) => ({
  ...block.transactions[0],
  hash: FORGED,
  to: ours,
  value: LARGE,
});

const forgedLog = (ours: Address, token: Address, { blockHash }: Log) => ({
  address: token,
  topics: [TRANSFER, word(0n), pad(ours)],
  data: word(10n ** 18n),
  blockHash,
  blockNumber: '0x1',
  transactionHash: FORGED,
  transactionIndex: '0x0',
  logIndex: '0x63',
  removed: false,
});

const forgedReceipt = (block: { blockHash: Hex }, logs: object[] = []) => ({
  ...block,
  transactionHash: FORGED,
  status: '0x1',
  logs,
  type: '0x2',
  blockNumber: '0x1',
});

/** The last block with transactions that was asked for: what is forged is said to be in it. */
let forgedIn: Block | undefined;
const withForged =
  (ours: Address) =>
  (block: Block): Block =>
    block.transactions.length === 0
      ? block
      : { ...block, transactions: [...block.transactions, forgedTransaction(ours, block)] };
const noting = (change: (block: Block) => Block): Answer =>
  alters((block: Block | null) => {
    if (block !== null && block.transactions.length > 0) forgedIn = block;
    return block === null ? null : change(block);
  });
const blockHash = (): Hex => forgedIn?.hash ?? '0x';

export const lies: readonly Lie[] = [
  { name: 'it is on another chain', answers: () => ({ eth_chainId: says('0x1') }) },
  { name: 'it knows no block', answers: () => ({ eth_getBlockByHash: says(null) }) },
  {
    name: 'it shows blocks without their transactions',
    answers: () => ({ eth_getBlockByHash: alters((block: Block) => ({ ...block, transactions: [FORGED] })) }),
  },
  {
    name: 'it shows another block than the one that was asked for',
    answers: () => ({ eth_getBlockByHash: alters((block: Block) => ({ ...block, hash: FORGED })) }),
  },
  {
    name: 'its blocks have another number',
    answers: () => ({
      eth_getBlockByNumber: alters((block: Block) => block && { ...block, number: toHex(Number(block.number) + 1) }),
    }),
  },
  {
    name: 'its blocks do not follow each other',
    answers: () => ({ eth_getBlockByNumber: alters((block: Block) => block && { ...block, parentHash: FORGED }) }),
  },
  {
    name: 'a transaction that is not there, without a receipt',
    answers: (ours) => ({
      eth_getBlockByHash: alters(withForged(ours)),
    }),
  },
  {
    name: 'a transaction that is not there, with a receipt of another block',
    answers: (ours) => ({
      eth_getBlockByHash: alters(withForged(ours)),
      eth_getTransactionReceipt: alters((receipt: Receipt) => receipt ?? forgedReceipt({ blockHash: FORGED })),
    }),
  },
  {
    name: 'a transaction that is not there, with its receipt',
    believable: true,
    answers: (ours) => ({
      eth_getBlockByHash: noting(withForged(ours)),
      eth_getTransactionReceipt: alters((receipt: Receipt) => receipt ?? forgedReceipt({ blockHash: blockHash() })),
    }),
  },
  {
    name: 'a true transaction of another amount',
    believable: true,
    answers: (ours) => ({
      eth_getBlockByHash: alters((block: Block) => ({
        ...block,
        transactions: block.transactions.map((each) =>
          each.to === ours.toLowerCase() ? { ...each, value: LARGE } : each,
        ),
      })),
    }),
  },
  {
    name: 'logs without a gain',
    answers: (ours, token) => ({
      eth_getLogs: alters((logs: Log[]) => logs.map((log) => ({ ...log, ...forgedLog(ours, token, log) }))),
    }),
  },
  {
    name: 'logs of another block',
    answers: () => ({ eth_getLogs: alters((logs: Log[]) => logs.map((log) => ({ ...log, blockHash: FORGED }))) }),
  },
  {
    name: 'logs and balances that no receipt confirms',
    answers: (ours, token, asked) => ({
      eth_getBlockByHash: noting((block) => block),
      eth_getLogs: alters((logs: Log[]) => logs.map((log) => forgedLog(ours, token, log))),
      eth_call: growing(asked),
    }),
  },
  {
    name: 'logs, balances and receipts',
    believable: true,
    answers: (ours, token, asked) => ({
      eth_getBlockByHash: noting((block) => block),
      eth_getLogs: alters((logs: Log[]) => logs.map((log) => forgedLog(ours, token, log))),
      eth_call: growing(asked),
      eth_getTransactionReceipt: alters(
        (receipt: Receipt) =>
          receipt ??
          forgedReceipt({ blockHash: blockHash() }, [
            forgedLog(ours, token, { blockHash: blockHash(), logIndex: '0x0' }),
          ]),
      ),
    }),
  },
  { name: 'it refuses the logs', answers: () => ({ eth_getLogs: refuses('too many results') }) },
  { name: 'it refuses the receipts', answers: () => ({ eth_getTransactionReceipt: refuses('not now') }) },
  { name: 'it answers 429', answers: () => ({ eth_getBlockByHash: withHttpStatus(429) }) },
  { name: 'it answers 500', answers: () => ({ eth_getLogs: withHttpStatus(500) }) },
  { name: 'it answers what is no JSON', answers: () => ({ eth_getLogs: (response) => void response.end('<html>') }) },
  { name: 'it hangs up', answers: () => ({ eth_getLogs: (response) => void response.destroy() }) },
];

/** A balance that is nothing before that block, and much after it. */
function growing(asked: AnsweringProxy['asked']): Answer {
  return (response) => {
    const at = (asked.at(-1)?.params[1] as { blockHash?: Hex } | undefined)?.blockHash;
    says(concatHex([word(1n), word(at === forgedIn?.parentHash ? 0n : 10n ** 30n)]))(response);
  };
}
