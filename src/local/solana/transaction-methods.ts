// JSON-RPC methods that send transactions and tell what became of them.
import type { SolanaChain } from './chain.ts';
import { type Executed, showTransaction } from './executed.ts';
import { parseTransaction, readBytes } from './message.ts';
import { type Methods, withContext } from './methods.ts';
import { readAddress, readEncoding, readList, readNumber, readOptions, readSignature } from './parameters.ts';
import { invalidParams } from './rpc-error.ts';

const MAX_SIGNATURES = 256;
const MAX_HISTORY = 1_000;

export const transactionMethods: Methods = {
  sendTransaction: (chain, [transaction, given]) => {
    const options = readOptions(given);
    return chain.send(readBytes(transaction, options['encoding']), options['skipPreflight'] === true);
  },
  simulateTransaction: (chain, [transaction, given]) => {
    const options = readOptions(given);
    const replaced = options['replaceRecentBlockhash'] === true;
    const checks = { signatures: options['sigVerify'] === true, blockhash: !replaced };
    const parsed = parseTransaction(readBytes(transaction, options['encoding']));
    const { error, logs, unitsConsumed } = chain.simulate(parsed, checks);
    const replacementBlockhash = replaced ? chain.latestBlockhash() : null;
    const value = { err: error, logs, unitsConsumed, accounts: null, returnData: null, replacementBlockhash };
    return withContext(chain, value);
  },
  requestAirdrop: (chain, [recipient, amount]) => chain.airdrop(readAddress(recipient), BigInt(readNumber(amount, 1))),
  getSignatureStatuses: (chain, [signatures]) =>
    withContext(
      chain,
      readList(signatures, MAX_SIGNATURES, readSignature).map((signature) => showStatus(chain.find(signature))),
    ),
  getTransaction: (chain, [signature, options]) => {
    const executed = chain.find(readSignature(signature));
    if (executed === undefined) return null;
    const { slot } = executed;
    return { slot, blockTime: chain.slots.blockTimeS(slot), ...showTransaction(executed, showOptions(options)) };
  },
  getSignaturesForAddress: (chain, [account, options]) =>
    pageOf(chain.ofAddress(readAddress(account)).toReversed(), readOptions(options)).map((executed) => ({
      signature: executed.signature,
      slot: executed.slot,
      err: executed.error,
      memo: null,
      blockTime: chain.slots.blockTimeS(executed.slot),
      confirmationStatus: 'finalized',
    })),
  getTransactionCount: (chain: SolanaChain) => chain.transactionCount,
};

export function showOptions(value: unknown) {
  const options = readOptions(value);
  const version = options['maxSupportedTransactionVersion'];
  if (version === undefined || version === null) return readEncoding(options);
  return { ...readEncoding(options), maxSupportedTransactionVersion: readNumber(version) };
}

function showStatus(executed: Executed | undefined): unknown {
  if (executed === undefined) return null;
  const { slot, error } = executed;
  const status = error === null ? { Ok: null } : { Err: error };
  return { slot, confirmations: null, err: error, status, confirmationStatus: 'finalized' };
}

/** `newest` first; from the one after `before` to the one ahead of `until`. */
function pageOf(newest: Executed[], { before, until, limit = MAX_HISTORY }: Record<string, unknown>): Executed[] {
  const indexOf = (value: unknown) => {
    const signature = readSignature(value);
    return newest.findIndex((executed) => executed.signature === signature);
  };
  const most = readNumber(limit, 1, MAX_HISTORY);
  const start = before === undefined || before === null ? 0 : indexOf(before) + 1;
  if (start === 0 && before) throw invalidParams('`before` names no transaction of this address');
  const end = until === undefined || until === null ? -1 : indexOf(until);
  return newest.slice(start, end === -1 ? undefined : Math.max(start, end)).slice(0, most);
}
